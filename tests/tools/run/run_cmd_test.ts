import assert from "node:assert/strict";
import { makeTestApp } from "../../support/app.ts";
import { holdTimers } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";

Deno.test("run_cmd answers with plain output and nothing else when all went well", async () => {
  await using test = await makeTestApp({ files: { "a.txt": "one\ntwo\n" } });
  const answer = await test.call("run_cmd", { command: "cat a.txt" });
  assert.match(answer.text, /^one\ntwo(\n\[not confined\])?$/);
  assert.equal(answer.failed, false);
  const result = await test.result("run_cmd", { command: "cat a.txt" });
  assert.deepEqual([
    result.stdout,
    result.stderr,
    result.exit_code,
    result.timed_out,
    result.truncated,
    result.handle,
    result.state,
  ], [
    "one\ntwo\n",
    "",
    0,
    false,
    false,
    null,
    "exited",
  ]);
});

Deno.test("run_cmd marks a failure, and shows the error stream and the exit code", async () => {
  await using test = await makeTestApp();
  const answer = await test.call("run_cmd", { command: "echo out; echo err >&2; exit 3" });
  assert.match(answer.text, /^out\n\[stderr\]\nerr\n\[exit 3/);
  assert.equal(answer.failed, true);
  assert.equal(answer.error, undefined);
});

Deno.test("run_cmd says when there was no output", async () => {
  await using test = await makeTestApp();
  assert.match((await test.call("run_cmd", { argv: ["sh", "-c", ":"] })).text, /no output/);
});

Deno.test("run_cmd that finds nothing is no failure", async () => {
  await using test = await makeTestApp({ files: { "a.txt": "x\n" } });
  const answer = await test.call("run_cmd", { command: "grep zzz a.txt" });
  assert.equal(answer.failed, false);
  assert.match(answer.text, /exit 1/);
});

Deno.test("run_cmd names the handle of a long output, which linux_handle_read reads", async () => {
  await using test = await makeTestApp();
  const answer = await test.call("run_cmd", { command: `python3 -c 'for i in range(100000): print("line", i)'` });
  const handle = answer.text.match(/linux_handle_read (H_cmd_\S+) offset 0/)?.[1];
  assert.ok(handle, answer.text.slice(-200));
  assert.ok(answer.tokens <= 8_000, `${answer.tokens} tokens`);
  assert.match(answer.text, /line 0\n[\s\S]*lines left out[\s\S]*line 99999\n/);
  assert.match((await test.call("linux_handle_read", { handle, offset: 50_000, limit: 1 })).text, /line 50000/);
});

Deno.test("run_cmd stops at its timeout in seconds and keeps the output so far", async () => {
  await using test = await makeTestApp();
  using deadline = holdTimers(31_000);
  const called = test.call("run_cmd", { command: "echo before; echo >ready; while :; do :; done", timeout: 31 });
  await eventually(() => Deno.stat(`${test.root}/ready`));
  await deadline.goOff();
  const answer = await called;
  assert.match(answer.text, /^before\n\[timed out after \d/);
  assert.equal(answer.failed, true);
  assert.equal((await test.result("run_cmd", { command: "while :; do :; done", timeout: "0.3" })).exit_code, 124);
});

Deno.test("run_cmd answers before clients cut the call, and later where the client listens to progress", async () => {
  await using test = await makeTestApp({ settings: { "mcp.tools.allow_outbound_network": false } });
  const command = "echo before; echo >ready; while :; do :; done";
  for (
    const [patience, timerMs, shown] of [["brief", 45_000, /still running/], [
      "listening",
      90_000,
      /timed out/,
    ]] as const
  ) {
    using timer = holdTimers(timerMs);
    const called = test.call("run_cmd", { command, timeout: 90 }, { patience });
    await eventually(() => Deno.stat(`${test.root}/ready`));
    await timer.goOff();
    const { text } = await called;
    assert.match(text, shown);
    const proc_id = text.match(/P_\w+/)?.[0];
    if (proc_id) await test.call("linux_proc_stop", { proc_id });
    await Deno.remove(`${test.root}/ready`);
  }
});

Deno.test("the record of a call names the programs of its command", async () => {
  await using test = await makeTestApp({ files: { "a.txt": "b\na\n" } });
  await test.call("run_cmd", { command: "cat a.txt | sort | head -1" });
  const proc_id = String(
    (await test.result("linux_proc_start", { command: "sort a.txt && bash", wait_ms: 0 })).proc_id,
  );
  await test.call("linux_proc_stop", { proc_id });
  const { records } = await test.result("linux_mcp_recent_calls", {}) as { records: { args_summary: string }[] };
  const summaries = records.map(({ args_summary }) => args_summary).reverse();
  assert.equal(summaries[0], 'command="cat a.txt | sort | head -1" (bash cat sort head)');
  assert.match(summaries[1] ?? "", / \(bash sort\)$/);
});

Deno.test("run_cmd from the command line ends at the default timeout: nothing goes on after it", async () => {
  await using test = await makeTestApp({ settings: { "mcp.tools.exec_timeout": 31 } });
  using deadline = holdTimers(31_000);
  const called = test.call("run_cmd", { command: "echo >ready; while :; do :; done" }, { patience: "to the end" });
  await eventually(() => Deno.stat(`${test.root}/ready`));
  await deadline.goOff();
  assert.match((await called).text, /timed out after/);
});

Deno.test("run_cmd passes input, directory and variables on", async () => {
  await using test = await makeTestApp({ files: { "src/x": "" } });
  const args = { command: "cat; pwd; echo $A", cwd: "src", stdin: "in\n", env: { A: "1" } };
  assert.equal((await test.result("run_cmd", args)).stdout, `in\n${test.root}/src\n1\n`);
});

Deno.test("run_cmd explains a refusal", async () => {
  await using test = await makeTestApp();
  for (
    const [args, code] of [
      [{ command: "sudo id" }, "COMMAND_NOT_ALLOWED"],
      [{ command: "ls; sudo id" }, "COMMAND_NOT_ALLOWED"],
      [{ command: "ls", cwd: "/etc" }, "INVALID_PATH"],
      [{ command: "ls", env: { LLMC_PROC: "x" } }, "COMMAND_NOT_ALLOWED"],
      [{}, "INVALID_ARGUMENT"],
      [{ command: "ls", timeout: 100_000 }, "INVALID_ARGUMENT"],
      [{ command: "ls", shell: true }, "INVALID_ARGUMENT"],
    ] as const
  ) {
    const { error, text } = await test.call("run_cmd", args);
    assert.equal(error?.code, code, text);
  }
});

Deno.test("run_cmd is off where the operator switched it off", async () => {
  await using off = await makeTestApp({ settings: { "mcp.tools.enable_run_cmd": false } });
  assert.equal((await off.call("run_cmd", { command: "ls" })).error?.code, "FEATURE_DISABLED");
  await using readOnly = await makeTestApp({ settings: { "mcp.read_only": true } });
  assert.equal((await readOnly.call("run_cmd", { command: "ls" })).error?.code, "FEATURE_DISABLED");
});

Deno.test("run_cmd ends its program when the caller cancels", async () => {
  await using test = await makeTestApp();
  const controller = new AbortController(), command = "echo >ready; while :; do :; done";
  const called = test.call("run_cmd", { command, timeout: 600 }, { signal: controller.signal });
  await eventually(() => Deno.stat(`${test.root}/ready`));
  controller.abort(new DOMException("cancelled", "AbortError"));
  assert.ok((await called).error, "it is answered long before its deadline");
  while (test.app.services.programs.running > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});
