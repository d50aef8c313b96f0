/** No process outlives the call or the server that it belongs to, however either ends. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { membersOf, TREE_SCRIPT, TREE_SIZE, treeName } from "../support/process_tree.ts";
import { processesOf } from "../support/processes.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const LEVELS = ["full", "landlock", "bwrap", "none"] as const;
const SETTINGS = ["--set", "mcp.tools.confinement=best_effort"];

function open(sandbox: Sandbox, level: string, settings: readonly string[] = SETTINGS): Promise<StdioPeer> {
  return StdioPeer.open(sandbox, { binary: TEST_BINARY, args: settings, env: { LLMC_TEST_LEVEL: level } });
}

/** Starts a tree of either kind of process and waits until all are there. */
async function startTrees(peer: StdioPeer): Promise<{ trees: string[]; running: number }> {
  const trees = [treeName(), treeName()];
  await peer.call("linux_proc_start", { argv: ["python3", "tree.py", trees[0]], wait_ms: 0 });
  const running = await peer.ask("tools/call", {
    name: "run_cmd",
    arguments: { argv: ["python3", "tree.py", trees[1]] },
  });
  await eventually(async () => assert.equal((await allOf(trees)).length, 2 * TREE_SIZE));
  return { trees, running };
}

async function allOf(trees: readonly string[]): Promise<string[]> {
  return (await Promise.all(trees.map(membersOf))).flat();
}

function watchdogsOf(pid: number): Promise<string[]> {
  return processesOf(new RegExp(`llmc-watchdog ${pid}-`));
}

const ENDINGS: readonly [string, (peer: StdioPeer) => void | Promise<void>][] = [
  ["the end of input", (peer) => peer.closeInput()],
  ["SIGTERM", (peer) => peer.kill("SIGTERM")],
  ["kill -9", (peer) => peer.kill("SIGKILL")],
];

for (const level of LEVELS) {
  for (const [ending, end] of ENDINGS) {
    Deno.test(needing(`nothing that a server started survives ${ending} (${level})`, ...LEVEL[level]), async () => {
      await using sandbox = await Sandbox.make({ "tree.py": TREE_SCRIPT });
      await using peer = await open(sandbox, level);
      const { trees } = await startTrees(peer);
      assert.equal((await watchdogsOf(peer.pid)).length, 1);
      await end(peer);
      await peer.status;
      await eventually(async () => assert.deepEqual(await allOf(trees), []));
      await eventually(async () => assert.deepEqual(await watchdogsOf(peer.pid), []));
    });
  }

  Deno.test(
    needing(`nothing survives a call that is cancelled, timed out or stopped (${level})`, ...LEVEL[level]),
    async () => {
      await using sandbox = await Sandbox.make({ "tree.py": TREE_SCRIPT });
      await using peer = await open(sandbox, level);
      const { trees: [managed = "", ran = ""], running } = await startTrees(peer);
      await peer.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: running } });
      await eventually(async () => assert.deepEqual(await membersOf(ran), []));
      assert.equal((await membersOf(managed)).length, TREE_SIZE, "another process goes on");
      const late = treeName();
      const answer = await peer.call("run_cmd", { argv: ["python3", "tree.py", late], timeout: 1 });
      assert.match(answer, /timed out/);
      await eventually(async () => assert.deepEqual(await membersOf(late), []));
      const started = await peer.call("linux_proc_start", { argv: ["python3", "tree.py", late], wait_ms: 0 });
      const id = started.match(/([\w-]+) running, pid/)?.[1];
      assert.ok(id);
      await eventually(async () => assert.equal((await membersOf(late)).length, TREE_SIZE));
      await peer.call("linux_proc_stop", { proc_id: id });
      await eventually(async () => assert.deepEqual(await membersOf(late), []));
      assert.equal((await membersOf(managed)).length, TREE_SIZE, "another process goes on");
    },
  );
}

const inTheMoment = "no program survives a server that is killed in the moment in which the program is started";
/** Until bubblewrap has told the kernel whom to die with, nothing but the watchdog knows of a program. */
Deno.test(needing(inTheMoment, ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make();
  const mark = treeName(), isThere = new RegExp(`${mark}$`);
  for (let attempt = 0; attempt < 5; attempt++) {
    await using peer = await open(sandbox, "full");
    const argv = ["python3", "-c", "import time; time.sleep(60)", mark];
    await peer.ask("tools/call", { name: "run_cmd", arguments: { argv } });
    for (let look = 0; look < 1_000 && (await processesOf(isThere)).length === 0; look++);
    peer.kill("SIGKILL");
    await peer.status;
    await eventually(async () => assert.deepEqual(await processesOf(isThere), []));
  }
});

for (const ending of ["SIGTERM", "SIGKILL"] as const) {
  Deno.test(`nothing survives ${ending} where the operator confines nothing`, async () => {
    await using sandbox = await Sandbox.make({ "tree.py": TREE_SCRIPT });
    await using peer = await open(sandbox, "full", ["--set", "mcp.tools.confinement=off"]);
    const { trees } = await startTrees(peer);
    peer.kill(ending);
    await peer.status;
    await eventually(async () => assert.deepEqual(await allOf(trees), []));
  });
}

/** Tries to kill every watchdog that it sees. In a file: its own command line would match too. */
const HUNT = `
import os, signal
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        if b"llmc-watchdog" not in open(f"/proc/{pid}/cmdline", "rb").read():
            continue
        os.kill(int(pid), signal.SIGKILL)
        print("killed", pid)
    except PermissionError:
        print("refused")
    except OSError:
        pass
`;
import { LANDLOCK, LEVEL, needing } from "../support/needs.ts";

Deno.test(needing("a program that Landlock holds cannot stop what would end it", LANDLOCK), async () => {
  await using sandbox = await Sandbox.make({ "tree.py": TREE_SCRIPT, "hunt.py": HUNT });
  await using peer = await open(sandbox, "landlock");
  const { trees } = await startTrees(peer);
  const answer = await peer.call("run_cmd", { argv: ["python3", "hunt.py"] });
  assert.match(answer, /refused/);
  assert.doesNotMatch(answer, /killed/);
  peer.kill("SIGKILL");
  await peer.status;
  await eventually(async () => assert.deepEqual(await allOf(trees), []));
});
