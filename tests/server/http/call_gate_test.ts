import type { Answer, Caller } from "../../../src/call/answer.ts";
import assert from "node:assert/strict";
import { gateCalls } from "../../../src/server/http/call_gate.ts";
import type { Envelope } from "../../../src/call/pipeline.ts";

/** An envelope whose calls end when the test says so: the stand-in for tools that take their time. */
function slowEnvelope() {
  const running: { name: string; end: () => void }[] = [];
  let most = 0;
  const envelope: Envelope = {
    async call(name, _args, caller): Promise<Answer> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { name, end: resolve };
      running.push(entry);
      most = Math.max(most, running.length);
      await promise;
      running.splice(running.indexOf(entry), 1);
      return {
        tool: name,
        correlationId: caller.correlationId ?? "",
        text: "done",
        failed: false,
        record: false,
        truncated: false,
        durationMs: 1,
        tokens: 1,
      };
    },
  };
  return { envelope, running, most: () => most };
}

function caller(owner: string, signal = new AbortController().signal): Caller {
  return {
    owner,
    session: { agentId: "a", sessionId: "s", model: "m", budgetProfile: "b" },
    signal,
    correlationId: "c",
  };
}

function gate(concurrency: number, queue: number) {
  const slow = slowEnvelope(), dropped: string[] = [];
  const metrics = { rateLimited: (limit: string) => void dropped.push(limit) };
  return { ...slow, dropped, gated: gateCalls(slow.envelope, { concurrency, queue, metrics, newId: () => "new" }) };
}

/** Lets everything that is ready go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("gateCalls: runs at most so many calls of one token, over all its sessions, and the rest in order", async () => {
  const { gated, running, most } = gate(2, 10);
  const calls = ["1", "2", "3", "4", "5"].map((name) => gated.call(name, {}, caller(`token/${name}`)));
  const order: string[] = [];
  await turn();
  for (let index = 0; index < 5; index++) {
    const [first] = running;
    assert.ok(first);
    order.push(first.name);
    first.end();
    await calls[index];
    await turn();
  }
  assert.deepEqual(order, ["1", "2", "3", "4", "5"]);
  assert.equal(most(), 2);
  assert.equal(gated.running(), 0);
});

Deno.test("gateCalls: fewer places are in force at once, also while calls wait", async () => {
  const { envelope, running } = slowEnvelope();
  const options = { concurrency: 3, queue: 10, metrics: { rateLimited: () => {} }, newId: () => "new" };
  const gated = gateCalls(envelope, options);
  const calls = ["1", "2", "3", "4", "5"].map((name) => gated.call(name, {}, caller("token/s")));
  await turn();
  options.concurrency = 1;
  const seen: number[] = [];
  for (let ended = 0; ended < 5; ended++) {
    seen.push(running.length);
    running[0]?.end();
    await turn();
  }
  await Promise.all(calls);
  assert.deepEqual(seen, [3, 2, 1, 1, 1]);
});

Deno.test("gateCalls: refuses at once what neither runs nor may wait, with a code, a hint and a count", async () => {
  const { gated, running, dropped } = gate(1, 1);
  const first = gated.call("1", {}, caller("t/s")), second = gated.call("2", {}, caller("t/s"));
  const { error, text, tokens, ...rest } = await gated.call("3", {}, caller("t/s"));
  assert.equal(error?.code, "RATE_LIMITED");
  assert.ok(error.hint && error.correlation_id === "c");
  assert.ok(text.startsWith("RATE_LIMITED: 1 calls of this token") && tokens > 5);
  assert.deepEqual(rest, {
    tool: "3",
    correlationId: "c",
    failed: true,
    record: false,
    truncated: false,
    durationMs: 0,
  });
  assert.deepEqual(dropped, ["concurrency"]);
  await turn();
  running[0]?.end();
  await first;
  await turn();
  running[0]?.end();
  assert.equal((await second).text, "done");
});

Deno.test("gateCalls: a busy token does not hold up another", async () => {
  const { gated, running } = gate(1, 5);
  const busy = gated.call("busy", {}, caller("ta/s")), waiting = gated.call("waiting", {}, caller("ta/s"));
  const other = gated.call("other", {}, caller("tb/s"));
  await turn();
  assert.deepEqual(running.map(({ name }) => name), ["busy", "other"]);
  for (const { end } of [...running]) end();
  await Promise.all([busy, other]);
  await turn();
  running[0]?.end();
  await waiting;
});

Deno.test("gateCalls: a caller that goes away while it waits leaves its place, and nobody's turn is lost", async () => {
  const { gated, running } = gate(1, 5);
  const gone = new AbortController();
  const first = gated.call("first", {}, caller("t/s"));
  const leaving = gated.call("leaving", {}, caller("t/s", gone.signal));
  const last = gated.call("last", {}, caller("t/s"));
  await turn();
  gone.abort();
  assert.equal((await leaving).error?.code, "RATE_LIMITED");
  running[0]?.end();
  await first;
  await turn();
  assert.deepEqual(running.map(({ name }) => name), ["last"]);
  running[0]?.end();
  await last;
  assert.equal(gated.running(), 0);
});

Deno.test("gateCalls: a turn that comes in the moment of leaving is passed on", async () => {
  const { gated, running } = gate(1, 5);
  const gone = new AbortController();
  const first = gated.call("first", {}, caller("t/s"));
  const leaving = gated.call("leaving", {}, caller("t/s", gone.signal));
  const last = gated.call("last", {}, caller("t/s"));
  await turn();
  running[0]?.end();
  gone.abort(); // before the turn is handed over
  await Promise.all([first, leaving]);
  await turn();
  running[0]?.end();
  assert.equal((await last).text, "done");
  assert.equal(gated.running(), 0);
});
