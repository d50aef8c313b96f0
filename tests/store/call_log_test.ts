import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { makeCallLog } from "../../src/store/call_log.ts";
import type { CallLog, TeRecord } from "../../src/store/calls.ts";
import { callOf, linesOf, openStore, startProgram, type TestStore, withDirectory } from "./support.ts";

const SECOND = 1_000, HOUR = 3_600_000, DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 4, 6, 7, 8, 30);
const code = (expected: string) => (error: unknown) => error instanceof OpsError && error.code === expected;

function withLog(
  test: (log: CallLog, store: TestStore, clock: { now: number }) => void,
  retentionDays = 0,
): () => Promise<void> {
  return withDirectory((dataDir) => {
    const clock = { now: NOW };
    using store = openStore({ dataDir, now: () => clock.now });
    const { database, warnings } = store;
    const warn = (message: string) => void warnings.push(message);
    test(makeCallLog({ database, retentionDays, now: () => clock.now, warn }), store, clock);
  });
}

Deno.test(
  "a record comes back with all that it had",
  withLog((log) => {
    const call = callOf({ timeMs: NOW, status: "error", errorCode: "NOT_FOUND", durationMs: 12.34, truncated: true });
    log.record(call);
    assert.deepEqual(log.recent({ maxResults: 10 }), [call]);
  }),
);

Deno.test(
  "recent calls come newest first, as many as asked, also within one millisecond",
  withLog((log) => {
    for (const [index, timeMs] of [NOW - 5, NOW, NOW - 3, NOW, NOW - 4].entries()) {
      log.record(callOf({ timeMs, correlationId: String(index) }));
    }
    assert.deepEqual(log.recent({ maxResults: 3 }).map(({ correlationId }) => correlationId), ["3", "1", "2"]);
    assert.deepEqual(log.recent({ maxResults: 3, tool: "linux_*" }).map((call) => call.correlationId), ["3", "1", "2"]);
  }),
);

Deno.test(
  "recent calls are picked by name or prefix, with dots or underscores, and by age",
  withLog((log) => {
    for (const [index, tool] of ["linux_fs_read", "linux_fs_list", "linux_fsx", "run_cmd", "linux_fs_read"].entries()) {
      log.record(callOf({ tool, timeMs: NOW - index * 60 * SECOND, correlationId: String(index) }));
    }
    const ids = (tool?: string, windowSeconds?: number) =>
      log.recent({
        maxResults: 9,
        ...(tool === undefined ? {} : { tool }),
        ...(windowSeconds ? { windowSeconds } : {}),
      })
        .map(({ correlationId }) => correlationId).join("");
    assert.equal(ids("linux.fs_read"), "04");
    assert.equal(ids("linux_fs_read"), "04");
    assert.equal(ids("linux.fs_*"), "014");
    assert.equal(ids("linux.*"), "0124");
    assert.equal(ids("*"), "01234");
    assert.equal(ids("linux_fs"), "");
    assert.equal(ids("%"), "");
    assert.equal(ids(undefined, 120), "012");
    assert.equal(ids("linux.*", 60), "01");
  }),
);

Deno.test(
  "usage gives count, errors and nearest-rank percentiles by tool",
  withLog((log) => {
    for (let durationMs = 100; durationMs >= 1; durationMs--) {
      log.record(callOf({ timeMs: NOW - durationMs, durationMs, status: durationMs % 25 ? "ok" : "error" }));
    }
    log.record(callOf({ timeMs: NOW, tool: "run_cmd", durationMs: 1_234 }));
    assert.deepEqual([...log.usage({ windowSeconds: 3_600 })], [
      ["linux_fs_read", { count: 100, errors: 4, p50Ms: 50, p95Ms: 95 }],
      ["run_cmd", { count: 1, errors: 0, p50Ms: 1_230, p95Ms: 1_230 }],
    ]);
    assert.deepEqual([...log.usage({ windowSeconds: 3_600, toolPrefix: "linux." }).keys()], ["linux_fs_read"]);
    assert.deepEqual([...log.usage({ windowSeconds: 3_600, toolPrefix: "run*" }).keys()], ["run_cmd"]);
  }),
);

Deno.test(
  "usage counts exactly the calls of its window, whatever its length",
  withLog((log, _store, clock) => {
    const ages: number[] = [];
    for (let ageMs = 0; ageMs <= DAY + HOUR; ageMs += 7_001 + Math.floor(ageMs / 60)) ages.push(ageMs);
    for (const ageMs of ages) log.record(callOf({ timeMs: NOW - ageMs, durationMs: ageMs % 50 }));
    for (const shiftMs of [0, 1, 29_999, 30_000, 51 * 60 * SECOND + 30_000]) {
      clock.now = NOW + shiftMs;
      for (const windowSeconds of [60, 61, 90, 119, 120, 600, 3_599, 3_600, 3_601, 5_000, 86_399, 86_400]) {
        const expected = ages.filter((ageMs) => ageMs + shiftMs <= windowSeconds * SECOND).length;
        const counted = log.usage({ windowSeconds }).get("linux_fs_read")?.count ?? 0;
        assert.equal(counted, expected, `window ${windowSeconds}, ${shiftMs} ms later`);
      }
    }
  }),
);

Deno.test(
  "nothing recorded is an empty answer, not an error",
  withLog((log) => {
    assert.deepEqual(log.recent({ maxResults: 10 }), []);
    assert.equal(log.usage({ windowSeconds: 60 }).size, 0);
    assert.deepEqual(log.teStats(60), []);
  }),
);

Deno.test(
  "retention removes old calls in batches and keeps the rest",
  withLog((log, _store, clock) => {
    for (let index = 0; index < 1_200; index++) log.record(callOf({ timeMs: NOW - 3 * DAY + index }));
    log.record(callOf({ timeMs: NOW - DAY }));
    assert.equal(log.prune(), true);
    assert.equal(log.recent({ maxResults: 5_000 }).length, 701);
    while (log.prune()) assert.ok(log.recent({ maxResults: 5_000 }).length > 1);
    assert.deepEqual(log.recent({ maxResults: 9 }).map(({ timeMs }) => timeMs), [NOW - DAY]);
    clock.now += DAY;
    assert.equal(log.usage({ windowSeconds: 86_400 }).size, 0);
  }, 2),
);

Deno.test(
  "a retention of 0 keeps every call",
  withLog((log) => {
    log.record(callOf({ timeMs: NOW - 4_000 * DAY }));
    assert.equal(log.prune(), false);
    assert.equal(log.recent({ maxResults: 9 }).length, 1);
  }),
);

Deno.test(
  "Tool Envelope events are counted by program and mode",
  withLog((log) => {
    const event: TeRecord = {
      timeMs: NOW,
      agentId: "a",
      sessionId: "s",
      model: "m",
      command: "LANG=C /usr/bin/rg -n foo",
      mode: "enriched",
      inputBytes: 1_000,
      outputBytes: 100,
      truncated: true,
      handle: "H_cmd_20260506T070830Z_aaaaaaaaaaaaaaaaaaaa",
      latencyMs: 10,
      error: null,
    };
    log.recordTe(event);
    log.recordTe({ ...event, latencyMs: 20, truncated: false, error: "TIMEOUT" });
    log.recordTe({ ...event, mode: "raw", command: "ls" });
    log.recordTe({ ...event, timeMs: NOW - 2 * HOUR });
    assert.deepEqual(log.teStats(3_600)[0], {
      program: "rg",
      mode: "enriched",
      count: 2,
      errors: 1,
      truncated: 1,
      inputBytes: 2_000,
      outputBytes: 200,
      avgLatencyMs: 15,
    });
    assert.deepEqual(log.teStats(3_600).map(({ program, mode }) => `${program} ${mode}`), ["rg enriched", "ls raw"]);
  }),
);

Deno.test("a data directory that cannot be used loses records with one warning, and says so to readers", async () => {
  await withDirectory((directory) => {
    Deno.writeTextFileSync(`${directory}/data`, "a file");
    using store = openStore({ dataDir: `${directory}/data`, now: () => NOW });
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => NOW, warn });
    for (let index = 0; index < 5; index++) log.record(callOf({ timeMs: NOW }));
    assert.equal(warnings.length, 1);
    assert.throws(() => log.recent({ maxResults: 1 }), code("STATS_BACKEND_UNAVAILABLE"));
    assert.throws(() => log.usage({ windowSeconds: 60 }), code("STATS_BACKEND_UNAVAILABLE"));
    assert.throws(() => log.teStats(60), code("STATS_BACKEND_UNAVAILABLE"));
    assert.equal(log.prune(), false);
  })();
});

Deno.test(
  "what a session has spent is added up by agent and session, within the window, and forgotten with the records",
  withLog((log, { database }, clock) => {
    const spend = (timeMs: number, outputTokens: number, sessionId = "S", agentId = "A") => {
      const rest = { model: "", command: "ls", mode: "raw", inputBytes: 1, outputBytes: 1, truncated: false } as const;
      log.recordTe({ ...rest, timeMs, agentId, sessionId, outputTokens, handle: null, latencyMs: 1, error: null });
    };
    const spent = (sessionId = "S", agentId = "A") => log.teTokens(agentId, sessionId, clock.now - DAY);
    assert.equal(spent(), 0);
    spend(NOW - 2 * DAY, 1);
    spend(NOW - HOUR, 10);
    spend(NOW, 100);
    spend(NOW, 1_000, "S", "other");
    spend(NOW, 10_000, "other");
    assert.deepEqual([spent(), spent("S", "other"), spent("other")], [110, 1_000, 10_000]);
    for (let index = 0; index < 3_000; index++) spend(NOW + 1, 1);
    assert.equal(spent(), 3_110);
    clock.now += DAY;
    assert.equal(spent(), 3_100, "the event of an hour before is out of the window");
    clock.now += 2;
    assert.equal(spent(), 0);
    spend(clock.now, 7);
    assert.equal(spent(), 7);

    // Numbers of forgotten records come again, for others.
    log.forget();
    assert.equal(spent(), 0);
    spend(clock.now, 5);
    assert.equal(spent(), 5);
    database.write((prepare) => prepare("delete from te_events").run());
    spend(clock.now, 9, "other");
    assert.deepEqual([spent(), spent("other")], [0, 9]);
  }),
);

Deno.test(
  "every record that a killed process acknowledged is there, and counted",
  withDirectory(async (dataDir) => {
    const child = startProgram("record_calls.ts", [dataDir, "linux_fs_read", "1000000"]);
    let acknowledged = 0;
    for await (const _number of linesOf(child)) if (++acknowledged === 200) child.kill("SIGKILL");
    assert.equal((await child.status).signal, "SIGKILL");
    using store = openStore({ dataDir });
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: Date.now, warn: assert.fail });
    const seen = new Set(log.recent({ maxResults: 1_000_000 }).map(({ argsSummary }) => argsSummary));
    for (let number = 0; number < acknowledged; number++) assert.ok(seen.has(`n=${number}`), `${number}`);
    assert.equal(log.usage({ windowSeconds: 86_400 }).get("linux_fs_read")?.count, seen.size);
  }),
);

Deno.test(
  "two processes record into the same log",
  withDirectory(async (dataDir) => {
    const children = ["one", "two"].map((tool) => startProgram("record_calls.ts", [dataDir, tool, "300"]));
    const outputs = await Promise.all(children.map((child) => child.output()));
    assert.ok(outputs.every(({ success }) => success));
    using store = openStore({ dataDir });
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: Date.now, warn: assert.fail });
    const counts = [...log.usage({ windowSeconds: 3_600 })].map(([tool, { count }]) => `${tool} ${count}`);
    assert.deepEqual(counts.sort(), ["one 300", "two 300"]);
    assert.equal(log.recent({ maxResults: 1_000 }).length, 600);
  }),
);

Deno.test(
  "the timeline counts calls and errors by minute over an hour and by hour over a day",
  withLog((log) => {
    log.record(callOf({ timeMs: NOW }));
    log.record(callOf({ timeMs: NOW - 40 * SECOND, tool: "run_cmd", status: "error", errorCode: "TIMEOUT" }));
    log.record(callOf({ timeMs: NOW - 50 * SECOND }));
    log.record(callOf({ timeMs: NOW - 3 * HOUR }));
    const minute = NOW - NOW % 60_000, hour = NOW - NOW % HOUR;
    assert.deepEqual(log.timeline(3_600), [
      { startMs: minute - 60_000, count: 2, errors: 1 },
      { startMs: minute, count: 1, errors: 0 },
    ]);
    assert.deepEqual(log.timeline(86_400), [
      { startMs: hour - 3 * HOUR, count: 1, errors: 0 },
      { startMs: hour, count: 3, errors: 1 },
    ]);
  }),
);

Deno.test(
  "forgetting leaves no record and no figure, and later calls are recorded",
  withLog((log) => {
    log.record(callOf({ timeMs: NOW - HOUR }));
    log.forget();
    assert.deepEqual(log.recent({ maxResults: 10 }), []);
    assert.equal(log.usage({ windowSeconds: 86_400 }).size, 0);
    log.record(callOf({ timeMs: NOW, correlationId: "later" }));
    assert.deepEqual(log.recent({ maxResults: 10 }).map(({ correlationId }) => correlationId), ["later"]);
  }),
);
