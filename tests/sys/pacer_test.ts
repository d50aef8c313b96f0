import assert from "node:assert/strict";
import { makePacer, sortPaced } from "../../src/sys/pacer.ts";
import { makeRandom } from "../support/random.ts";

Deno.test("sortPaced orders as sort does, equal items in their order", async () => {
  const random = makeRandom(7), pacer = makePacer(new AbortController().signal);
  for (const length of [0, 1, 2_047, 2_048, 2_049, 10_000]) {
    const items = Array.from({ length }, (_, at) => ({ key: random.below(500), at }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    assert.deepEqual(await sortPaced(items, compare, pacer), items.toSorted(compare), `${length} items`);
  }
});

Deno.test("sortPaced ends with the reason of the signal", async () => {
  const pacer = makePacer(AbortSignal.abort("left"));
  await assert.rejects(sortPaced([2, 1], (a, b) => a - b, pacer), (reason) => reason === "left");
});
