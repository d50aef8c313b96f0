/** Output of programs and processes is complete, and reads wait for it, at both levels of confinement. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const MORE = ["--set", 'mcp.linux_ops.commands.allowed_binaries=["sleep","seq","tee"]'];
const TIMES = 5;

/** A peer at each level. */
function eachLevel(name: string, body: (peer: StdioPeer, sandbox: Sandbox) => Promise<void>): void {
  for (const level of ["full", "landlock"]) {
    Deno.test(`${level}: ${name}`, async () => {
      await using sandbox = await Sandbox.make();
      const env = level === "full" ? {} : { LLMC_TEST_LEVEL: level };
      await using peer = await StdioPeer.open(sandbox, { args: MORE, binary: TEST_BINARY, env });
      await body(peer, sandbox);
    });
  }
}

const idOf = (text: string): string => text.match(/P_\w+/)?.[0] ?? assert.fail(text);

eachLevel(
  "what a command hands to its helpers is in the answer and in their files, every time",
  async (peer, sandbox) => {
    const all = { command: "exec > >(tee -a all.log) 2>&1; for i in 1 2 3; do echo line $i; done" };
    const errors = { command: "ls nope 2> >(sed 's/^/E: /' >&2)" };
    await sandbox.write(
      "late.py",
      "import os, time\nif os.fork() == 0:\n    time.sleep(0.1)\n    print('late', flush=True)\n",
    );
    for (let time = 0; time < TIMES; time++) {
      assert.match(await peer.call("run_cmd", all), /line 1\nline 2\nline 3/);
      assert.match(await peer.call("run_cmd", errors), /E: ls: cannot access/);
      assert.match(await peer.call("run_cmd", { command: "python3 late.py" }), /late/);
    }
    const log = await Deno.readTextFile(`${sandbox.root}/all.log`);
    assert.equal(log, "line 1\nline 2\nline 3\n".repeat(TIMES));
  },
);

eachLevel("a command that leaves something running answers, and names what ended with it", async (peer) => {
  const answer = await peer.call("run_cmd", { command: "sleep 30 & echo started" });
  assert.match(answer, /started[\s\S]*ended with the call.*linux_proc_start/);
  const quiet = await peer.call("run_cmd", { command: "sleep 0.05 & echo started" });
  assert.equal(quiet.trim(), "started");
});

eachLevel("exit codes and signals of a program are its own", async (peer) => {
  assert.match(await peer.call("run_cmd", { command: "bash -c 'exit 7'" }), /exit 7/);
  const killed = await peer.call("run_cmd", { command: "python3 -c 'import os; os.kill(os.getpid(), 11)'" });
  assert.match(killed, /139|SIGSEGV/);
  assert.doesNotMatch(killed, /Segmentation fault/, "the shell around it says nothing");
});

const SLOW = (first: string, second: string): string =>
  `python3 -u -c "import sys,time; w=lambda s:(sys.stdout.write(s),sys.stdout.flush()); w('${first}'); time.sleep(0.5); ` +
  `w('${second}'); time.sleep(30)"`;

for (
  const [what, first, second, shown] of [
    ["a carriage return", "10%\\r", "50%\\n", "50%"],
    ["half a sequence", "a\\x1b[", "31mred\\n", "red"],
    ["a sequence that shows nothing", "a\\n\\x1b[?25l", "next\\n", "next"],
  ] as const
) {
  for (const pty of [false, true]) {
    eachLevel(`reading waits for what follows ${what}${pty ? " in a terminal" : ""}`, async (peer) => {
      const started = await peer.call("linux_proc_start", { command: SLOW(first, second), pty, wait_ms: 10_000 });
      const read = await peer.call("linux_proc_read", { proc_id: idOf(started), timeout_ms: 10_000 });
      assert.ok(`${started}${read}`.includes(shown), `${started} / ${read}`);
      assert.doesNotMatch(read, /no new output/);
    });
  }
}

eachLevel("the echo of a terminal is neither an answer nor a match", async (peer) => {
  for (const command of ["bash --norc", "sh"]) {
    const proc_id = idOf(await peer.call("linux_proc_start", { command, pty: true, wait_ms: 1_000 }));
    const answer = await peer.call("linux_proc_send", { proc_id, input: "sleep 0.3; echo R$((6*7))", wait_ms: 10_000 });
    assert.match(answer, /R42/, command);
    const input = "sleep 0.3; echo ALL''DONE; echo ALLDONE | tr A-Z a-z";
    const matched = await peer.call("linux_proc_send", { proc_id, input, wait_for: "^alldone", wait_ms: 10_000 });
    assert.match(matched, /^ALLDONE\n?[\s\S]*alldone/m, command);
    const word = await peer.call("linux_proc_send", { proc_id, input: "sleep 0.3; echo WORD", wait_for: "WORD" });
    assert.match(word, /echo WORD[^]*\bWORD\s*$/m, `${command}: ${word}`);
    await peer.call("linux_proc_stop", { proc_id, signal: "KILL" });
  }
});
