import assert from "node:assert/strict";
import { makeTurnstile } from "../../src/core/turnstile.ts";

const NEVER = new AbortController().signal;

Deno.test("Turnstile runs no more jobs at once than it has places, in the order they came", async () => {
  const turnstile = makeTurnstile(2), started: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const jobs = gates.map(({ promise }, index) =>
    turnstile.pass(() => {
      started.push(index);
      return promise;
    }, NEVER)
  );
  await Promise.resolve();
  assert.deepEqual(started, [0, 1]);
  gates[1]?.resolve();
  await jobs[1];
  assert.deepEqual(started, [0, 1, 2]);
  for (const { resolve } of gates) resolve();
  await Promise.all(jobs);
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
});

Deno.test("Turnstile frees the place of a job that fails", async () => {
  const turnstile = makeTurnstile(1);
  await assert.rejects(turnstile.pass(() => Promise.reject(new Error("failed")), NEVER), { message: "failed" });
  assert.equal(await turnstile.pass(() => Promise.resolve("next"), NEVER), "next");
});

Deno.test("Turnstile lets a waiting job give up without using a place", async () => {
  const turnstile = makeTurnstile(1), gate = Promise.withResolvers<void>(), stop = new AbortController();
  const first = turnstile.pass(() => gate.promise, NEVER);
  const second = turnstile.pass(() => Promise.resolve("never"), stop.signal);
  stop.abort(new Error("gave up"));
  await assert.rejects(second, { message: "gave up" });
  gate.resolve();
  await first;
  assert.equal(await turnstile.pass(() => Promise.resolve("free"), NEVER), "free");
  await assert.rejects(turnstile.pass(() => Promise.resolve(), stop.signal), { message: "gave up" });
});
