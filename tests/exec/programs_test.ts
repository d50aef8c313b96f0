import type { RunOutcome, RunRequest } from "../../src/exec/run_outcome.ts";
import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { holdTimers } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { type TestRunner, testRunner, WAYS } from "./run_support.ts";
import { needing } from "../support/needs.ts";

const never = () => new AbortController().signal;
/** A deadline that no test waits for: it comes when the test says so. */
const DEADLINE_MS = 31_000;

function run(runner: TestRunner, request: Partial<RunRequest> | string): Promise<RunOutcome> {
  const asked = typeof request === "string" ? { command: request } : request;
  return runner.programs.run({ owner: "me", ...asked }, never());
}

/** Runs a program whose deadline comes when it has made the file `ready`. */
async function runToDeadline(runner: TestRunner, command: string): Promise<RunOutcome> {
  using deadline = holdTimers(DEADLINE_MS);
  const outcome = run(runner, { command, timeoutMs: DEADLINE_MS });
  await isReady(runner);
  await deadline.goOff();
  return await outcome;
}

async function isReady({ root }: TestRunner): Promise<void> {
  await eventually(() => Deno.stat(`${root}/ready`));
}

for (const [held, lack] of WAYS) {
  const test = (name: string, body: (runner: TestRunner) => Promise<void>) =>
    Deno.test(needing(`run (${held}): ${name}`, lack), async () => {
      await using runner = await testRunner({
        held,
        files: { "a.txt": "one\ntwo\n" },
        more: ["sleep", "setsid", "nohup", "perl"],
      });
      await body(runner);
    });

  test("a plain command answers with its output, code and time", async (runner) => {
    const outcome = await run(runner, "echo hi");
    assert.deepEqual([outcome.stdout, outcome.stderr, outcome.exitCode, outcome.signal], ["hi\n", "", 0, null]);
    assert.deepEqual([outcome.timedOut, outcome.truncated, outcome.handle, outcome.failed], [
      false,
      false,
      null,
      false,
    ]);
    assert.equal(outcome.confinement, held);
    assert.ok(Number.isInteger(outcome.durationMs) && outcome.durationMs >= 0);
  });

  test("both streams are told apart", async (runner) => {
    const { stdout, stderr, exitCode, failed } = await run(runner, "echo out; echo err >&2; exit 3");
    assert.deepEqual([stdout, stderr, exitCode, failed], ["out\n", "err\n", 3, true]);
  });

  test("the working directory and the environment reach the program", async (runner) => {
    await Deno.mkdir(`${runner.root}/src`);
    const { stdout, cwd } = await run(runner, { command: "bash -c 'pwd; echo $FOO'", cwd: "src", env: { FOO: "x y" } });
    assert.equal(stdout, `${runner.root}/src\nx y\n`);
    assert.equal(cwd, `${runner.root}/src`);
  });

  test("nothing of the server's environment reaches the program", async (runner) => {
    Deno.env.set("LLMC_TEST_SECRET", "hunter2");
    const { stdout } = await run(runner, "env");
    Deno.env.delete("LLMC_TEST_SECRET");
    assert.ok(!stdout.includes("hunter2"));
    assert.match(stdout, /^PATH=.*\/usr\/bin:/m);
  });

  test("a variable for the loader reaches the program, and not what starts it outside the sandbox", async (runner) => {
    const outside = `${runner.root.slice(0, -"/root".length)}/loader`;
    await Deno.mkdir(outside);
    const env = { LD_DEBUG: "files", LD_DEBUG_OUTPUT: `${outside}/planted`, LD_PRELOAD: `${runner.root}/none.so` };
    const { stderr } = await run(runner, { command: "ls", env }).catch((error: unknown) => ({ stderr: `${error}` }));
    assert.match(stderr, /none\.so|variable LD_DEBUG may not be set/); // the latter where nothing confines it
    assert.deepEqual(await Array.fromAsync(Deno.readDir(outside)), []);
  });

  test("input is what was given, and nothing otherwise", async (runner) => {
    assert.equal((await run(runner, { command: "cat", stdin: "a\nb" })).stdout, "a\nb");
    const { stdout, exitCode } = await run(runner, "cat");
    assert.deepEqual([stdout, exitCode], ["", 0], "it does not wait for input until its deadline");
    assert.equal((await run(runner, { command: "wc -c", stdin: "x".repeat(1_000_000) })).stdout.trim(), "1000000");
    assert.equal((await run(runner, { command: "head -c 1", stdin: "y".repeat(1_000_000) })).stdout, "y");
  });

  test("there is no terminal to ask at", async (runner) => {
    const { exitCode, stderr } = await run(runner, `python3 -c 'open("/dev/tty")'`);
    assert.equal(exitCode, 1);
    assert.match(stderr, /No such device or address/);
  });

  test("the deadline ends the whole tree and keeps the output so far", async (runner) => {
    const command = "echo before; (sleep 61 & setsid sleep 62 & echo >ready; wait); sleep 63";
    const outcome = await runToDeadline(runner, command);
    assert.deepEqual([outcome.exitCode, outcome.timedOut, outcome.stdout, outcome.failed], [
      124,
      true,
      "before\n",
      true,
    ]);
    assert.deepEqual(await runner.survivors(), []);
  });

  test("a program that ignores TERM is ended by force", async (runner) => {
    const outcome = await runToDeadline(runner, "trap '' TERM; echo up; echo >ready; while :; do sleep 1; done");
    assert.deepEqual([outcome.exitCode, outcome.stdout], [124, "up\n"]);
    assert.deepEqual(await runner.survivors(), []);
  });

  test("a program may end itself at TERM with grace", async (runner) => {
    const command = "trap 'echo bye; exit 0' TERM; echo up; echo >ready; while :; do sleep 0.05; done";
    assert.equal((await runToDeadline(runner, command)).stdout, "up\nbye\n");
  });

  test("cancelling ends the tree at once", async (runner) => {
    const controller = new AbortController();
    const command = "sleep 61 & setsid sleep 62 & echo >ready; wait";
    const work = runner.programs.run({ owner: "me", command }, controller.signal);
    isReady(runner).then(() => controller.abort(new Error("stop")), (error) => controller.abort(error));
    await assert.rejects(work, /stop/);
    await runner.programs.close();
    assert.deepEqual(await runner.survivors(), []);
    assert.equal(runner.programs.running, 0);
  });

  test("cancelling at any moment of the start ends the program", async (runner) => {
    for (let delayMs = 0; delayMs < 30; delayMs += 3) {
      const controller = new AbortController();
      const work = runner.programs.run({ owner: "me", command: "sleep 61" }, controller.signal);
      setTimeout(() => controller.abort(new Error("stop")), delayMs);
      await assert.rejects(work, /stop/);
    }
    await runner.programs.close();
    assert.deepEqual(await runner.survivors(), []);
  });

  test("a background child that holds the pipe does not hold up the answer, and is gone afterwards", async (runner) => {
    using _deadline = holdTimers(DEADLINE_MS); // which does not come
    const outcome = await run(runner, { command: "sleep 86400 & echo started", timeoutMs: DEADLINE_MS });
    assert.deepEqual([outcome.stdout, outcome.exitCode], ["started\n", 0]);
    assert.deepEqual(await runner.survivors(), []);
  });

  test("a daemon that closed everything is gone after the answer", async (runner) => {
    const script = "setsid nohup sleep 61 > /dev/null 2>&1 < /dev/null & echo ok";
    assert.equal((await run(runner, script)).stdout, "ok\n");
    const fork =
      "use POSIX; if (!fork) { setsid; if (!fork) { close STDIN; close STDOUT; close STDERR; sleep 61 } exit } print qq(ok\\n)";
    assert.equal((await run(runner, { argv: ["perl", "-e", fork] })).stdout, "ok\n");
    assert.deepEqual(await runner.survivors(), []);
  });

  test("signals are reported as a shell does", async (runner) => {
    const { exitCode, signal } = await run(runner, "kill -SEGV $$");
    assert.deepEqual([exitCode, signal], [139, "SIGSEGV"]);
  });

  test("50 fast commands lose no output", async (runner) => {
    for (let i = 0; i < 50; i++) {
      const command = i % 2 ? `echo out-${i}` : `bash -c 'echo out-${i}; echo err-${i} >&2'`;
      const { stdout, stderr, exitCode } = await run(runner, command);
      assert.deepEqual([stdout, stderr, exitCode], [`out-${i}\n`, i % 2 ? "" : `err-${i}\n`, 0]);
    }
  });
}

Deno.test("run: 500 fast commands, four at a time, lose no output", async () => {
  await using runner = await testRunner();
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < 500; i = next++) {
      const { stdout } = await run(runner, i % 10 ? `echo out-${i}` : `bash -c 'echo out-${i}'`);
      assert.equal(stdout, `out-${i}\n`);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
});

Deno.test("run: a megabyte of three-byte characters arrives whole", async () => {
  await using runner = await testRunner({ files: { "u.txt": "日本語テキスト\n".repeat(50_000) } });
  const { stdout, truncated, stdoutBytes } = await run(runner, { command: "cat u.txt", inlineBytes: 4_000_000 });
  assert.equal(stdout, "日本語テキスト\n".repeat(50_000));
  assert.deepEqual([truncated, stdoutBytes], [false, 1_100_000]);
});

Deno.test("run: long output shows head and tail, and the whole stands behind the handle", async () => {
  await using runner = await testRunner();
  const outcome = await run(runner, `python3 -c 'for i in range(200000): print(i)'`);
  assert.ok(outcome.truncated && outcome.handle);
  assert.ok(outcome.stdout.startsWith("0\n1\n") && outcome.stdout.endsWith("199999\n"));
  assert.ok(outcome.stdout.length < 60_000);
  const slice = await runner.handles.read(outcome.handle, "me", { unit: "lines", offset: 100_000, limit: 2 });
  assert.deepEqual([slice.content, slice.total], ["100000\n100001", 200_000]);
  await assert.rejects(runner.handles.read(outcome.handle, "other", { unit: "lines", offset: 0, limit: 1 }));
});

Deno.test("run: a flood is counted and bounded", async () => {
  await using runner = await testRunner({ more: ["yes"] });
  const outcome = await runToDeadline(runner, "yes 0123456789 | head -c 1000000; echo >ready; yes 0123456789");
  assert.equal(outcome.exitCode, 124);
  assert.ok(outcome.stdoutBytes >= 1_000_000 && outcome.handle !== null);
  const tail = await runner.handles.read(outcome.handle, "me", { unit: "lines", offset: -1, limit: 1 });
  // A program that is killed may have written a part of its last line.
  assert.ok(tail.content !== "" && "0123456789".startsWith(tail.content), tail.content);
});

Deno.test("run: both streams share one budget", async () => {
  await using runner = await testRunner({ resultTokens: 1_000 });
  const { stdout, stderr } = await run(
    runner,
    `python3 -c 'import sys
for i in range(9000): print(i); print(i, file=sys.stderr)'`,
  );
  assert.ok(stdout.endsWith("8999\n") && stderr.endsWith("8999\n"));
  assert.ok(stdout.length + stderr.length < 6_000);
});

Deno.test("run: binary output is described, and its bytes stand behind the handle", async () => {
  await using runner = await testRunner();
  const outcome = await run(runner, `python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(256)) * 4)'`);
  assert.equal(outcome.stdout, "[binary output: application/octet-stream, 1024 bytes]");
  assert.ok(outcome.handle);
  assert.equal(
    (await runner.handles.read(outcome.handle, "me", { unit: "bytes", offset: 65, limit: 3 })).content,
    "ABC",
  );
});

Deno.test("run: terminal sequences are removed unless they are wanted", async () => {
  await using runner = await testRunner();
  const command = `python3 -c 'print("\\x1b[31mred\\x1b[0m")'`;
  assert.equal((await run(runner, command)).stdout, "red\n");
  assert.equal((await run(runner, { command, keepAnsi: true })).stdout, "\x1b[31mred\x1b[0m\n");
});

Deno.test("run: exit code 1 of a search or a comparison is an answer", async () => {
  await using runner = await testRunner({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
  for (
    const [command, failed] of [
      ["grep zzz a.txt", false],
      ["cat a.txt | grep zzz", false],
      ["diff a.txt b.txt", false],
      ["test -f zzz", false],
    ]
      .concat([["grep zzz missing.txt", true], ["ls missing.txt", true], ["bash -c 'exit 1'", true]]) as [
        string,
        boolean,
      ][]
  ) {
    assert.equal((await run(runner, command)).failed, failed, command);
  }
});

Deno.test("run: an allowed program that is not installed answers 127", async () => {
  await using runner = await testRunner();
  const { exitCode, stderr, failed } = await run(runner, "not-installed --x");
  assert.deepEqual([exitCode, failed], [127, true]);
  assert.match(stderr, /not-installed/);
});

Deno.test("run: a timeout above what the operator allows is refused", async () => {
  await using runner = await testRunner({ limits: { max_timeout_sec: 60 } });
  for (const timeoutMs of [0, -1, 61_000, NaN]) {
    await assert.rejects(
      run(runner, { command: "echo x", timeoutMs }),
      (error) => error instanceof OpsError && error.code === "INVALID_ARGUMENT",
    );
  }
});

Deno.test("run: the operator's timeout holds from the next call on when it changes", async () => {
  await using runner = await testRunner();
  const endless = "while :; do :; done";
  runner.config.settings.tools.exec_timeout = 0.2;
  assert.equal((await run(runner, endless)).timedOut, true);
});

Deno.test("run: what goes on too long becomes a managed process, with nothing lost", async () => {
  await using runner = await testRunner({ more: ["sleep"] });
  const command = "echo first; echo >ready; while [ ! -e go ]; do sleep 0.05; done; echo second; exit 4";
  using moment = holdTimers(DEADLINE_MS);
  const work = run(runner, { command, handOverMs: DEADLINE_MS, timeoutMs: 2 * DEADLINE_MS });
  await isReady(runner);
  await moment.goOff();
  const outcome = await work;
  await Deno.writeTextFile(`${runner.root}/go`, "");
  assert.deepEqual([outcome.state, outcome.exitCode, outcome.stdout], ["running", null, "first\n"]);
  assert.ok(outcome.procId);
  const request = { timeoutMs: 5_000, waitForExit: true };
  const end = await runner.processes.read(outcome.procId, "me", request, never());
  assert.deepEqual([end.output, end.state, end.exitCode], ["second\n", "exited", 4]);
  const whole = await runner.processes.read(outcome.procId, "me", { timeoutMs: 0, offset: 0 }, never());
  assert.equal(whole.output, "first\nsecond\n");
});

Deno.test("run: what was handed over still ends at its deadline", async () => {
  await using runner = await testRunner({ more: ["sleep"] });
  const outcome = await run(runner, { command: "sleep 61", handOverMs: 100, timeoutMs: 400 });
  assert.ok(outcome.procId);
  const end = await runner.processes.read(outcome.procId, "me", { timeoutMs: 5_000, waitForExit: true }, never());
  assert.deepEqual([end.state, end.signal], ["exited", "SIGTERM"]);
});
