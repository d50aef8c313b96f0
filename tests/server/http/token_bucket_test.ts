import assert from "node:assert/strict";
import { makeTokenBuckets } from "../../../src/server/http/token_bucket.ts";

function buckets(perSecond = 10, burst = 20, maxKeys = 100) {
  const clock = { ms: 1_000 };
  return { clock, ...wrap(makeTokenBuckets({ perSecond, burst, maxKeys, now: () => clock.ms })) };
}

function wrap(made: ReturnType<typeof makeTokenBuckets>) {
  return { take: (key: string, count?: number) => made.take(key, count), size: () => made.size };
}

Deno.test("makeTokenBuckets: a burst and then exactly the rate for a minute pass without a refusal", () => {
  const { clock, take } = buckets();
  for (let index = 0; index < 20; index++) assert.equal(take("a"), 0);
  for (let index = 0; index < 600; index++) {
    clock.ms += 100 + (index % 2 ? 9 : -9); // nobody sends to the millisecond
    assert.equal(take("a"), 0, `request ${index}`);
  }
});

Deno.test("makeTokenBuckets: bursts of twenty every two seconds pass", () => {
  const { clock, take } = buckets();
  for (let burst = 0; burst < 30; burst++) {
    for (let index = 0; index < 20; index++) assert.equal(take("a"), 0);
    clock.ms += 2_000;
  }
});

Deno.test("makeTokenBuckets: five times the rate gets the rate and is told how long to wait", () => {
  const { clock, take } = buckets();
  let passed = 0;
  for (let index = 0; index < 500; index++) {
    const waitMs = take("a");
    if (waitMs === 0) passed++;
    else assert.ok(waitMs > 0 && waitMs <= 100, `${waitMs}`);
    clock.ms += 20;
  }
  assert.ok(passed >= 119 && passed <= 122, `${passed} of 500 in 10 s`);
});

Deno.test("makeTokenBuckets: one key does not use up another's tokens", () => {
  const { take } = buckets(1, 1);
  while (take("a") === 0);
  assert.equal(take("b"), 0);
});

Deno.test("makeTokenBuckets: taking many at once is all or nothing", () => {
  const { take } = buckets(10, 5);
  assert.ok(take("a", 7) > 0);
  assert.equal(take("a", 6), 0);
  assert.ok(Math.abs(take("a", 3) - 300) < 1e-6);
});

Deno.test("makeTokenBuckets: remembers no more keys than it may", () => {
  const { take, size } = buckets(10, 20, 50);
  for (let index = 0; index < 500; index++) take(`k${index}`);
  assert.equal(size(), 50);
});

Deno.test("makeTokenBuckets: a second brings exactly what it promises, not a token less", () => {
  let nowMs = 0;
  const buckets = makeTokenBuckets({ perSecond: 1, burst: 0, maxKeys: 1, now: () => nowMs });
  assert.equal(buckets.take("a"), 0);
  assert.equal(buckets.take("a"), 1_000);
  nowMs = 1_000;
  assert.equal(buckets.take("a"), 0);
});

Deno.test("makeTokenBuckets: a wait within the bound takes ahead, and what was given back can be taken again", () => {
  const buckets = makeTokenBuckets({ perSecond: 10, burst: 0, maxKeys: 2, now: () => 0 });
  assert.equal(buckets.take("a"), 0);
  assert.equal(buckets.take("a", 1, 50), 100, "nothing was taken: the wait is too long");
  assert.equal(buckets.take("a", 1, 100), 100);
  assert.equal(buckets.take("a", 1, 100), 200, "the place in front is taken");
  buckets.giveBack("a", 1);
  assert.equal(buckets.take("a", 1, 100), 100);
  buckets.giveBack("unknown", 1);
  assert.equal(buckets.size, 1);
});
