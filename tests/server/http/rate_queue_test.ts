import assert from "node:assert/strict";
import { makeRateQueue } from "../../../src/server/http/rate_queue.ts";
import { makeTokenBuckets } from "../../../src/server/http/token_bucket.ts";

const HELD = new AbortController().signal;

/** A queue whose first request uses up the burst; its clock is still, so that each wait is exact. */
function queueOf({ perSecond = 1_000, maxQueued = 100 } = {}) {
  const closing = new AbortController();
  const buckets = makeTokenBuckets({ perSecond, burst: 0, maxKeys: 10, now: () => 0 });
  return { closing, queue: makeRateQueue({ buckets, maxQueued, closing: closing.signal }) };
}

Deno.test("makeRateQueue: requests over the rate pass in the order in which they came", async () => {
  const { queue } = queueOf();
  const order: number[] = [];
  const entered = Array.from({ length: 20 }, async (_, index) => {
    assert.equal(await queue.enter("a", 1, HELD), 0);
    order.push(index);
  });
  await Promise.all(entered);
  assert.deepEqual(order, Array.from({ length: 20 }, (_, index) => index));
});

Deno.test("makeRateQueue: one more than may wait is refused at once, and other keys are not held up", async () => {
  const { queue, closing } = queueOf({ perSecond: 0.1, maxQueued: 2 });
  assert.equal(await queue.enter("a", 1, HELD), 0);
  const waiting = [queue.enter("a", 1, HELD), queue.enter("a", 1, HELD)];
  assert.equal(await queue.enter("a", 1, HELD), 30_000);
  assert.equal(await queue.enter("b", 1, HELD), 0);
  closing.abort();
  for (const each of waiting) await assert.rejects(each, { code: "RATE_LIMITED" });
});

Deno.test("makeRateQueue: what would wait for longer than a client does is refused at once", async () => {
  const { queue } = queueOf({ perSecond: 0.01 });
  assert.equal(await queue.enter("a", 1, HELD), 0);
  assert.equal(await queue.enter("a", 1, HELD), 100_000);
});

Deno.test("makeRateQueue: a client that goes away gives its turn back", async () => {
  const { queue } = queueOf({ perSecond: 0.1, maxQueued: 1 });
  assert.equal(await queue.enter("a", 1, HELD), 0);
  const gone = new AbortController();
  const left = queue.enter("a", 1, gone.signal);
  assert.equal(await queue.enter("a", 1, HELD), 20_000);
  gone.abort();
  await assert.rejects(left, { code: "RATE_LIMITED" });
  const next = new AbortController();
  const waiting = queue.enter("a", 1, next.signal);
  assert.equal(await queue.enter("a", 1, HELD), 20_000, "the turn that was given back is taken again");
  next.abort();
  await assert.rejects(waiting, { code: "RATE_LIMITED" });
});
