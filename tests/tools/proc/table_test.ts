import assert from "node:assert/strict";
import { makeTestApp } from "../../support/app.ts";
import { eventually } from "../../support/eventually.ts";
import { needing, ROOT_USER } from "../../support/needs.ts";

interface Row {
  readonly pid: number;
  readonly user: string;
  readonly cpu_percent: number;
  readonly rss_bytes: number;
  readonly command: string;
  readonly depth: number;
}

function sleeper(seconds = "77"): Deno.ChildProcess {
  return new Deno.Command("/usr/bin/sleep", { args: [seconds], stdin: "null", stdout: "null", stderr: "null" }).spawn();
}

/** A process that this server did not start: its parent ends at once. */
async function stray(seconds: string, uid?: number): Promise<number> {
  const args = ["-c", `setsid sleep ${seconds} >/dev/null 2>&1 & echo $!`];
  // Everyone may be in "/", but not everyone where the tests are.
  const other = uid === undefined ? {} : { uid, cwd: "/" };
  const { stdout } = await new Deno.Command("/bin/sh", { args, ...other }).output();
  const pid = Number(new TextDecoder().decode(stdout));
  while ((await Deno.readTextFile(`/proc/${pid}/comm`)).trim() !== "sleep") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return pid;
}

const KILLABLE = { "mcp.linux_ops.process_limits.killable": ["sleep"] };

const rowsOf = (result: Record<string, unknown>): Row[] => Object(result.processes);

Deno.test("linux.proc_list filters by name and counts", async () => {
  await using test = await makeTestApp();
  const children = [sleeper("77.125"), sleeper("77.125"), sleeper("77.125")];
  try {
    await eventually(async () => { // a process that was just started has no command line yet
      const result = await test.result("linux_proc_list", { name: "sleep 77.125", max_results: 2 });
      assert.deepEqual([rowsOf(result).length, result.total_processes, result.truncated], [2, 3, true]);
      assert.ok(rowsOf(result).every(({ command }) => command === "/usr/bin/sleep 77.125"));
    });
    const newest = rowsOf(await test.result("linux_proc_list", { sort: "start", name: "sleep 77.125" }));
    assert.deepEqual(newest.map(({ pid }) => pid).sort(), children.map(({ pid }) => pid).sort());
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ status }) => status));
  }
});

Deno.test("linux.proc_list with a pid shows cwd, parent, start, state, CPU time, and the whole command", async () => {
  await using test = await makeTestApp();
  const cwd = await Deno.realPath(await Deno.makeTempDir()), words = "one two three ".repeat(20).trim();
  const child = new Deno.Command("/bin/sh", { args: ["-c", `read line; : ${words}`], cwd, stdin: "piped" }).spawn();
  try {
    await eventually(async () => { // until it waits for its input
      const { text, result } = await test.call("linux_proc_list", { pid: child.pid }),
        { open_files: _, ...rest } = Object(result);
      const [first = "", cpu = "", start = "", ...others] = text.split("\n");
      assert.match(first, new RegExp(`^${child.pid} sh, sleeping, parent ${Deno.pid}, user \\S+, threads 1$`));
      assert.match(cpu, /^cpu [\d.]+% over [\d.]+ s, [\d.]+ s in all; rss [\d.]+[KM] \([\d.]+%\)$/);
      assert.match(start, /^started \d{4}-\d\d-\d\dT[\d:]{8}Z, \d+[sm] ago$/);
      assert.deepEqual(others.slice(0, 2), [`cwd ${cwd}`, `command /bin/sh -c read line; : ${words}`]);
      assert.deepEqual([rest.cwd, rest.processes[0].ppid], [cwd, Deno.pid]);
    });
  } finally {
    await child.stdin.close();
    await child.status;
    await Deno.remove(cwd);
  }
});

Deno.test("linux.proc_list shows as many rows as were asked for", async () => {
  await using test = await makeTestApp();
  const children = Array.from({ length: 24 }, () => sleeper("77.0625"));
  try {
    await eventually(async () => {
      const { text } = await test.call("linux_proc_list", { name: "sleep 77.0625", max_results: 22 });
      assert.match(text, /\n\[22 of 24 processes · /);
      assert.equal(text.split("\n").length, 24);
    });
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ status }) => status));
  }
});

Deno.test("linux.proc_list measures CPU, shows the busiest first, and stays under 800 tokens", async () => {
  await using test = await makeTestApp();
  const busy = new Deno.Command("/bin/sh", { args: ["-c", "while :; do :; done"], stdin: "null" }).spawn();
  try {
    let answer = await test.call("linux_proc_list"), rows = rowsOf(Object(answer.result));
    const used = () => rows.find(({ pid }) => pid === busy.pid)?.cpu_percent ?? 0;
    // On a busy machine the loop may not get its turn within one short sample.
    for (let attempt = 0; attempt < 20 && used() <= 5; attempt++) {
      answer = await test.call("linux_proc_list");
      rows = rowsOf(Object(answer.result));
    }
    assert.ok(used() > 5);
    assert.deepEqual(
      rows.map(({ cpu_percent }) => cpu_percent),
      rows.map(({ cpu_percent }) => cpu_percent).toSorted((a, b) => b - a),
    );
    assert.ok(answer.text.includes(String(busy.pid)));
    assert.ok(answer.tokens < 800, `${answer.tokens} tokens`);
    assert.match(answer.text, /\[\d+ of \d+ processes · all use cpu [\d.]+% over [\d.]+ s, rss [\d.]+[KMG]\]$/);
    const byMemory = rowsOf(await test.result("linux_proc_list", { sort: "mem" }));
    assert.deepEqual(
      byMemory.map(({ rss_bytes }) => rss_bytes),
      byMemory.map(({ rss_bytes }) => rss_bytes).toSorted((a, b) => b - a),
    );
  } finally {
    busy.kill("SIGKILL");
    await busy.status;
  }
});

Deno.test(
  needing("linux.proc_list shows other users' processes only where that is allowed", ROOT_USER),
  async () => {
    const foreign = await stray("77.25", 65534);
    try {
      await using strict = await makeTestApp({ settings: KILLABLE });
      assert.equal((await strict.result("linux_proc_list", { name: "sleep 77.25" })).total_processes, 0);
      for (const user of ["*", "nobody"]) {
        assert.equal(
          (await strict.call("linux_proc_list", { user })).error?.code,
          "PERMISSION_DENIED",
        );
      }
      assert.equal((await strict.call("linux_proc_kill", { pid: foreign })).error?.code, "PERMISSION_DENIED");
      await using open = await makeTestApp({
        settings: { "mcp.linux_ops.process_limits.allow_kill_other_users": true, ...KILLABLE },
      });
      for (const user of ["*", "nobody"]) {
        assert.equal((await open.result("linux_proc_list", { name: "sleep 77.25", user })).total_processes, 1);
      }
      assert.match((await open.call("linux_proc_list", { name: "sleep 77.25" })).text, /sleep 77\.25/);
      await open.result("linux_proc_kill", { pid: foreign });
      assert.ok(await isGone(foreign));
    } finally {
      await new Deno.Command("/bin/kill", { args: ["-KILL", String(foreign)], stderr: "null" }).output();
    }
  },
);

Deno.test("linux.proc_list and proc_tree mark where they cut a command", async () => {
  await using test = await makeTestApp();
  const words = "x".repeat(200);
  const child = new Deno.Command("/bin/sh", { args: ["-c", `read line; : ${words}`], stdin: "piped" }).spawn();
  try {
    await eventually(async () => {
      const list = await test.call("linux_proc_list", { name: words }),
        tree = await test.call("linux_proc_tree", { pid: child.pid });
      assert.match(list.text, /read line; : x+…\[\+164\]\n/);
      assert.match(tree.text, /read line; : x+…\[\+154\]$/);
    });
  } finally {
    await child.stdin.close();
    await child.status;
  }
});

Deno.test("linux.proc_tree shows children below their parent", async () => {
  await using test = await makeTestApp();
  const shell = new Deno.Command("/bin/sh", { args: ["-c", "sleep 77.5 & wait"], stdin: "null" }).spawn();
  try {
    const child = await eventually(async () => {
      const rows = rowsOf(await test.result("linux_proc_tree", { pid: shell.pid }));
      assert.deepEqual(rows.map(({ depth, command }) => [depth, command]), [[0, "/bin/sh -c sleep 77.5 & wait"], [
        1,
        "sleep 77.5",
      ]]);
      return rows[1];
    });
    assert.match(
      (await test.call("linux_proc_tree", { pid: shell.pid })).text,
      new RegExp(`^${shell.pid} .*\n ${child?.pid} sleep 77.5$`),
    );
    assert.equal((await test.call("linux_proc_tree", { pid: 4_000_000 })).error?.code, "PROCESS_NOT_FOUND");
    assert.ok(Number((await test.result("linux_proc_tree")).total_processes) > 2);
  } finally {
    const child = rowsOf(await test.result("linux_proc_tree", { pid: shell.pid }))[1];
    if (child) Deno.kill(child.pid, "SIGKILL");
    await shell.status;
  }
});

async function isGone(pid: number): Promise<boolean> {
  for (let round = 0; round < 100; round++) {
    const state = await Deno.readTextFile(`/proc/${pid}/stat`).then(
      (text) => text.split(") ")[1]?.[0],
      () => undefined,
    );
    if (state === undefined || state === "Z") return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

Deno.test("linux.proc_kill signals a process, and each outcome is counted", async () => {
  await using test = await makeTestApp({ settings: KILLABLE });
  const pid = await stray("77.75");
  const result = await test.result("linux_proc_kill", { pid });
  assert.deepEqual(result, { success: true, message: `Sent SIGTERM to pid ${pid} (sleep)` });
  assert.ok(await isGone(pid));
  assert.equal((await test.call("linux_proc_kill", { pid: 4_000_000 })).error?.code, "PROCESS_NOT_FOUND");
  assert.equal((await test.call("linux_proc_kill", { pid: 1 })).error?.code, "KILL_FORBIDDEN");
  assert.equal((await test.call("linux_proc_kill", { pid: 2, signal: "SEGV" })).error?.code, "INVALID_ARGUMENT");
  const { text } = test.app.services.metrics.exposition();
  for (const code of ["PROCESS_NOT_FOUND", "KILL_FORBIDDEN", "INVALID_ARGUMENT"]) {
    assert.match(text, new RegExp(`linux_proc_kill.*${code}|${code}.*linux_proc_kill`));
  }
});

Deno.test("linux.proc_kill stops and continues a process", async () => {
  await using test = await makeTestApp({ settings: KILLABLE });
  const pid = await stray("77.75");
  const stateIs = async (wanted: string) => {
    const [row] = rowsOf(await test.result("linux_proc_list", { name: "sleep 77.75" })).filter((each) =>
      each.pid === pid
    );
    return String(Object(row).state) === wanted;
  };
  await test.result("linux_proc_kill", { pid, signal: "STOP" });
  while (!await stateIs("T")) await new Promise((resolve) => setTimeout(resolve, 20));
  await test.result("linux_proc_kill", { pid, signal: "CONT" });
  while (!await stateIs("S")) await new Promise((resolve) => setTimeout(resolve, 20));
  await test.result("linux_proc_kill", { pid, signal: "KILL" });
  assert.ok(await isGone(pid));
});

Deno.test("linux.proc_kill refuses the server, its parents, its other children, and groups", async () => {
  await using test = await makeTestApp();
  const own = sleeper("77.875");
  try {
    for (const pid of [Deno.pid, Deno.ppid, own.pid, 0, -1, -Deno.pid]) {
      if (pid === 1) continue;
      const { error, text } = await test.call("linux_proc_kill", { pid, signal: "CONT" });
      assert.equal(error?.code, "KILL_FORBIDDEN", `${pid}: ${text}`);
    }
  } finally {
    own.kill("SIGKILL");
    assert.equal((await own.status).signal, "SIGKILL");
  }
});

Deno.test("linux.proc_kill reaches the caller's managed processes, not another session's", async () => {
  await using test = await makeTestApp();
  const { proc_id, pid } = await test.result("linux_proc_start", { command: "bash", wait_ms: 0 });
  const other = await test.call("linux_proc_kill", { pid }, { owner: "someone/else" });
  assert.equal(other.error?.code, "KILL_FORBIDDEN");
  let state: unknown = "running";
  while (state === "running") {
    await test.call("linux_proc_kill", { pid, signal: "KILL" });
    ({ state } = await test.result("linux_proc_read", { proc_id, timeout_ms: 100, wait_for_exit: true }));
  }
  assert.equal(state, "exited");
});

Deno.test("linux.proc_kill refuses what this server did not start, and says which key allows it", async () => {
  await using test = await makeTestApp();
  const pid = await stray("77.125");
  const { error } = await test.call("linux_proc_kill", { pid });
  assert.equal(error?.code, "KILL_FORBIDDEN");
  assert.equal(error?.message, `pid ${pid} (sleep) was not started by this server`);
  assert.match(error?.hint ?? "", /adding "sleep" to mcp\.linux_ops\.process_limits\.killable/);
  assert.ok(await Deno.stat(`/proc/${pid}`));
  Deno.kill(pid, "SIGKILL");
});

Deno.test("linux.proc_kill never signals another server of ours, nor what that started", async () => {
  await using test = await makeTestApp({ settings: { "mcp.linux_ops.process_limits.killable": ["*"] } });
  const folder = await Deno.makeTempDir(), other = `${folder}/llmc-mcp`;
  await Deno.copyFile("/bin/sh", other);
  await Deno.chmod(other, 0o755);
  const { stdout } = await new Deno.Command("/bin/sh", {
    args: ["-c", `setsid ${other} -c 'sleep 77.375; :' >/dev/null 2>&1 & echo $!`],
  }).output();
  const pid = Number(new TextDecoder().decode(stdout));
  let child = "";
  while (child === "") child = (await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`).catch(() => "")).trim();
  for (const each of [pid, Number(child)]) {
    const { error } = await test.call("linux_proc_kill", { pid: each, signal: "CONT" });
    assert.match(error?.message ?? "", /belongs to another llmc-mcp server/);
  }
  for (const each of [Number(child), pid]) Deno.kill(each, "SIGKILL");
  await Deno.remove(folder, { recursive: true });
});
