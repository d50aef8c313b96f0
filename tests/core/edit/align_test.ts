import assert from "node:assert/strict";
import { align } from "../../../src/core/edit/align.ts";
import { makeRandom } from "../../support/random.ts";

/** Length of the longest common subsequence, by the textbook table. */
function commonLength(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const one of a) {
    const above = row;
    row = [0];
    for (const [at, other] of b.entries()) {
      row.push(one === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0));
    }
  }
  return row.at(-1) ?? 0;
}

Deno.test("align pairs as many equal elements as can be paired in order", () => {
  const random = makeRandom(3);
  for (let round = 0; round < 5000; round++) {
    const list = () => Array.from({ length: random.below(15) }, () => random.below(4));
    const [a, b] = [list(), list()];
    const pairs = align(a, b);
    for (const [at, [x, y]] of pairs.entries()) {
      assert.equal(a[x], b[y]);
      const [beforeX = -1, beforeY = -1] = pairs[at - 1] ?? [];
      assert(x > beforeX && y > beforeY);
    }
    assert.equal(pairs.length, commonLength(a, b), JSON.stringify([a, b]));
  }
});

Deno.test("align gives up on the middle of what has little in common, not on its ends", () => {
  const a = [1, ...Array.from({ length: 5000 }, (_, at) => 10 + at), 2];
  const b = [1, ...Array.from({ length: 5000 }, (_, at) => -10 - at), 2];
  assert.deepEqual(align(a, b), [[0, 0], [5001, 5001]]);
});
