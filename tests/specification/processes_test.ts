/** Phase L2 (processes, system snapshot) and long-lived processes, row by row. @module */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { specification, type World } from "./table.ts";

const PROCESS = ["pid", "user", "cpu_percent", "mem_percent", "command"];
type Mcp = World["mcp"];
const face = async (mcp: Mcp, wanted: string) =>
  (await mcp("tools/list")).tools.find(({ name }: { name: string }) => name === wanted);
const meminfo = () => Deno.readTextFile("/proc/meminfo");
const start = (world: World, argv: string[]) => world.ok("linux.proc_start", { argv });

/** A process of another user: started by the superuser, else one that the superuser has. */
function ofAnotherUser(): { readonly pid: number } & AsyncDisposable {
  if (Deno.uid() !== 0) return { pid: superusersPid(), [Symbol.asyncDispose]: () => Promise.resolve() };
  const child = new Deno.Command("sleep", { args: ["60"], uid: 65_534 }).spawn();
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

function superusersPid(): number {
  const pids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => pid > 1);
  return pids.find((pid) => Deno.statSync(`/proc/${pid}`).uid === 0) ?? assert.fail("the superuser runs nothing");
}

specification("Phase L2: processes and system snapshot", { set: ["mcp.linux_ops.features.logs_enabled=true"] }, [
  ["000-R1", "proc_list gives pid, user, cpu %, mem % and command", async ({ ok }) => {
    const { processes: [first] } = await ok("linux.proc_list");
    assert.deepEqual(PROCESS.filter((name) => !(name in first)), []);
  }],
  ["000-R2", "max_results bounds the list, and truncated says so", async ({ ok }) => {
    const { processes, truncated } = await ok("linux.proc_list", { max_results: 1 });
    assert.deepEqual([processes.length, truncated], [1, true]);
  }],
  ["000-R2a", "max_results is 1 to 5000, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.proc_list", { max_results: 5_001 });
    assert.deepEqual(warnings, ["max_results: 5000 in place of 5001, its bound"]);
  }, "the bound is used and the answer says so, which saves the second call"],
  ["000-R2b", "the list of tools gives default, minimum and maximum", async ({ mcp }) => {
    const { max_results } = (await face(mcp, "linux_proc_list")).inputSchema.properties;
    assert.deepEqual(max_results, { type: "integer" });
  }, "they cost each session tokens, and a number beyond a bound is not refused; docs/mcp_linuxops_tools.md has them"],
  ["000-R3", "fields that a program can read", async ({ rest }) => {
    const { body } = await rest("/tool", { session_id: "s", name: "linux.proc_list", args: { max_results: 1 } });
    assert.deepEqual(PROCESS.filter((name) => !(name in body.processes[0])), []);
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
  ["000-4.2-sort", "the busiest first", async ({ ok }) => {
    const { processes } = await ok("linux.proc_list");
    const shares = processes.map(({ cpu_percent }: { cpu_percent: number }) => cpu_percent);
    assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  }],
  ["000-R4", "proc_kill sends TERM by default", async (world) => {
    const { proc_id, pid } = await start(world, ["sleep", "60"]);
    assert.match((await world.ok("linux.proc_kill", { pid })).message, /SIGTERM/);
    await world.ok("linux.proc_stop", { proc_id });
  }],
  ["000-R4a", "TERM, KILL, INT and HUP are sent", async (world) => {
    for (const [signal, status] of [["TERM", 143], ["KILL", 137], ["INT", 130], ["HUP", 129]] as const) {
      const { proc_id, pid } = await start(world, ["sleep", "60"]);
      await world.ok("linux.proc_kill", { pid, signal });
      const { exit_code } = await world.ok("linux.proc_read", { proc_id, wait_for_exit: true, timeout_ms: 9_000 });
      assert.equal(exit_code, status, signal);
    }
  }],
  ["000-R5a", "pid 1 is not killed", async ({ refused }) => {
    assert.equal(await refused("linux.proc_kill", { pid: 1 }), "KILL_FORBIDDEN");
  }],
  ["000-R5b", "the server itself is not killed", async ({ refused, serverPid }) => {
    assert.equal(await refused("linux.proc_kill", { pid: await serverPid() }), "KILL_FORBIDDEN");
  }],
  ["000-R5c", "a process of another user is not killed", async ({ refused }) => {
    await using other = ofAnotherUser();
    assert.equal(await refused("linux.proc_kill", { pid: other.pid }), "PERMISSION_DENIED");
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
  ["000-NFR-perf", "proc_list and sys_snapshot answer within half a second", async ({ ok }) => {
    const { tools } = await ok("linux.mcp_usage_stats");
    const slow = ["linux_proc_list", "linux_sys_snapshot"].filter((name) => !(tools[name].p50_ms < 500));
    assert.deepEqual(slow, []);
  }],
  ["000-R9", "psutil, else a shell", async ({ ok }) => {
    const { mem_total_mb } = await ok("linux.sys_snapshot"), kib = /MemTotal: +(\d+)/.exec(await meminfo())?.[1];
    assert.ok(Math.abs(mem_total_mb - Number(kib) / 1_024) < Number(kib) / 1_024, `${mem_total_mb}`);
  }, "the kernel's own files are read, without a program between"],
  ["000-6.2", "counters and a histogram of latencies by tool, errors by code", async ({ rest }) => {
    for (const pid of [1, 4_000_000]) {
      await rest("/tool", { session_id: "s", name: "linux.proc_kill", args: { pid } });
    }
    const { body } = await rest("/metrics");
    const lines = ["KILL_FORBIDDEN", "PROCESS_NOT_FOUND"]
      .map((code) => `llmc_tool_errors_total{tool="linux_proc_kill",code="${code}"} 1`);
    assert.deepEqual(lines.filter((line) => !body.includes(line)), []);
    assert.match(body, /llmc_tool_duration_seconds_bucket\{tool="linux_proc_kill"/);
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
  ["002-3.4.3", "proc_tree: who started whom", async ({ ok, serverPid }) => {
    const { processes } = await ok("linux.proc_tree", { pid: await serverPid() });
    assert.deepEqual([processes[0].pid, processes[0].depth], [await serverPid(), 0]);
  }],
  ["002-3.5.1", "proc_start: proc_id, pid, first_output, state", async (world) => {
    const { proc_id, pid, first_output, state } = await start(world, ["sh", "-c", "echo ready; sleep 60"]);
    await world.ok("linux.proc_stop", { proc_id });
    assert.deepEqual([typeof proc_id, typeof pid, first_output, state], ["string", "number", "ready\n", "running"]);
  }],
  ["002-3.5.1a", "proc_start stays in the roots and on the list", async ({ refused }) => {
    assert.equal(await refused("linux.proc_start", { argv: ["sleep", "1"], cwd: "/etc" }), "INVALID_PATH");
    assert.equal(await refused("linux.proc_start", { argv: ["su"] }), "COMMAND_NOT_ALLOWED");
  }],
  ["002-3.5.1b", "a command with a variable in double quotes", async ({ ok }) => {
    const { first_output } = await ok("linux.proc_start", { command: 'FOO=1; bash -c "echo $FOO"', wait_ms: 2_000 });
    assert.equal(first_output, "1\n");
  }],
  ["002-3.5.1c", "env", async ({ ok }) => {
    const call = { argv: ["sh", "-c", "echo $LAMP"], env: { LAMP: "lit" } };
    assert.equal((await ok("linux.proc_start", call)).first_output, "lit\n");
  }],
  ["002-3.5.2", "proc_send to a process that is not there", async ({ refused }) => {
    assert.equal(await refused("linux.proc_send", { proc_id: "P_none", text: "x" }), "PROCESS_NOT_FOUND");
  }],
  ["002-3.5.3", "proc_read of a process that has ended, and of none", async (world) => {
    const { proc_id } = await start(world, ["true"]);
    const { state } = await world.ok("linux.proc_read", { proc_id, wait_for_exit: true });
    const { state: none } = await world.ok("linux.proc_read", { proc_id: "P_none" });
    assert.deepEqual([state, none], ["exited", "no_such_process"]);
  }],
  ["002-3.5.4", "proc_stop sends TERM, then KILL", async (world) => {
    const { proc_id } = await start(world, ["sh", "-c", "trap '' TERM; echo deaf; sleep 60; sleep 60"]);
    assert.equal((await world.ok("linux.proc_stop", { proc_id })).exit_code, 137);
  }],
  ["002-3.5.4a", "what it printed can still be read", async (world) => {
    const { proc_id } = await start(world, ["sh", "-c", "echo ready; sleep 60"]);
    await world.ok("linux.proc_stop", { proc_id });
    assert.equal((await world.ok("linux.proc_read", { proc_id, offset: 0 })).output, "ready\n");
  }],
]);

specification("Phase L2, switched off", { set: ["mcp.linux_ops.features.proc_enabled=false"] }, [
  ["000-R10b", "sys_services needs no logs_enabled, and its page does not ask for it", async ({ ok }) => {
    assert.equal(typeof (await ok("linux.sys_services")).available, "boolean");
    const page = await Deno.readTextFile(new URL("../../docs/mcp_linuxops_tools.md", import.meta.url));
    assert.doesNotMatch(page.split("## linux_sys_services")[1]?.split("## ")[0] ?? "logs_enabled", /logs_enabled/);
  }],
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
