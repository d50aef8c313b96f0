/** The page's key figures as JSON, for programs such as `llmc-mcp top`. @module */
import * as z from "zod";
import { VERSION } from "../../core/version.ts";
import { visible } from "../../core/visible.ts";
import type { Moment } from "./moment.ts";

const level = z.enum(["full", "landlock", "bwrap", "none"]);

/** The wire form. */
export const uiState = z.object({
  version: z.string(),
  uptime_s: z.number(),
  sandbox: z.object({ level, unconfined: z.boolean(), advice: z.string() }),
  roots: z.array(z.string()),
  /** Of the last hour. */
  calls: z.object({ count: z.number(), errors: z.number() }),
  tokens: z.object({ sent: z.number(), full: z.number() }),
  /** Null when the records cannot be read. */
  recent: z.array(z.object({
    time_ms: z.number(),
    tool: z.string(),
    args: z.string(),
    bytes: z.number(),
    tokens: z.number(),
    duration_ms: z.number(),
    status: z.string(),
  })).nullable(),
  running: z.array(z.object({ started_ms: z.number(), tool: z.string(), args: z.string() })),
  /** Of the last hour, the busiest first. */
  tools: z.array(z.object({
    name: z.string(),
    count: z.number(),
    errors: z.number(),
    p50_ms: z.number(),
    p95_ms: z.number(),
  })),
  processes: z.array(z.object({
    proc_id: z.string(),
    pid: z.number(),
    command: z.string(),
    state: z.string(),
    started_ms: z.number(),
    output_bytes: z.number(),
    last_line: z.string(),
  })),
  /** Calls that wait for consent. */
  pending: z.number(),
});

/** See {@link uiState}. */
export type UiState = z.output<typeof uiState>;

const MAX_RECENT = 40, MAX_TOOLS = 12;

/** Every text in it is fit to be shown in a terminal. */
export function stateOf(moment: Moment): UiState {
  const { level, unconfined, advice } = moment.report();
  const spans = moment.timeline("hour") ?? [], sums = [...moment.tokens().values()];
  return {
    version: VERSION,
    uptime_s: moment.metrics().uptime_s,
    sandbox: { level, unconfined, advice },
    roots: moment.config.roots.map(visible),
    calls: { count: total(spans, ({ count }) => count), errors: total(spans, ({ errors }) => errors) },
    tokens: { sent: total(sums, ({ sent }) => sent), full: total(sums, ({ full }) => full) },
    recent: moment.calls()?.slice(0, MAX_RECENT).map((call) => ({
      time_ms: call.timeMs,
      tool: visible(call.tool),
      args: visible(call.argsSummary),
      bytes: call.bytesOut,
      tokens: call.tokensOut,
      duration_ms: call.durationMs,
      status: call.errorCode ?? (call.failed ? "failed" : "ok"),
    })) ?? null,
    running: moment.running().map(({ startedMs, tool, argsSummary }) => ({
      started_ms: startedMs,
      tool: visible(tool),
      args: visible(argsSummary),
    })),
    tools: [...moment.usage("hour") ?? []].slice(0, MAX_TOOLS).map(([name, { count, errors, p50Ms, p95Ms }]) => ({
      name,
      count,
      errors,
      p50_ms: p50Ms,
      p95_ms: p95Ms,
    })),
    processes: moment.processes().map((each) => ({
      proc_id: each.procId,
      pid: each.pid,
      command: visible(each.command),
      state: each.state === "running" ? "running" : each.signal ?? `exit ${each.exitCode ?? "?"}`,
      started_ms: each.startedAt,
      output_bytes: each.outputBytes,
      last_line: visible(each.tail.trimEnd().split("\n").at(-1) ?? ""),
    })),
    pending: moment.pending().length,
  };
}

function total<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0);
}
