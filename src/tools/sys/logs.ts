/** `linux_sys_logs`: the end of the system log without secrets, the rest behind a handle. @module */
import { restAt } from "../../core/bound.ts";
import { readSince } from "../../core/time.ts";
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { ignoresCase } from "../../core/glob.ts";
import { compileTest } from "../../core/linear_pattern.ts";
import { isFromUnit, type LogEntry, readLog } from "../../sysinfo/log_text.ts";
import type { HostText, LogQuery } from "../../sysinfo/machine_facts.ts";
import { makePacer } from "../../sys/pacer.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { bodyTokens, keepRest, metaLine } from "../keep_rest.ts";
import { cleanEntry, entryLines, foldEntries, newestWithin } from "./log_lines.ts";

/** In the order of their numbers. */
const PRIORITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

const output = () =>
  z.object({
    available: z.boolean(),
    source: z.string().nullable(),
    /** Why there is nothing, or what is missing. */
    note: z.string().optional(),
    /** Oldest first. */
    entries: z.array(z.object({ time_iso: z.string().nullable(), text: z.string(), count: z.int() })),
    /** Entries that fit the question, as far as the log was read. */
    total: z.int(),
    truncated: z.boolean(),
    handle: z.string().nullable(),
  });

const UNIT = /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,254}$/;
/** Read when a filter or a point in time decides how many are wanted. */
const MAX_READ = 10_000;

/** See the summary. */
export const sysLogs = defineTool({
  name: "linux_sys_logs",
  title: "System log",
  summary: "Newest entries of the system log, filtered; times are UTC, secrets are masked.",
  toolset: "logs",
  effect: "read",
  input: () =>
    z.strictObject({
      unit: z.string().optional(),
      since: z.string().max(40).optional().describe("30m, 2h, today, or an ISO time"),
      priority: z.enum(PRIORITIES).optional().describe("this and worse"),
      grep: z.string().min(1).max(500).optional().describe("regular expression"),
      lines: z.int().min(1).max(500).default(100),
    }),
  output,
  render({ available, source, note, entries, total, truncated, handle }) {
    if (!available) return `No system log: ${note?.replace(/\.$/, "")}.`;
    const shown = entries.reduce((sum, { count }) => sum + count, 0);
    const parts = [
      source,
      total === 0 ? "no entries" : shown < total || truncated ? `newest ${shown} of ${total}` : `${total} entries`,
      handle !== null && restAt(handle),
      note,
    ];
    return [...entryLines(entries), metaLine(...parts)].join("\n");
  },
  async run({ unit, since, priority, grep, lines }, context) {
    const sinceSeconds = sinceOf(since), fits = textTest(grep);
    const query: LogQuery = {
      unit: unitOf(unit),
      sinceSeconds,
      maxPriority: priority === undefined ? null : PRIORITIES.indexOf(priority),
      maxEntries: sinceSeconds !== null || grep !== undefined ? MAX_READ : lines,
    };
    const log = await context.facts.logs(query);
    if (log.source === null) return { ...NOTHING, note: log.reason };
    const found = await select(log, query, fits, context.signal);
    const wanted = foldEntries(found.slice(-lines));
    const entries = newestWithin(wanted, bodyTokens(context.config));
    const isCut = found.length > lines || entries.length < wanted.length;
    return {
      available: true,
      source: log.source,
      ...noteOf(log, query),
      entries,
      total: found.length,
      truncated: isCut || log.cut,
      handle: isCut ? keepAll(found, context) : null,
    };
  },
});

const NOTHING = { available: false, source: null, entries: [], total: 0, truncated: false, handle: null };

function unitOf(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (UNIT.test(name)) return name;
  throw new OpsError(
    "INVALID_ARGUMENT",
    "'unit' is not a valid unit name",
    "Give a name such as ssh.service, without patterns.",
  );
}

function sinceOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const since = readSince(text, Date.now());
  if (since !== null) return since;
  throw new OpsError(
    "INVALID_ARGUMENT",
    `'since': '${text}' is not a valid time`,
    "Give for example 30m, 2h, 7d, today, yesterday, 2026-05-06 or 2026-05-06T12:00:00Z.",
  );
}

/** What fits the question, oldest first. The pattern sees masked text, or it could feel its way through a secret. */
async function select(
  log: HostText,
  query: LogQuery,
  fits: (text: string) => boolean,
  signal: AbortSignal,
): Promise<LogEntry[]> {
  const found: LogEntry[] = [], pause = makePacer(signal);
  for (const raw of inOrder(log, query)) {
    await pause();
    const entry = cleanEntry(raw);
    if (fits(entry.text)) found.push(entry);
  }
  return found;
}

/** The journal has answered the question, newest first; a log file knows nothing of it. */
function inOrder({ source, text }: HostText, { unit, sinceSeconds, maxEntries }: LogQuery): LogEntry[] {
  const entries = readLog(text, Date.now());
  if (source === "journal") return entries.reverse();
  const sinceMs = (sinceSeconds ?? -Infinity) * 1000;
  return entries.filter((entry) => (unit === null || isFromUnit(entry, unit)) && (entry.timeMs ?? Infinity) >= sinceMs)
    .slice(-maxEntries);
}

function noteOf({ source, reason, cut }: HostText, { maxPriority }: LogQuery): { note?: string } {
  const parts = [
    reason,
    source !== "journal" && maxPriority !== null ? "this file does not record priorities" : "",
    cut ? "older entries were not read" : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? {} : { note: parts.join("; ") };
}

/** A pattern without capitals fits every case. */
function textTest(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true;
  const test = compileTest(pattern);
  return ignoresCase(pattern) ? (text) => test(text.toLowerCase()) : test;
}

function keepAll(found: readonly LogEntry[], { handles, owner }: ToolContext): string | null {
  const payload = entryLines(foldEntries(found)).join("\n");
  return keepRest(() => handles.put({ kind: "logs", owner, payload }));
}
