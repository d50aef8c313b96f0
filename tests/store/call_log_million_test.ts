import assert from "node:assert/strict";
import { makeCallLog } from "../../src/store/call_log.ts";
import { fillCalls, FILLED_AT, ROWS, TOOLS } from "./million_calls.ts";
import { openStore, withDirectory } from "./support.ts";

Deno.test(
  "questions over a million records are answered right",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, now: () => FILLED_AT });
    store.database.write(fillCalls);
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => FILLED_AT, warn: assert.fail });
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
