/** Stores calls as rows, with queries that stay fast at a million rows. @module */
import { type Prepare } from "../sys/database.ts";
import type { CallRecord, CallSpan, ToolUsage } from "./calls.ts";
import { Durations, roundDuration } from "../core/durations.ts";
import { maybe, numberOf, type Row, textOf } from "./row.ts";

const MINUTE_S = 60, HOUR_S = 3_600, DAY_S = 86_400;
const COLUMNS = "time_ms, tool, owner, agent_id, session_id, model, args_summary, status, error_code, duration_ms, " +
  "tokens_in, tokens_out, truncated, bytes_out, correlation_id";

/** Adds a call to the rows and to the counts of its minute and its hour. */
export function insertCall(prepare: Prepare, call: CallRecord): void {
  prepare(`insert into calls (${COLUMNS}) values (${Array(15).fill("?")})`).run(
    call.timeMs,
    call.tool,
    call.owner,
    call.agentId,
    call.sessionId,
    call.model,
    call.argsSummary,
    call.status,
    call.errorCode,
    call.durationMs,
    call.tokensIn,
    call.tokensOut,
    Number(call.truncated),
    call.bytesOut,
    call.correlationId,
  );
  const seconds = Math.floor(call.timeMs / 1_000), duration = String(roundDuration(call.durationMs));
  for (const span of [MINUTE_S, HOUR_S]) {
    prepare(COUNT).run(span, seconds - seconds % span, call.tool, Number(call.status === "error"), duration);
  }
}

const COUNT = `insert into call_rollups (span_s, start_s, tool, errors, durations)
  values (?1, ?2, ?3, ?4, json_object(?5, 1))
  on conflict do update set errors = errors + excluded.errors, durations =
    json_set(durations, '$."' || ?5 || '"', coalesce(durations ->> ('$."' || ?5 || '"'), 0) + 1)`;

/** The newest calls, of all tools. */
export function newestCalls(prepare: Prepare, sinceMs: number, limit: number): CallRecord[] {
  const sql = `select ${COLUMNS} from calls where time_ms >= ? order by time_ms desc, id desc limit ?`;
  return prepare(sql).all(sinceMs, limit).map(toCall);
}

/** The newest calls of the tools whose name is or starts so: found in the index alone, then read. */
export function newestCallsOf(
  prepare: Prepare,
  tools: { readonly name: string } | { readonly prefix: string },
  sinceMs: number,
  limit: number,
): CallRecord[] {
  const sql = "select id, time_ms from calls where tool = ? and time_ms >= ? order by time_ms desc, id desc limit ?";
  const names = "name" in tools ? [tools.name] : toolsWith(prepare, tools.prefix);
  const found = names.flatMap((name) => prepare(sql).all(name, sinceMs, limit))
    .map((row) => ({ id: numberOf(row, "id"), timeMs: numberOf(row, "time_ms") }))
    .sort((left, right) => right.timeMs - left.timeMs || right.id - left.id);
  return found.slice(0, limit).flatMap(({ id }) => {
    const row = prepare(`select ${COLUMNS} from calls where id = ?`).get(id);
    return row ? [toCall(row)] : [];
  });
}

/** Names of the called tools that start so; jumps through the index from name to name. */
function toolsWith(prepare: Prepare, prefix: string): string[] {
  const sql = `with recursive names(tool) as (
      select min(tool) from calls where tool >= ?1
      union all
      select (select min(tool) from calls where tool > names.tool) from names where tool is not null and tool < ?2
    ) select tool from names where tool >= ?1 and tool < ?2`;
  return prepare(sql).all(prefix, `${prefix}\u{10ffff}`).map((row) => textOf(row, "tool"));
}

/** Figures by tool, the busiest first. */
export function usageSince(prepare: Prepare, sinceMs: number, prefix: string): Map<string, ToolUsage> {
  const figures = [...tallySince(prepare, sinceMs)].filter(([name]) => name.startsWith(prefix))
    .map(([name, tally]): [string, ToolUsage] => [name, figuresOf(tally)]);
  return new Map(figures.sort(([, left], [, right]) => right.count - left.count));
}

/** Figures of all tools together. */
export function overallSince(prepare: Prepare, sinceMs: number): ToolUsage {
  const all: Tally = { durations: new Durations(), errors: 0 };
  for (const { durations, errors } of tallySince(prepare, sinceMs).values()) {
    all.durations.merge(durations);
    all.errors += errors;
  }
  return figuresOf(all);
}

/** By tool: whole hours and minutes from their counts, the minute in which the window begins from its rows. */
function tallySince(prepare: Prepare, sinceMs: number): ReadonlyMap<string, Tally> {
  const since = sinceMs / 1_000;
  const minute = Math.ceil(since / MINUTE_S) * MINUTE_S, hour = Math.ceil(since / HOUR_S) * HOUR_S;
  const calls = prepare(
    "select tool, duration_ms, status = 'error' as errors from calls where time_ms >= ? and time_ms < ?",
  );
  const rollups = prepare(
    "select tool, durations, errors from call_rollups where span_s = ? and start_s >= ? and start_s < ?",
  );
  const tallies = new Map<string, Tally>();
  const add = (name: string, errors: number, counts: readonly (readonly [number, number])[]) => {
    const tally = tallies.get(name) ?? { durations: new Durations(), errors: 0 };
    tallies.set(name, tally);
    tally.errors += errors;
    for (const [durationMs, count] of counts) tally.durations.add(durationMs, count);
  };
  for (const row of calls.all(sinceMs, minute * 1_000)) {
    add(textOf(row, "tool"), numberOf(row, "errors"), [[numberOf(row, "duration_ms"), 1]]);
  }
  for (const row of [...rollups.all(MINUTE_S, minute, hour), ...rollups.all(HOUR_S, hour, Number.MAX_SAFE_INTEGER)]) {
    add(textOf(row, "tool"), numberOf(row, "errors"), countsOf(textOf(row, "durations")));
  }
  return tallies;
}

interface Tally {
  readonly durations: Durations;
  errors: number;
}

function figuresOf({ durations, errors }: Tally): ToolUsage {
  const [p50Ms = 0, p95Ms = 0] = durations.percentiles(0.5, 0.95);
  return { count: durations.count, errors, p50Ms, p95Ms };
}

/** Windows up to here are told by minute. */
const LONGEST_BY_MINUTE_S = 2 * HOUR_S;

/** Calls by minute or by hour, oldest first; the span in which the window begins is told whole. */
export function timelineSince(prepare: Prepare, sinceMs: number, nowMs: number): CallSpan[] {
  const span = nowMs - sinceMs > LONGEST_BY_MINUTE_S * 1_000 ? HOUR_S : MINUTE_S;
  const since = Math.floor(sinceMs / 1_000);
  const sql = `select start_s, sum(errors) as errors,
      sum((select sum(value) from json_each(call_rollups.durations))) as count
    from call_rollups where span_s = ? and start_s >= ? group by start_s order by start_s`;
  return prepare(sql).all(span, since - since % span).map((row) => ({
    startMs: numberOf(row, "start_s") * 1_000,
    count: numberOf(row, "count"),
    errors: numberOf(row, "errors"),
  }));
}

function countsOf(json: string): [durationMs: number, count: number][] {
  return Object.entries(JSON.parse(json)).map(([duration, count]) => [Number(duration), Number(count)]);
}

/** Removes up to so many calls before a time; returns how many. */
export function pruneCalls(prepare: Prepare, beforeMs: number, limit: number): number {
  const sql = "delete from calls where id in (select id from calls where time_ms < ? order by time_ms limit ?)";
  return Number(prepare(sql).run(beforeMs, limit).changes);
}

/** Removes counts that no window reaches any more. */
export function pruneRollups(prepare: Prepare, nowMs: number): void {
  const oldest = Math.floor(nowMs / 1_000) - DAY_S - HOUR_S;
  prepare("delete from call_rollups where span_s in (?, ?) and start_s < ?").run(MINUTE_S, HOUR_S, oldest);
}

function toCall(row: Row): CallRecord {
  return {
    timeMs: numberOf(row, "time_ms"),
    tool: textOf(row, "tool"),
    owner: textOf(row, "owner"),
    agentId: textOf(row, "agent_id"),
    sessionId: textOf(row, "session_id"),
    model: textOf(row, "model"),
    argsSummary: textOf(row, "args_summary"),
    status: textOf(row, "status") === "error" ? "error" : "ok",
    errorCode: maybe(row, "error_code", textOf),
    durationMs: numberOf(row, "duration_ms"),
    tokensIn: numberOf(row, "tokens_in"),
    tokensOut: numberOf(row, "tokens_out"),
    truncated: numberOf(row, "truncated") === 1,
    bytesOut: numberOf(row, "bytes_out"),
    correlationId: textOf(row, "correlation_id"),
  };
}
