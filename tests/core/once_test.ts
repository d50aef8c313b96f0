import assert from "node:assert/strict";
import { once, onceDone } from "../../src/core/once.ts";

Deno.test("once: makes a value once, also one that is nothing", () => {
  let made = 0;
  const get = once(() => void made++);
  get();
  get();
  assert.equal(made, 1);
});

Deno.test("onceDone: all share one success; a failure is told to those who asked, and is tried again", async () => {
  let tries = 0;
  const get = onceDone(async () => {
    await Promise.resolve();
    if (++tries === 1) throw new Error("not yet");
    return tries;
  });
  const first = await Promise.allSettled([get(), get()]);
  assert.deepEqual(first.map(({ status }) => status), ["rejected", "rejected"]);
  assert.deepEqual(await Promise.all([get(), get(), get()]), [2, 2, 2]);
  assert.equal(tries, 2);
});
