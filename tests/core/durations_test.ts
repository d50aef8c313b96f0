import assert from "node:assert/strict";
import { Durations, roundDuration } from "../../src/core/durations.ts";

Deno.test("durations are rounded to at most half a percent above 10 ms", () => {
  const pairs = [[-1, 0], [0, 0], [0.04, 0], [0.26, 0.3], [9.94, 9.9], [10.4, 10], [999.4, 999], [1_234, 1_230]];
  for (const [durationMs = 0, rounded] of pairs) assert.equal(roundDuration(durationMs), rounded);
  assert.equal(roundDuration(NaN), 0);
  for (let durationMs = 10; durationMs < 1e7; durationMs *= 1.0137) {
    const bound = durationMs < 100 ? 0.5 : Math.max(0.5, durationMs * 0.0051);
    assert.ok(Math.abs(roundDuration(durationMs) - durationMs) <= bound, String(durationMs));
  }
});

Deno.test("percentiles are nearest rank", () => {
  const durations = new Durations();
  assert.deepEqual(durations.percentiles(0.5), [0]);
  durations.add(7);
  assert.deepEqual(durations.percentiles(0, 0.5, 0.95, 1), [7, 7, 7, 7]);
  durations.add(100, 19);
  assert.deepEqual(durations.percentiles(0.05, 0.06, 1), [7, 100, 100]);
});

Deno.test("counts up to bounds, sums and merges are exact", () => {
  const left = new Durations(), right = new Durations();
  left.add(1.25);
  right.add(20, 3);
  left.merge(right);
  assert.deepEqual([left.count, left.sumMs, left.atMost([1, 1.3, 20, 60])], [4, 61.25, [0, 1, 4, 4]]);
});
