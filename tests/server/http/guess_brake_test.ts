import assert from "node:assert/strict";
import { makeGuessBrake } from "../../../src/server/http/guess_brake.ts";

function brake() {
  const clock = { ms: 0 }, slept: number[] = [];
  const made = makeGuessBrake({
    now: () => clock.ms,
    sleep(durationMs) {
      slept.push(durationMs);
      return Promise.resolve();
    },
  });
  return { clock, slept, brake: made.brake };
}

Deno.test("makeGuessBrake: the first mistakes cost nothing, then each waits longer, up to a bound", async () => {
  const { slept, brake: wrong } = brake();
  for (let index = 0; index < 12; index++) assert.equal(await wrong("192.0.2.1"), true);
  assert.deepEqual(slept.slice(0, 6), [100, 200, 400, 800, 1600, 2000]);
  assert.equal(Math.max(...slept), 2000);
});

Deno.test("makeGuessBrake: another address does not wait, another address of the same IPv6 network does", async () => {
  const { slept, brake: wrong } = brake();
  for (let index = 0; index < 6; index++) await wrong("2001:db8:1:2:3:4:5:6");
  slept.length = 0;
  await wrong("192.0.2.9");
  assert.deepEqual(slept, []);
  await wrong("2001:db8:1:2:ffff:1:2:3");
  assert.equal(slept.length, 1);
});

Deno.test("makeGuessBrake: a minute of quiet is forgiven", async () => {
  const { clock, slept, brake: wrong } = brake();
  for (let index = 0; index < 8; index++) await wrong("192.0.2.1");
  clock.ms += 60_001;
  slept.length = 0;
  await wrong("192.0.2.1");
  assert.deepEqual(slept, []);
});

Deno.test("makeGuessBrake: just less than a minute of quiet is not forgiven, and a minute is", async () => {
  for (const [quietMs, waits] of [[59_999, 1], [60_000, 0]] as const) {
    const { clock, slept, brake: wrong } = brake();
    for (let index = 0; index < 8; index++) await wrong("192.0.2.1");
    clock.ms += quietMs;
    slept.length = 0;
    await wrong("192.0.2.1");
    assert.equal(slept.length, waits, `${quietMs}`);
  }
});

Deno.test("makeGuessBrake: answers at once when too many of an address wait already", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { brake: wrong } = makeGuessBrake({ now: () => 0, sleep: () => promise });
  const asked = Array.from({ length: 20 }, () => wrong("192.0.2.1"));
  const refused = await Promise.all(asked.slice(11));
  assert.deepEqual(new Set(refused), new Set([false]));
  resolve();
  assert.deepEqual(await Promise.all(asked.slice(0, 11)), Array(11).fill(true));
});

Deno.test("makeGuessBrake: of too many addresses it forgets the one that was heard of longest ago", async () => {
  const { slept, brake: wrong } = brake();
  const guessFrom = async (address: string, times: number) => {
    for (let index = 0; index < times; index++) await wrong(address);
  };
  await guessFrom("192.0.2.1", 3);
  await guessFrom("192.0.2.2", 3);
  await guessFrom("192.0.2.1", 1);
  slept.length = 0;
  for (let index = 0; index < 4_095; index++) await wrong(`198.51.${index >> 8}.${index & 255}`);
  await guessFrom("192.0.2.1", 1);
  assert.deepEqual(slept, [200], "heard of again, so remembered");
  await guessFrom("192.0.2.2", 1);
  assert.deepEqual(slept, [200], "forgotten");
});
