import assert from "node:assert/strict";
import { Hono } from "hono";
import { rateGate } from "../../../../src/server/http/middleware/rate_gate.ts";
import { makeRateQueue } from "../../../../src/server/http/rate_queue.ts";
import type { Env } from "../../../../src/server/http/reply.ts";
import { makeTokenBuckets } from "../../../../src/server/http/token_bucket.ts";

/** A queue without places. */
function queueOf(buckets: ReturnType<typeof makeTokenBuckets>) {
  return makeRateQueue({ buckets, maxQueued: 0, closing: new AbortController().signal });
}

/** An app behind the gate. `x-token` names the token; none is a caller that is told apart by address. */
function gated({ burst = 1000, maxInFlight = 1000, maxStreams = 1000 }) {
  const dropped: string[] = [], ends: (() => void)[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const metrics = { rateLimited: (limit: string) => void dropped.push(limit) };
  const buckets = makeTokenBuckets({ perSecond: 0.001, burst: burst - 1, maxKeys: 10, now: () => 0 });
  const app = new Hono<Env>();
  app.use((context, next) => {
    const token = context.req.header("x-token");
    context.set("correlationId", "c");
    context.set("principal", token ?? `anonymous ${context.env.peer.address}`);
    return next();
  });
  app.use(rateGate({ queue: queueOf(buckets), maxInFlight, maxStreams, metrics }));
  app.get("/quick", () => new Response("quick"));
  app.get("/slow", async () => {
    await released;
    return new Response("slow");
  });
  app.get("/mcp", () => new Response("data: x\n\n", { headers: { "Content-Type": "text/event-stream" } }));
  const ask = async (path: string, token?: string, address = "192.0.2.1") => {
    const { promise: completed, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    const headers = token === undefined ? {} : { "x-token": token };
    return await app.request(path, { headers }, { peer: { address, completed } });
  };
  return { ask, dropped, release, ends };
}

Deno.test("rateGate: each token has a rate of its own, and callers without one have it by address", async () => {
  const { ask, dropped } = gated({ burst: 2 });
  const status = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;
  assert.deepEqual([await status("/quick", "a"), await status("/quick", "a"), await status("/quick", "a")], [
    200,
    200,
    429,
  ]);
  assert.equal(await status("/quick", "b"), 200);
  assert.deepEqual([await status("/quick"), await status("/quick"), await status("/quick")], [200, 200, 429]);
  assert.equal(await status("/quick", undefined, "192.0.2.2"), 200);
  assert.deepEqual(dropped, ["rate", "rate"]);
});

Deno.test("rateGate: says in whole seconds when a token may come again", async () => {
  const { ask } = gated({ burst: 1 });
  await ask("/quick", "a");
  const refused = await ask("/quick", "a");
  assert.equal(refused.headers.get("Retry-After"), "1000");
  assert.equal((await refused.json()).code, "RATE_LIMITED");
});

Deno.test("rateGate: bounds what is under way, and counts it only until it was answered", async () => {
  const { ask, dropped, release } = gated({ maxInFlight: 2 });
  const slow = [ask("/slow", "a"), ask("/slow", "a")];
  assert.equal((await ask("/quick", "a")).status, 429);
  assert.equal((await ask("/quick", "b")).status, 200);
  release();
  await Promise.all(slow);
  assert.equal((await ask("/quick", "a")).status, 200);
  assert.deepEqual(dropped, ["concurrency"]);
});

Deno.test("rateGate: a stream is not under way but counts as a stream until its end", async () => {
  const { ask, dropped, ends } = gated({ maxInFlight: 1, maxStreams: 2 });
  assert.deepEqual([(await ask("/mcp", "a")).status, (await ask("/mcp", "a")).status], [200, 200]);
  assert.equal((await ask("/mcp", "a")).status, 429);
  assert.equal((await ask("/quick", "a")).status, 200);
  ends[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal((await ask("/mcp", "a")).status, 200);
  assert.deepEqual(dropped, ["sessions"]);
});

Deno.test("rateGate: also a wait of less than a millisecond is a wait", async () => {
  const buckets = makeTokenBuckets({ perSecond: 2_000, burst: 0, maxKeys: 10, now: () => 0 });
  const app = new Hono<Env>();
  app.use((context, next) => {
    context.set("correlationId", "c");
    context.set("principal", "anonymous");
    return next();
  });
  app.use(rateGate({ queue: queueOf(buckets), maxInFlight: 9, maxStreams: 9, metrics: { rateLimited: () => {} } }));
  app.get("/", () => new Response("through"));
  const ask = async () => {
    const peer = { address: "192.0.2.1", completed: Promise.resolve() };
    return await app.request("/", {}, { peer });
  };
  assert.equal((await ask()).status, 200);
  const refused = await ask();
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("Retry-After"), "1");
});

Deno.test("rateGate: a bound of one lets one through", async () => {
  const { ask, ends } = gated({ maxStreams: 1, maxInFlight: 1 });
  const first = await ask("/mcp", "a");
  assert.equal(first.status, 200);
  assert.equal((await ask("/mcp", "a")).status, 429);
  assert.equal((await ask("/quick", "a")).status, 200);
  assert.equal((await ask("/mcp", "b")).status, 200);
  for (const end of ends) end();
});
