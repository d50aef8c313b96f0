import assert from "node:assert/strict";
import { makeTestApp } from "../../../support/app.ts";

Deno.test("EXEC_CLI answers in its own shape, also by its other name", async () => {
  await using test = await makeTestApp({ files: { "src/a.txt": "" } });
  for (const name of ["EXEC_CLI", "execute_command"]) {
    const result = await test.result(name, { command: "ls", timeout: 5, working_directory: "src" });
    assert.deepEqual([result.stdout, result.stderr, result.exit_code, result.command, result.status], [
      "a.txt\n",
      "",
      0,
      "ls",
      "SUCCESS",
    ]);
    assert.equal(typeof result.execution_time, "number");
    assert.ok(Number(result.execution_time) < 5);
    assert.match(String(result.timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  assert.equal((await test.result("EXEC_CLI", { command: "ls", cwd: "src" })).stdout, "a.txt\n");
});

Deno.test("EXEC_CLI tells a failure from a timeout", async () => {
  await using test = await makeTestApp();
  const failed = await test.call("EXEC_CLI", { command: "ls missing" });
  assert.equal(failed.failed, true);
  assert.equal(Object(failed.result).status, "ERROR");
  const late = await test.result("EXEC_CLI", { command: "echo part; while :; do :; done", timeout: 0.3 });
  assert.deepEqual([late.status, late.exit_code, late.stdout, late.stderr], [
    "TIMEOUT",
    124,
    "part\n",
    "Command timed out\n",
  ]);
  assert.equal((await test.call("EXEC_CLI", { command: "sudo id" })).error?.code, "COMMAND_NOT_ALLOWED");
});
