/** The namespace that waits for the next program, in the executable: who gets it, and that it never outlives the server. @module */
import assert from "node:assert/strict";
import { childrenOfThreads } from "../../src/sandbox/tree_bounds.ts";
import { Sandbox } from "../support/binary.ts";
import { eventually } from "../support/eventually.ts";
import { BUBBLEWRAP, needing } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** All that are below a process, and have not ended. */
function treeBelow(top: number): number[] {
  const found = new Set([top]);
  for (const pid of found) for (const child of childrenOfThreads(pid)) found.add(child);
  found.delete(top);
  return [...found].filter((pid) => commandOf(pid) !== "");
}

function commandOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return ""; // it has ended
  }
}

/** The processes of the namespace that waits, once its shell is there. */
async function waitingTree(server: number): Promise<number[]> {
  return await eventually(() => {
    const bubblewrap = childrenOfThreads(server).filter((pid) => commandOf(pid).startsWith("/usr/bin/bwrap\0--args"));
    assert.equal(bubblewrap.length, 1);
    const tree = treeBelow(bubblewrap[0] ?? 0);
    assert.deepEqual(tree.map(commandOf).at(-1), "/bin/sh\0");
    return [...bubblewrap, ...tree];
  });
}

const ENDS: readonly (readonly [name: string, end: (peer: StdioPeer) => unknown])[] = [
  ["is killed", (peer) => peer.kill("SIGKILL")],
  ["is asked to end", (peer) => peer.kill("SIGTERM")],
  ["has no more input", (peer) => peer.closeInput()],
];

for (const [name, end] of ENDS) {
  Deno.test(needing(`the namespace that waits is gone when the server ${name}`, BUBBLEWRAP), async () => {
    await using sandbox = await Sandbox.make();
    await using peer = await StdioPeer.open(sandbox);
    await peer.call("run_cmd", { command: "echo hi" });
    const tree = await waitingTree(peer.pid);
    await end(peer);
    await peer.status;
    await eventually(() => assert.deepEqual(tree.filter((pid) => commandOf(pid) !== ""), []));
  });
}

Deno.test(needing("a program cannot leave anything to the program after it but files", BUBBLEWRAP), async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox);
  await peer.call("run_cmd", { command: "echo hi" });
  await waitingTree(peer.pid);
  // Whatever its parents are, they end with it: the shell that waited, its input, its limits, what it started.
  const attack = [
    "exec 5<>/proc/1/fd/0; echo 'echo STOLEN' >&5; echo 'echo STOLEN' >/proc/$PPID/fd/0",
    "mkdir -p /run/x /dev/shm/x /var/tmp/x; echo x >/etc/passwd; hostname stolen; ulimit -n 7",
    "(trap '' HUP TERM; while :; do sleep 1; done) & kill -STOP $PPID; kill -9 1",
  ];
  for (const line of attack) await peer.call("run_cmd", { command: `sh -c ${JSON.stringify(line)}`, timeout: 5 });
  await waitingTree(peer.pid);
  const seen = await peer.call("run_cmd", {
    command:
      "sh -c 'uname -n; ulimit -n; ls /run /dev/shm /var/tmp; grep -c root: /etc/passwd; ls -d /proc/[0-9]* | wc -l'",
  });
  assert.doesNotMatch(seen, /STOLEN|stolen/);
  assert.match(seen, /sandbox\n4096\n/);
  assert.doesNotMatch(seen, /^x$/m);
});
