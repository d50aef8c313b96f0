import assert from "node:assert/strict";
import { makeCallLog } from "../../src/store/call_log.ts";
import type { Prepare } from "../../src/sys/database.ts";
import { openStore, withDirectory } from "./support.ts";

const NOW = Date.UTC(2026, 4, 6, 7, 8, 30);
const ROWS = 1_000_000, TOOLS = 25, HOUR_MS = 3_600_000, DAY_MS = 24 * HOUR_MS;

/** Hours for all, minutes only where the windows of this test begin. */
const MADE = [[3_600, NOW, 2 * DAY_MS], [60, NOW, 2 * HOUR_MS], [60, NOW - DAY_MS, 2 * HOUR_MS]] as const;

/** A day of calls by one statement, and the counts of their hours and minutes by another. */
function fill(prepare: Prepare): void {
  prepare(
    `insert into calls (time_ms, tool, owner, agent_id, session_id, model, args_summary, status, error_code,
       duration_ms, tokens_in, tokens_out, truncated, bytes_out, correlation_id)
     with recursive n(i) as (select 0 union all select i + 1 from n where i < ? - 1)
     select cast(? - ? + i * ? / ? as integer), 'linux_tool_' || (i % cast(? as integer)), 'o', 'a', 's', 'm',
       'path=src/file_' || i || '.ts',
       iif(i % 10 = 0, 'error', 'ok'), null, i % 97, 1, 1, 0, 1, 'c' from n`,
  ).run(ROWS, NOW, DAY_MS, DAY_MS, ROWS, TOOLS);
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

Deno.test(
  "questions over a million records are answered right",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, now: () => NOW });
    store.database.write(fill);
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => NOW, warn: assert.fail });
    const hour = log.usage({ windowSeconds: 3_600 });
    const day = log.usage({ windowSeconds: 86_400 });
    const count = (usage: typeof day) => [...usage.values()].reduce((sum, tool) => sum + tool.count, 0);
    assert.deepEqual([day.size, count(day)], [TOOLS, ROWS]);
    assert.ok(Math.abs(count(hour) - ROWS / 24) < 2);
    for (const { p50Ms, p95Ms } of day.values()) assert.deepEqual([p50Ms, p95Ms], [48, 92]);

    assert.equal(log.recent({ maxResults: 200 }).length, 200);
    const ofAll = log.recent({ maxResults: 200, tool: "linux.*" });
    assert.ok(
      ofAll.length === 200 &&
        ofAll.every((call, index) => index === 0 || call.timeMs <= (ofAll[index - 1]?.timeMs ?? 0)),
    );
    const ofOne = log.recent({ maxResults: 200, tool: "linux.tool_7" });
    assert.ok(ofOne.length === 200 && ofOne.every(({ tool }) => tool === "linux_tool_7"));
    assert.deepEqual(log.recent({ maxResults: 200, tool: "other*" }), []);
    log.prune();
  }),
);
