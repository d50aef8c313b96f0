import assert from "node:assert/strict";
import { humanDuration, readSince, settlesWithin, sleep, unlessAborted, within } from "../../src/core/time.ts";

const NOW = Date.UTC(2026, 4, 6, 12, 0, 30);
const at = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts) / 1000;

Deno.test("readSince reads spans, days, dates and times", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["30m", at(2026, 4, 6, 11, 30, 30)],
    ["2h ago", at(2026, 4, 6, 10, 0, 30)],
    ["1 day", at(2026, 4, 5, 12, 0, 30)],
    ["90 seconds ago", at(2026, 4, 6, 11, 59)],
    ["2W", at(2026, 3, 22, 12, 0, 30)],
    ["Today", at(2026, 4, 6)],
    ["yesterday", at(2026, 4, 5)],
    ["2026-05-06", at(2026, 4, 6)],
    ["2026-05-06 10:15", at(2026, 4, 6, 10, 15)],
    ["2026-05-06T10:15:20Z", at(2026, 4, 6, 10, 15, 20)],
    ["2026-05-06T10:15:20.123+0200", at(2026, 4, 6, 8, 15, 20)],
    ["2026-05-06t10:15:20-05:30", at(2026, 4, 6, 15, 45, 20)],
  ];
  for (const [text, seconds] of cases) assert.equal(readSince(text, NOW), seconds, text);
});

Deno.test("readSince refuses everything else", () => {
  for (
    const text of ["", "soon", "-1h", "1y", "2026-13-01", "2026-05-06T25:00", "@123", "--until=x", "1h; id", "9999999m"]
  ) {
    assert.equal(readSince(text, NOW), null, text);
  }
});

Deno.test("sleep rejects with the reason of its signal", async () => {
  const reason = new Error("enough"), controller = new AbortController();
  const asleep = sleep(60_000, controller.signal);
  controller.abort(reason);
  await assert.rejects(asleep, reason);
  await assert.rejects(sleep(60_000, controller.signal), reason);
});

Deno.test("within gives the result, the error, or what was agreed when it is late", async () => {
  const never = new Promise<string>(() => {});
  assert.equal(await within(Promise.resolve("done"), 60_000, "late"), "done");
  assert.equal(await within(never, 0, "late"), "late");
  await assert.rejects(within(Promise.reject(new Error("broken")), 60_000, "late"), /broken/);
});

Deno.test("settlesWithin is true for an error, too", async () => {
  assert.equal(await settlesWithin(Promise.reject(new Error("broken")), 60_000), true);
  assert.equal(await settlesWithin(new Promise(() => {}), 0), false);
});

Deno.test("unlessAborted leaves the work running", async () => {
  const work = Promise.withResolvers<string>(), controller = new AbortController();
  const waiting = unlessAborted(work.promise, controller.signal);
  controller.abort(new Error("gone"));
  await assert.rejects(waiting, /gone/);
  work.resolve("done");
  assert.equal(await work.promise, "done");
  assert.equal(await unlessAborted(work.promise, undefined), "done");
});

Deno.test("humanDuration shows the two largest units", () => {
  const cases: readonly (readonly [number, string])[] = [[59.9, "59s"], [60, "1m"], [3_600, "1h 0m"], [
    273_600,
    "3d 4h",
  ], [0, "0s"]];
  for (const [seconds, text] of cases) assert.equal(humanDuration(seconds), text);
});
