/** A million recorded calls of one day, for tests and the benchmark of questions about them. @module */
import type { Prepare } from "../../src/sys/database.ts";

/** The end of that day. */
export const FILLED_AT: number = Date.UTC(2026, 4, 6, 7, 8, 30);
/** How many calls there are, and of how many tools. */
export const ROWS = 1_000_000, TOOLS = 25;
const HOUR_MS = 3_600_000, DAY_MS = 24 * HOUR_MS;

/** Hours for all, minutes only where the windows of this test begin. */
const MADE = [
  [3_600, FILLED_AT, 2 * DAY_MS],
  [60, FILLED_AT, 2 * HOUR_MS],
  [60, FILLED_AT - DAY_MS, 2 * HOUR_MS],
] as const;

/** A day of calls by one statement, and the counts of their hours and minutes by another. */
export function fillCalls(prepare: Prepare): void {
  prepare(
    `insert into calls (time_ms, tool, owner, agent_id, session_id, model, args_summary, status, error_code,
       duration_ms, tokens_in, tokens_out, truncated, bytes_out, correlation_id)
     with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
     select cast(? - ? + i * ? / ? as integer), 'linux_tool_' || (i % cast(? as integer)), 'o', 'a', 's', 'm',
       'path=src/file_' || i || '.ts',
       iif(i % 10 = 0, 'error', 'ok'), null, i % 97, 1, 1, 0, 1, 'c' from n`,
  ).run(ROWS, FILLED_AT, DAY_MS, DAY_MS, ROWS, TOOLS);
  for (const [span, since, length] of MADE) {
    prepare(
      `insert into call_rollups (span_s, start_s, tool, errors, durations)
       select ?1, start, tool, sum(errors), json_group_object(duration_ms, count) from (
         select cast(time_ms / 1000 / ?1 as integer) * cast(?1 as integer) as start, tool,
           cast(duration_ms as integer) as duration_ms, count(*) as count, sum(status = 'error') as errors
         from calls where abs(time_ms - ?2) < ?3 group by 1, 2, 3)
       group by start, tool`,
    ).run(span, since, length);
  }
}
