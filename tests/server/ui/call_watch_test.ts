import assert from "node:assert/strict";
import { withoutMasking } from "../../../src/call/secrets.ts";
import { watchCalls } from "../../../src/server/ui/call_watch.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { makeKeptCalls } from "../../../src/server/ui/kept_calls.ts";
import { makeTestApp } from "../../support/app.ts";

const OPTIONS = {
  secrets: withoutMasking,
  epochMs: () => 7,
  newId: () => crypto.randomUUID(),
  keeps: true,
};
const CALLER = {
  owner: "test/session",
  session: { agentId: "tester", sessionId: "session", model: "none", budgetProfile: "default" },
  signal: new AbortController().signal,
};

Deno.test("a watched call is seen from its beginning to its end, and answers as it would unwatched", async () => {
  await using made = await makeTestApp({ files: { "a.txt": "one\ntwo\n" } });
  const watch = watchCalls(made.app.envelope, OPTIONS);
  const seen: number[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stop = watch.subscribe(() => {
    seen.push(watch.running().length);
    if (seen.length === 2) resolve();
  });
  const calling = watch.envelope.call("linux.fs_read", { path: "a.txt" }, CALLER);
  assert.deepEqual(
    watch.running().map(({ tool, argsSummary, agentId, startedMs }) => [tool, argsSummary, agentId, startedMs]),
    [
      ["linux.fs_read", "path=a.txt", "tester", 7],
    ],
  );
  const answer = await calling;
  await ended;
  assert.deepEqual(seen, [1, 0]);
  assert.equal(watch.failed(answer.correlationId), false);
  assert.equal(watch.failed("another"), undefined);
  assert.deepEqual(watch.tokens().get("linux_fs_read"), {
    sent: answer.tokens,
    full: estimateTokens(JSON.stringify(answer.result)),
  });
  stop();
});

Deno.test("a failed call is remembered as one and spares nothing", async () => {
  await using made = await makeTestApp();
  const watch = watchCalls(made.app.envelope, OPTIONS);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  watch.subscribe(() => watch.running().length === 0 && resolve());
  const answer = await watch.envelope.call("linux_fs_read", { path: "missing" }, CALLER);
  await ended;
  assert.equal(watch.failed(answer.correlationId), true);
  assert.equal(watch.tokens().size, 0);
});

Deno.test("a call is kept whole, from its beginning, with its answer and the handles that it names", async () => {
  await using made = await makeTestApp({ files: { "a.txt": "line\n".repeat(20_000) } });
  const watch = watchCalls(made.app.envelope, OPTIONS);
  const args = { path: "a.txt" }, caller = { ...CALLER, correlationId: "one" };
  const calling = watch.envelope.call("linux_fs_read", args, caller);
  assert.deepEqual(watch.kept("one").map((call) => [call.args, call.outcome]), [[args, null]]);
  const answer = await calling;
  const [kept] = watch.kept("one");
  assert.equal(kept?.outcome?.text, answer.text);
  assert.deepEqual(kept?.outcome?.handles, [Object(answer.result).handle]);
  assert.deepEqual(watch.kept("two"), []);
});

Deno.test("nothing is kept where the operator wants no records", async () => {
  await using made = await makeTestApp();
  const watch = watchCalls(made.app.envelope, { ...OPTIONS, keeps: false });
  await watch.envelope.call("linux_fs_read", { path: "a.txt" }, { ...CALLER, correlationId: "one" });
  assert.deepEqual(watch.kept("one"), []);
});

Deno.test("the memory of calls is bounded in number and size, and the oldest goes first", () => {
  const call = (correlationId: string, args: object) => ({
    correlationId,
    args,
    tool: "t",
    session: CALLER.session,
    startedMs: 0,
    outcome: null,
  });
  const kept = makeKeptCalls({ maxCalls: 3, maxChars: 100 });
  for (const [key, id] of ["a", "b", "c", "d"].entries()) kept.add(key, call(id, {}));
  assert.deepEqual(["a", "b", "c", "d"].map((id) => kept.of(id).length), [0, 1, 1, 1]);
  kept.add(4, call("big", { text: "x".repeat(80) }));
  kept.add(5, call("other", { text: "x".repeat(30) }));
  assert.deepEqual(["d", "big", "other"].map((id) => kept.of(id).length), [0, 0, 1]);
});
