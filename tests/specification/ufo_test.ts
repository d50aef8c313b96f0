/** EXEC_CLI and SYS_INFO, row by row. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox } from "../support/binary.ts";
import { specification } from "./table.ts";

specification("UFO: EXEC_CLI and SYS_INFO", { files: { "logs/app.log": "ok\nerror: disk\n" } }, [
  ["003-1b", "EXEC_CLI answers with the structure of the specification", async ({ ok }) => {
    const { execution_time, timestamp, ...rest } = await ok("EXEC_CLI", { command: "echo hi" });
    assert.deepEqual([typeof execution_time, typeof timestamp, rest], ["number", "string", {
      stdout: "hi\n",
      stderr: "",
      exit_code: 0,
      command: "echo hi",
      status: "SUCCESS",
    }]);
  }],
  ["003-1c", "EXEC_CLI: TIMEOUT is 124 and says so", async ({ ok }) => {
    const { status, exit_code, stderr } = await ok("EXEC_CLI", { command: "sleep 9", timeout: 0.2 });
    assert.deepEqual([status, exit_code, stderr], ["TIMEOUT", 124, "Command timed out\n"]);
  }],
  ["003-1e", "EXEC_CLI: 128 and the signal", async ({ ok }) => {
    assert.equal((await ok("EXEC_CLI", { command: "sh -c 'kill -9 $$'" })).exit_code, 137);
  }],
  ["003-1i", "df says that it sees the sandbox, and where the disks are", async ({ text }) => {
    assert.match(await text("run_cmd", { command: "df -h" }), /linux_sys_info disk/);
  }],
  ["003-1k", "EXEC_CLI does not leave the roots", async ({ refused }) => {
    assert.equal(await refused("EXEC_CLI", { command: "pwd", cwd: "/etc" }), "INVALID_PATH");
  }],
  ["003-2", "SYS_INFO knows six kinds", async ({ ok }) => {
    for (const info_type of ["memory", "disk", "cpu", "network", "hardware", "os"]) await ok("SYS_INFO", { info_type });
  }],
  ["003-2d", "SYS_INFO names the kinds when asked for another", async ({ text }) => {
    assert.match(await text("SYS_INFO", { info_type: "moon" }), /memory.*disk.*cpu/);
  }],
  ["003-1", "EXEC_CLI with command, timeout, working_directory", async ({ ok }) => {
    const { stdout } = await ok("EXEC_CLI", { command: "pwd; ls", timeout: 20, working_directory: "logs" });
    assert.match(stdout, /\/logs\napp\.log\n$/);
  }],
  [
    "003-1a",
    "EXEC_CLI and SYS_INFO are listed",
    async ({ mcp }) => {
      const names = (await mcp("tools/list")).tools.map(({ name }: { name: string }) => name);
      assert.deepEqual(["EXEC_CLI", "SYS_INFO"].filter((name) => names.includes(name)), []);
    },
    "run_cmd and linux_sys_info do the same for fewer tokens; the toolset ufo lists them, and they can always be called",
  ],
  ["003-1b2", "execute_command and cwd, its other names", async ({ ok }) => {
    assert.equal((await ok("execute_command", { command: "cat app.log", cwd: "logs" })).status, "SUCCESS");
  }],
  ["003-1c2", "ERROR with the command's own exit code", async ({ ok }) => {
    const { status, exit_code } = await ok("EXEC_CLI", { command: "sh -c 'exit 3'" });
    assert.deepEqual([status, exit_code], ["ERROR", 3]);
  }],
  ["003-1d", "127 for a command that is not known", async ({ refused }) => {
    assert.equal(await refused("EXEC_CLI", { command: "invalid_cmd" }), "COMMAND_NOT_ALLOWED");
  }, "the list of programs is looked at first, and the message says how to put one on it"],
  ["003-1e2", "126 for a file that cannot be executed", async ({ ok }) => {
    assert.equal((await ok("EXEC_CLI", { command: "./logs/app.log" })).exit_code, 126);
  }],
  ["003-1g", "any shell command", async ({ refused }) => {
    assert.equal(await refused("EXEC_CLI", { command: "ls && su" }), "COMMAND_NOT_ALLOWED");
  }, "the other specifications ask for a list of programs, and a user for safety"],
  ["003-1h", "the use cases: files, logs, archives, disks", async ({ ok }) => {
    for (const command of ["ls -la logs", "grep -i error logs/app.log", "tar czf logs.tgz logs", "df -h"]) {
      assert.equal((await ok("EXEC_CLI", { command })).status, "SUCCESS", command);
    }
  }],
  ["003-1j", "commands are kept for an audit", async ({ ok }) => {
    await ok("EXEC_CLI", { command: "echo audited" });
    const { records } = await ok("linux.mcp_recent_calls", { tool_name: "EXEC_CLI", max_results: 1 });
    assert.match(records[0].args_summary, /echo audited/);
  }],
  ["003-2b", "the fields of the examples: memory", async ({ ok }) => {
    const { data } = await ok("SYS_INFO", { info_type: "memory" });
    assert.deepEqual(
      ["total", "used", "free", "available", "swap_total", "swap_used"].filter((key) => !(key in data)),
      [],
    );
  }],
  ["003-2b2", "the fields of the examples: disk", async ({ ok }) => {
    const { data: { filesystems: [first] } } = await ok("SYS_INFO", { info_type: "disk" });
    const keys = ["device", "mount_point", "size", "used", "available", "use_percent"];
    assert.deepEqual(keys.filter((key) => !(key in first)), []);
  }],
  ["003-2b3", "the fields of the examples: cpu", async ({ ok }) => {
    const { data } = await ok("SYS_INFO", { info_type: "cpu" });
    const keys = ["model", "cores", "threads", "architecture", "current_usage", "load_average"];
    assert.deepEqual(keys.filter((key) => !(key in data)), []);
  }],
  ["003-2c", "a timestamp", async ({ ok }) => {
    assert.ok(!Number.isNaN(Date.parse((await ok("SYS_INFO", { info_type: "os" })).timestamp)));
  }],
  ["003-2e", "info_type is required", async ({ ok }) => {
    assert.equal((await ok("SYS_INFO")).info_type, "os");
  }, "a call without it gets the shortest kind, not an error"],
]);

specification("UFO: listed", { set: ['mcp.tools.toolsets=["ufo"]'] }, [
  ["003-1a2", "the toolset ufo lists the two tools", async ({ mcp }) => {
    const names = (await mcp("tools/list")).tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["EXEC_CLI", "SYS_INFO"]);
  }],
]);

Deno.test("003-1f EXEC_CLI waits as long as its timeout says, also past 45 s", async () => {
  await using sandbox = await Sandbox.make();
  const args = ["tool", "EXEC_CLI", "command=sleep 47", "timeout=60", "--root", sandbox.root];
  const { stdout } = await runBinary(args, { env: sandbox.env });
  assert.equal(JSON.parse(stdout).status, "SUCCESS");
});
