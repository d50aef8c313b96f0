/** Everything works for a user without any privilege; as root the tests become one. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { isAlive } from "../support/processes.ts";
import { membersOf, TREE_SCRIPT, TREE_SIZE, treeName } from "../support/process_tree.ts";
import { type Frame, StdioPeer, textOf } from "../support/stdio_peer.ts";

const NOBODY = 65_534;
const IS_ROOT = Deno.uid() === 0;

/** A sandbox of the plain user's own, and the executable as it starts it. */
async function plainUser(files: Readonly<Record<string, string>> = {}): Promise<{ sandbox: Sandbox; binary: string }> {
  // The temporary folder of the tests may be closed to other users.
  const sandbox = await Sandbox.make(files, "/tmp");
  if (!IS_ROOT) return { sandbox, binary: TEST_BINARY };
  await Deno.copyFile(TEST_BINARY, `${sandbox.dir}/llmc-mcp`);
  const binary = `${sandbox.dir}/plain.sh`;
  await Deno.writeTextFile(binary, `#!/bin/sh\n${AS_NOBODY.join(" ")} ${sandbox.dir}/llmc-mcp "$@"\n`, { mode: 0o755 });
  const { success } = await new Deno.Command("chown", { args: ["-R", `${NOBODY}:${NOBODY}`, sandbox.dir] }).output();
  assert.ok(success);
  return { sandbox, binary };
}

const AS_NOBODY = ["exec", "setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** Runs a program of the machine as the plain user. */
async function asPlainUser(...argv: string[]): Promise<{ success: boolean; stdout: string }> {
  const command = (IS_ROOT ? [...AS_NOBODY.slice(1), ...argv] : argv) as [string, ...string[]];
  const { success, stdout } = await new Deno.Command(command[0], { args: command.slice(1), stderr: "null" }).output();
  return { success, stdout: new TextDecoder().decode(stdout) };
}

/** What the machine lets this user have. */
async function bestLevel(): Promise<"full" | "landlock"> {
  const { success } = await asPlainUser("/usr/bin/bwrap", "--ro-bind", "/", "/", "--unshare-all", "/bin/true");
  return success ? "full" : "landlock";
}

const LEVELS = (await bestLevel()) === "full" ? ["full", "landlock"] : ["landlock"];

Deno.test("doctor finds nothing broken for a plain user", async () => {
  const { sandbox, binary } = await plainUser();
  await using _ = sandbox;
  const { code, stdout } = await runBinary(["doctor", "--json", "--root", sandbox.root], { env: sandbox.env, binary });
  const { level, root, findings } = JSON.parse(stdout);
  assert.deepEqual(findings.filter(({ state }: { state: string }) => state === "bad"), []);
  assert.equal(code, 0);
  assert.equal(root, false);
  assert.equal(level, await bestLevel());
});

const EVERYTHING = ["--set", 'mcp.tools.toolsets=["fs","search","run","proc","sys","rag","stats","mvp","te","ufo"]'];
const FILES = {
  "a.txt": "hello\nworld\n",
  "test_ok.py": "def test_ok():\n    assert True\n",
  "doomed/x": "x",
  "long.txt": "line\n".repeat(1_000),
};
const DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-hello\n+hallo\n world\n";

const DIFF_BACK = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-hallo\n+hello\n world\n";

/** Tools that have tests of their own below. */
const ELSEWHERE = ["kill", "read", "send", "start", "stop"].map((verb) => `linux_proc_${verb}`);

/** One call of each tool, and what its answer must hold; HANDLE stands for the handle of an answer before it. */
const CALLS: readonly [string, Frame, RegExp][] = [
  ["linux_fs_read", { path: "long.txt", max_lines: 5 }, /H_file_/],
  ["linux_handle_read", { handle: "HANDLE", offset: 5 }, /line/],
  ["linux_fs_list", {}, /a\.txt/],
  ["linux_fs_stat", { path: "a.txt" }, /a\.txt/],
  ["linux_fs_write", { path: "new.txt", content: "new\n" }, /new\.txt/],
  ["linux_fs_mkdirs", { path: "made/deep" }, /made/],
  ["linux_fs_move", { source: "new.txt", target: "made/new.txt" }, /made\/new\.txt/],
  ["linux_fs_delete", { path: "doomed", recursive: true }, /doomed/],
  ["linux_fs_patch_block", { path: "test_ok.py", old_text: "True", new_text: "1 == 1" }, /test_ok/],
  ["linux_fs_apply_diff", { diff_text: DIFF }, /a\.txt/],
  ["linux_search_content", { pattern: "hallo" }, /a\.txt/],
  ["linux_search_files", { pattern: "a.txt" }, /a\.txt/],
  ["rag_search", { q: "test ok" }, /test_ok/],
  ["rag_bootload", {}, /./],
  ["run_cmd", { command: "cat a.txt | wc -l" }, /^2/],
  ["linux_proc_list", {}, /llmc-mcp/],
  ["linux_proc_tree", {}, /llmc-mcp/],
  ["linux_sys_snapshot", {}, /./],
  ["linux_sys_info", { info_type: "memory" }, /./],
  ["linux_sys_info", { info_type: "hardware" }, /./],
  ["linux_sys_info", { info_type: "network" }, /./],
  ["linux_mcp_usage_stats", {}, /run_cmd/],
  ["linux_mcp_recent_calls", {}, /run_cmd/],
  ["linux_mcp_run_onboarding", { flow_name: "system_health" }, /./],
  ["health", {}, /./],
  ["read_file", { path: "a.txt" }, /hallo/],
  ["list_dir", {}, /a\.txt/],
  ["stat", { path: "a.txt" }, /./],
  ["get_metrics", {}, /./],
  ["te_run", { command: "ls" }, /a\.txt/],
  ["repo_read", { path: "a.txt" }, /hallo/],
  ["repo_write_patch", { diff_text: DIFF_BACK }, /a\.txt/],
  ["run_pytest", { path: "test_ok.py" }, /1 passed/],
  ["rag_query", { query: "test ok" }, /test_ok/],
  ["EXEC_CLI", { command: "echo hi" }, /hi/],
  ["SYS_INFO", { info_type: "memory" }, /./],
];

for (const level of LEVELS) {
  Deno.test(`a plain user has every tool (${level})`, async () => {
    const { sandbox, binary } = await plainUser(FILES);
    await using _ = sandbox;
    await using peer = await StdioPeer.open(sandbox, { binary, args: EVERYTHING, env: { LLMC_TEST_LEVEL: level } });
    const { tools } = Object((await peer.request("tools/list")).result);
    const listed: string[] = tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(listed.sort(), [...new Set([...CALLS.map(([name]) => name), ...ELSEWHERE])].sort());
    let handle = "";
    for (const [name, args, expected] of CALLS) {
      const filled = args.handle === undefined ? args : { ...args, handle };
      const frame = await peer.request("tools/call", { name, arguments: filled });
      assert.notEqual(Object(frame.result).isError, true, `${name}: ${textOf(frame)}`);
      assert.match(textOf(frame), expected, name);
      handle ||= textOf(frame).match(/H_file_\w+/)?.[0] ?? "";
    }
  });

  Deno.test(`a plain user drives a REPL and a terminal, and stops them (${level})`, async () => {
    const { sandbox, binary } = await plainUser();
    await using _ = sandbox;
    await using peer = await StdioPeer.open(sandbox, { binary, env: { LLMC_TEST_LEVEL: level } });
    const start = async (args: Frame) =>
      (await peer.call("linux_proc_start", args)).match(/([\w-]+) running, pid/)?.[1] ?? assert.fail("did not start");
    const repl = await start({ command: "python3 -u -i" });
    assert.match(await peer.call("linux_proc_send", { proc_id: repl, input: "6 * 7", wait_for: "42" }), /42/);
    const terminal = await start({ command: "bash", pty: true, rows: 11, cols: 77 });
    const sized = await peer.call("linux_proc_send", { proc_id: terminal, input: "stty size", wait_for: "11 77" });
    assert.match(sized, /11 77/);
    for (const id of [repl, terminal]) {
      assert.match(await peer.call("linux_proc_stop", { proc_id: id }), /exited|stopped/);
    }
  });

  Deno.test(`nothing that a plain user's server started survives kill -9 (${level})`, async () => {
    const { sandbox, binary } = await plainUser({ "tree.py": TREE_SCRIPT });
    await using _ = sandbox;
    await using peer = await StdioPeer.open(sandbox, { binary, env: { LLMC_TEST_LEVEL: level } });
    const name = treeName();
    await peer.call("linux_proc_start", { argv: ["python3", "tree.py", name], wait_ms: 0 });
    await eventually(async () => assert.equal((await membersOf(name)).length, TREE_SIZE));
    peer.kill("SIGKILL");
    await peer.status;
    await eventually(async () => assert.deepEqual(await membersOf(name), []));
  });

  Deno.test(`nobody else of the same user reads the server's environment (${level})`, async () => {
    const { sandbox, binary } = await plainUser();
    await using _ = sandbox;
    const env = { LLMC_TEST_LEVEL: level, SOME_API_KEY: "sk-of-somebody" };
    await using peer = await StdioPeer.open(sandbox, { binary, env });
    await peer.request("ping");
    const environ = `/proc/${peer.pid}/environ`;
    assert.equal((await asPlainUser("cat", environ)).success, false);
    const script = `print(open("${environ}").read())`;
    const answer = await peer.call("run_cmd", { argv: ["python3", "-c", script] });
    assert.match(answer, /PermissionError|FileNotFoundError/);
    assert.doesNotMatch(answer, /sk-of-somebody/);
  });
}

Deno.test("a plain user ends own processes, and none of another user", { ignore: !IS_ROOT }, async () => {
  const { sandbox, binary } = await plainUser();
  await using _ = sandbox;
  const sleep = (argv: readonly string[]) => new Deno.Command(argv[0] ?? "", { args: argv.slice(1) }).spawn();
  await using own = sleep([...AS_NOBODY.slice(1), "sleep", "600"]);
  await using foreign = sleep(["sleep", "600"]);
  for (const settings of [[], ["--set", "mcp.linux_ops.process_limits.allow_kill_other_users=true"]]) {
    await using peer = await StdioPeer.open(sandbox, { binary, args: settings });
    const answer = await peer.call("linux_proc_kill", { pid: foreign.pid, signal: "KILL" });
    assert.match(answer, /PERMISSION_DENIED/, "the kernel's no is the same as the server's");
    assert.ok(isAlive(foreign.pid));
  }
  await using peer = await StdioPeer.open(sandbox, { binary });
  const answer = await peer.call("linux_proc_kill", { pid: own.pid, signal: "KILL" });
  assert.equal((await own.status).signal, "SIGKILL", answer);
});
