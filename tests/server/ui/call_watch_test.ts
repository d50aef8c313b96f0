import assert from "node:assert/strict";
import { watchCalls } from "../../../src/server/ui/call_watch.ts";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { makeTestApp } from "../../support/app.ts";

const CALLER = {
  owner: "test/session",
  session: { agentId: "tester", sessionId: "session", model: "none", budgetProfile: "default" },
  signal: new AbortController().signal,
};

Deno.test("a watched call is seen from its beginning to its end, and answers as it would unwatched", async () => {
  await using made = await makeTestApp({ files: { "a.txt": "one\ntwo\n" } });
  const watch = watchCalls(made.app.envelope, () => 7);
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
  const watch = watchCalls(made.app.envelope, () => 7);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  watch.subscribe(() => watch.running().length === 0 && resolve());
  const answer = await watch.envelope.call("linux_fs_read", { path: "missing" }, CALLER);
  await ended;
  assert.equal(watch.failed(answer.correlationId), true);
  assert.equal(watch.tokens().size, 0);
});
