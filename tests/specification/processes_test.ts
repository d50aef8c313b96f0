/** Phase L2 (processes, system snapshot) and the two UFO tools, row by row. @module */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { specification, type World } from "./table.ts";

const PROCESS = ["pid", "user", "cpu_percent", "mem_percent", "command"];
const start = (world: World, argv: string[]) => world.ok("linux.proc_start", { argv });

specification("Phase L2: processes and system snapshot", { set: ["mcp.linux_ops.features.logs_enabled=true"] }, [
  ["000-R1", "proc_list gives pid, user, cpu %, mem % and command", async ({ ok }) => {
    const { processes: [first] } = await ok("linux.proc_list");
    assert.deepEqual(PROCESS.filter((name) => !(name in first)), []);
  }],
  ["000-R2", "max_results bounds the list, and truncated says so", async ({ ok }) => {
    const { processes, truncated } = await ok("linux.proc_list", { max_results: 1 });
    assert.deepEqual([processes.length, truncated], [1, true]);
  }],
  ["002-3.4.1", "a truncated list has a handle to the whole", async ({ ok }) => {
    const { handle, total_processes } = await ok("linux.proc_list", { max_results: 1 });
    const { total } = await ok("linux.handle_read", { handle, limit: 5 });
    assert.ok(total > total_processes / 2, `${total} of ${total_processes}`);
  }],
  ["000-4.2", "a filter by user", async ({ ok }) => {
    const { processes } = await ok("linux.proc_list", { user: "root", max_results: 5 });
    assert.ok(processes.every(({ user }: { user: string }) => user === "root"));
  }],
  ["000-R4", "proc_kill sends TERM by default", async (world) => {
    const { proc_id, pid } = await start(world, ["sleep", "60"]);
    assert.match((await world.ok("linux.proc_kill", { pid })).message, /SIGTERM/);
    await world.ok("linux.proc_stop", { proc_id });
  }],
  ["000-R5a", "pid 1 is not killed", async ({ refused }) => {
    assert.equal(await refused("linux.proc_kill", { pid: 1 }), "KILL_FORBIDDEN");
  }],
  ["000-R6a", "a process that is not there", async ({ refused }) => {
    assert.equal(await refused("linux.proc_kill", { pid: 4_000_000 }), "PROCESS_NOT_FOUND");
  }],
  ["000-R6b", "a signal that does not exist", async ({ refused }) => {
    assert.equal(await refused("linux.proc_kill", { pid: 4_000_000, signal: "BOGUS" }), "INVALID_ARGUMENT");
  }],
  ["000-R7", "sys_snapshot: cpu, load, memory, disks", async ({ ok }) => {
    const snapshot = await ok("linux.sys_snapshot");
    assert.deepEqual(
      ["cpu_percent", "load_avg", "mem_used_mb", "mem_total_mb", "disks"].filter((name) => !(name in snapshot)),
      [],
    );
  }],
  ["000-R8", "short_summary in the form of the specification", async ({ ok }) => {
    assert.match((await ok("linux.sys_snapshot")).short_summary, /^CPU \d+%, Load [\d./]+, RAM \d+\/\d+ MB, .*% used/);
  }],
  ["000-R10", "sys_services says where there are none", async ({ ok }) => {
    assert.equal(typeof (await ok("linux.sys_services")).available, "boolean");
  }],
  ["000-R11", "sys_logs is a tool when it is switched on", async ({ ok }) => {
    assert.ok(Array.isArray((await ok("linux.sys_logs")).entries));
  }],
  ["000-3.1b", "five processes at once are one too many for a session", async (world) => {
    const started = [];
    for (let count = 0; count < 4; count++) started.push(await start(world, ["sleep", "60"]));
    const code = await world.refused("linux.proc_start", { argv: ["sleep", "60"] });
    for (const { proc_id } of started) await world.ok("linux.proc_stop", { proc_id });
    assert.equal(code, "PROC_LIMIT_EXCEEDED");
  }],
  ["002-3.5", "a REPL: start, send, read, stop", async (world) => {
    const { proc_id } = await world.ok("linux.proc_start", { argv: ["python3", "-i"] });
    await world.ok("linux.proc_send", { proc_id, text: "6*7\n" });
    let output = "";
    await eventually(async () => {
      output += (await world.ok("linux.proc_read", { proc_id, timeout_ms: 500 })).output;
      assert.match(output, /42/);
    });
    await world.ok("linux.proc_stop", { proc_id });
  }],
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
]);

specification("Phase L2, switched off", { set: ["mcp.linux_ops.features.proc_enabled=false"] }, [
  ["000-4.2-flag", "proc_list is off", async ({ refused }) => {
    assert.equal(await refused("linux.proc_list"), "FEATURE_DISABLED");
  }],
  ["000-4.2-order", "the switch is looked at before the arguments", async ({ refused }) => {
    assert.equal(await refused("linux.proc_kill"), "FEATURE_DISABLED");
  }],
  ["000-R11", "sys_logs is off by default", async ({ refused }) => {
    assert.equal(await refused("linux.sys_logs"), "FEATURE_DISABLED");
  }],
]);
