import assert from "node:assert/strict";
import { makeTestApp, type TestApp } from "../../support/app.ts";
import { holdTimers } from "../../support/clock.ts";

async function start(test: TestApp, args: Record<string, unknown>): Promise<string> {
  return String((await test.result("linux_proc_start", args)).proc_id);
}

Deno.test("linux.proc_start, send, read and stop drive a session", async () => {
  await using test = await makeTestApp();
  const started = await test.call("linux_proc_start", { command: "python3 -i -q -u", wait_ms: 50 });
  const id = started.text.match(/P_[a-z0-9]{12}/)?.[0];
  assert.ok(id, started.text);
  assert.equal((await test.call("linux_proc_send", { proc_id: id, input: "x = 6 * 7" })).text, "[sent]");
  assert.match((await test.call("linux_proc_send", { proc_id: id, input: "x", wait_for: "42" })).text, /42/);
  assert.deepEqual((await test.result("linux.proc_send", { proc_id: id, input: "y = 1" })).acknowledged, true);
  assert.match(
    (await test.call("linux_proc_read", { proc_id: id, timeout_ms: 50 })).text,
    /running, no new output|>>>/,
  );
  const stopped = await test.result("linux_proc_stop", { proc_id: id });
  assert.equal(stopped.state, "exited");
  assert.match((await test.call("linux_proc_read", { proc_id: id })).text, /ended by SIGTERM/);
  assert.equal((await test.result("linux_proc_stop", { proc_id: id })).state, "exited");
});

Deno.test("linux.proc_start shows the output of a program that ends at once, with its code", async () => {
  await using test = await makeTestApp();
  const id = await start(test, { command: "echo hi; exit 4" });
  const { text } = await test.call("linux_proc_read", { proc_id: id, offset: 0, wait_for_exit: true });
  assert.equal(text, "hi\n[exited 4]");
});

Deno.test("linux.proc_read answers no_such_process for what is unknown or another session's", async () => {
  await using test = await makeTestApp();
  assert.equal((await test.result("linux_proc_read", { proc_id: "P_none" })).state, "no_such_process");
  const id = await start(test, { command: "bash", wait_ms: 0 });
  const other = await test.call("linux_proc_read", { proc_id: id }, { owner: "someone/else" });
  assert.equal(other.text, "[no such process]");
  assert.equal(
    (await test.call("linux_proc_send", { proc_id: id, input: "x" }, { owner: "someone/else" })).error?.code,
    "PROCESS_NOT_FOUND",
  );
  await test.call("linux_proc_stop", { proc_id: id });
});

Deno.test("linux.proc_start gives a terminal with the size that was asked for", async () => {
  await using test = await makeTestApp();
  const id = await start(test, { command: "bash --norc", pty: true, rows: 11, cols: 77 });
  const sent = await test.call("linux_proc_send", { proc_id: id, input: "stty size", wait_for: "^11 77$" });
  assert.match(sent.text, /11 77/);
  assert.equal(Object(sent.result).read.matched, true);
  await test.call("linux_proc_stop", { proc_id: id });
});

Deno.test("linux.proc_start is refused beyond the cap, and when the operator switched it off", async () => {
  await using test = await makeTestApp({ settings: { "mcp.linux_ops.process_limits.max_procs_per_session": 1 } });
  const id = await start(test, { command: "bash", wait_ms: 0 });
  assert.equal((await test.call("linux_proc_start", { command: "bash" })).error?.code, "PROC_LIMIT_EXCEEDED");
  await test.call("linux_proc_stop", { proc_id: id });
  await using off = await makeTestApp({ settings: { "mcp.linux_ops.features.repl_enabled": false } });
  assert.equal((await off.call("linux_proc_start", { command: "bash" })).error?.code, "FEATURE_DISABLED");
});

Deno.test("a wait without a time lasts as long as the operator says", async () => {
  await using test = await makeTestApp({ settings: { "mcp.linux_ops.process_limits.default_timeout_sec": 1 } });
  const id = await start(test, { command: "bash", wait_ms: 0 });
  using wait = holdTimers(1_000);
  const read = test.call("linux_proc_read", { proc_id: id, wait_for: "never" });
  await wait.goOff();
  assert.match((await read).text, /has not matched/);
  await test.call("linux_proc_stop", { proc_id: id });
});
