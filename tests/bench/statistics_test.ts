import assert from "node:assert/strict";
import { summarise } from "../../bench/measure/statistics.ts";

Deno.test("a summary has the middle, the tail and the best of its samples", () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual(summarise(samples), { median: 50.5, p95: 96, min: 1, samples: 100 });
  assert.deepEqual(summarise([3, 1, 2]), { median: 2, p95: 3, min: 1, samples: 3 });
});

Deno.test("a summary of nothing is refused", () => {
  assert.throws(() => summarise([]), /no samples/);
});
