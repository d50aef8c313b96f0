/** Stores Tool Envelope events as rows. @module */
import { type Prepare } from "../sys/database.ts";
import { baseName } from "../core/path.ts";
import type { TeRecord, TeUsage } from "./calls.ts";
import { numberOf, textOf } from "./row.ts";

const MODES: readonly TeRecord["mode"][] = ["enriched", "passthrough", "raw", "error"];

/** Adds an event. */
export function insertTe(prepare: Prepare, event: TeRecord): void {
  prepare(
    `insert into te_events (time_ms, agent_id, session_id, model, command, program, mode, input_bytes, output_bytes,
       output_tokens, truncated, handle, latency_ms, error) values (${Array(14).fill("?")})`,
  ).run(
    event.timeMs,
    event.agentId,
    event.sessionId,
    event.model,
    event.command,
    programOf(event.command),
    event.mode,
    event.inputBytes,
    event.outputBytes,
    event.outputTokens ?? 0,
    Number(event.truncated),
    event.handle,
    event.latencyMs,
    event.error,
  );
}

/** Figures by program and mode, the busiest first. */
export function teUsageSince(prepare: Prepare, sinceMs: number): TeUsage[] {
  const sql = `select program, mode, count(*) as count, count(error) as errors, sum(truncated) as truncated,
      sum(input_bytes) as input_bytes, sum(output_bytes) as output_bytes, avg(latency_ms) as latency_ms
    from te_events where time_ms >= ? group by program, mode order by count desc, program, mode`;
  return prepare(sql).all(sinceMs).map((row) => ({
    program: textOf(row, "program"),
    mode: MODES.find((mode) => mode === row.mode) ?? "raw",
    count: numberOf(row, "count"),
    errors: numberOf(row, "errors"),
    truncated: numberOf(row, "truncated"),
    inputBytes: numberOf(row, "input_bytes"),
    outputBytes: numberOf(row, "output_bytes"),
    avgLatencyMs: numberOf(row, "latency_ms"),
  }));
}

/** Removes up to so many events before a time; returns how many. */
export function pruneTe(prepare: Prepare, beforeMs: number, limit: number): number {
  const sql = "delete from te_events where id in (select id from te_events where time_ms < ? order by time_ms limit ?)";
  return Number(prepare(sql).run(beforeMs, limit).changes);
}

/** Variables that are set for one command stand before its name. */
function programOf(command: string): string {
  const word = command.split(/\s+/).find((part) => part !== "" && !/^\w+=/.test(part)) ?? "";
  return baseName(word).slice(0, 64);
}
