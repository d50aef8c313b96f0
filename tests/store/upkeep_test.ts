import assert from "node:assert/strict";
import { makeCallLog } from "../../src/store/call_log.ts";
import { startUpkeep } from "../../src/store/upkeep.ts";
import { callOf, openStore, withDirectory } from "./support.ts";

Deno.test(
  "upkeep removes expired handles and all old calls, batch by batch, and can be stopped",
  withDirectory(async (dataDir) => {
    let now = Date.UTC(2026, 0, 1);
    using store = openStore({ dataDir, ttlHours: 1, now: () => now });
    const { database, handles } = store;
    const log = makeCallLog({ database, retentionDays: 1, now: () => now, warn: assert.fail });
    for (let index = 0; index < 1_100; index++) log.record(callOf({ timeMs: now }));
    handles.put({ kind: "cmd", owner: "a", payload: "x" });
    now += 2 * 86_400_000;
    log.record(callOf({ timeMs: now }));

    const done = Promise.withResolvers<void>();
    const prune = () => {
      const more = log.prune();
      if (!more) done.resolve();
      return more;
    };
    const stop = startUpkeep({ handles, calls: { prune }, journal: null, warn: assert.fail, intervalMs: 1 });
    await done.promise;
    stop();
    assert.equal(handles.usage().handles, 0);
    assert.equal(log.recent({ maxResults: 5_000 }).length, 1);
  }),
);
