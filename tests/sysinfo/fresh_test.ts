import assert from "node:assert/strict";
import { makeFresh } from "../../src/sysinfo/fresh.ts";

Deno.test("makeFresh reads again after the life of an answer, and after a failure", async () => {
  let reads = 0;
  const counted = makeFresh(() => Promise.resolve(++reads), 60_000);
  assert.deepEqual(await Promise.all([counted(), counted()]), [1, 1]);
  assert.equal(await counted(), 1);

  const expired = makeFresh(() => Promise.resolve(++reads), 0);
  assert.deepEqual([await expired(), await expired()], [2, 3]);

  let fails = true;
  const shaky = makeFresh(() => fails ? Promise.reject(new Error("not now")) : Promise.resolve("well"), 60_000);
  await assert.rejects(shaky(), /not now/);
  fails = false;
  assert.equal(await shaky(), "well");
});
