import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import type { ReadOutcome, ReadRequest, SendRequest, StartRequest } from "../../src/exec/processes.ts";
import { eventually } from "../support/eventually.ts";
import { holdTimers } from "../support/clock.ts";
import { makeGate } from "../support/gate.ts";
import { type RunOptions, type TestRunner, testRunner, WAYS } from "./run_support.ts";
import { BUBBLEWRAP, type Lack, needing, program } from "../support/needs.ts";

const never = new AbortController().signal;
/** How long the end of a process is waited for before it is forced, and how long a process may leave its input unread. */
const STOP_GRACE_MS = 2_000, WRITE_TIMEOUT_MS = 5_000;
const refuses = (code: string) => (error: unknown) => error instanceof OpsError && error.code === code;

/** One process, driven as a model would. */
async function start(runner: TestRunner, request: Partial<StartRequest> | string) {
  const asked = typeof request === "string" ? { command: request } : request;
  const started = await runner.processes.start({ owner: "me", ...asked }, never);
  const { procId } = started;
  return {
    ...started,
    send: (input: string, more: Partial<SendRequest> = {}) =>
      runner.processes.send(procId, "me", { input, enter: true, eof: false, ...more }),
    read: (request: Partial<ReadRequest> = {}): Promise<ReadOutcome> =>
      runner.processes.read(procId, "me", { timeoutMs: 5_000, ...request }, never),
    stop: () => runner.processes.stop(procId, "me", "TERM"),
  };
}

function test(
  name: string,
  body: (runner: TestRunner) => Promise<void>,
  options: RunOptions = {},
  ...lacks: readonly Lack[]
): void {
  Deno.test({
    ...needing(`process: ${name}`, ...lacks),
    async fn() {
      await using runner = await testRunner({ more: ["sleep", "sqlite3", "setsid"], ...options });
      await body(runner);
      assert.deepEqual(
        runner.processes.list("*").filter(({ state }) => state === "running").map(({ command }) => command),
        [],
      );
      assert.deepEqual(await runner.survivors(), []);
    },
  });
}

for (const [held, lack] of WAYS) {
  const each = (name: string, body: (runner: TestRunner) => Promise<void>, ...lacks: readonly Lack[]) =>
    test(`(${held}) ${name}`, body, { held }, lack, ...lacks);

  each("a Python session keeps its state", async (runner) => {
    const python = await start(runner, { command: "python3 -i -q -u", waitMs: 100 });
    assert.equal(python.state, "running");
    await python.send("x = 6 * 7");
    await python.send("print(x)");
    assert.match((await python.read({ waitFor: "42" })).output, /42/);
    await python.send("x + 1");
    assert.match((await python.read({ waitFor: "43" })).output, /43/);
    await python.send("raise SystemExit(5)");
    const { state, exitCode } = await python.read({ waitForExit: true });
    assert.deepEqual([state, exitCode], ["exited", 5]);
  });

  each("a Node session answers", async (runner) => {
    const node = await start(runner, { command: "node -i" });
    assert.match((await node.read({ waitFor: "> $", offset: 0 })).output, /Node/);
    await node.send("[1, 2, 3].map((x) => x * 7)");
    assert.match((await node.read({ waitFor: "\\[ 7, 14, 21 \\]" })).output, /14/);
    await node.send("", { eof: true });
    assert.equal((await node.read({ waitForExit: true })).state, "exited");
  }, program("node"));

  each("a shell session keeps its directory and its variables", async (runner) => {
    const shell = await start(runner, { command: "bash", waitMs: 0 });
    await shell.send("mkdir d && cd d && V=1");
    await shell.send('echo "$PWD:$V"');
    assert.equal((await shell.read({ waitFor: "d:1\n" })).output, `${runner.root}/d:1\n`);
    const stopped = { state: "exited", exitCode: 143, signal: "SIGTERM", command: "bash", ports: [] };
    assert.deepEqual(await shell.stop(), stopped);
  });

  each("a database session answers", async (runner) => {
    const sqlite = await start(runner, { argv: ["sqlite3", "t.db"], waitMs: 0 });
    await sqlite.send("create table t(x); insert into t values (1),(2); select sum(x) from t;");
    assert.equal((await sqlite.read({ waitFor: "3\n" })).output, "3\n");
    await sqlite.send(".quit");
    assert.equal((await sqlite.read({ waitForExit: true })).exitCode, 0);
  }, program("sqlite3"));

  each("a terminal is one: size, prompt, Ctrl-C, end of input", async (runner) => {
    const shell = await start(runner, { command: "bash --norc -i", pty: { rows: 33, cols: 99 }, env: {} });
    const shows = async (waitFor: string, expected: RegExp) => {
      const { output, matched } = await shell.read({ waitFor });
      if (matched === true && expected.test(output)) return;
      const all = await shell.read({ offset: 0, timeoutMs: 0, keepAnsi: true });
      assert.fail(`waited for ${waitFor}, ${expected}: ${JSON.stringify({ matched, output, all })}`);
    };
    await shell.send("PS1='ready> '; stty size; test -t 0 && echo is-a-tty");
    await shows("is-a-tty\\nready> $", /33 99\nis-a-tty\nready> $/);
    // Ctrl-C ends these wherever they are. Python only notes it, and sleeps on when it was just about to sleep.
    await shell.send("sh -c 'echo go; exec sleep 61'");
    await shows("^go$", /^go$/m);
    await shell.send("", { control: "c" });
    await shows("ready> $", /\^C\nready> $/);
    await shell.send("echo $?");
    // Its prompt is there: before that, an end of input is lost to the terminal.
    await shows("130\\nready> $", /130/);
    await shell.send("", { eof: true });
    assert.equal((await shell.read({ waitForExit: true })).state, "exited");
  });

  each("stopping ends the whole tree, and stopping again changes nothing", async (runner) => {
    const shell = await start(runner, { command: "sleep 61 & setsid sleep 62 & echo up; sleep 63", waitMs: 10_000 });
    assert.equal(shell.firstOutput.output, "up\n");
    const first = await shell.stop();
    assert.equal(first.state, "exited");
    assert.deepEqual(await runner.survivors(), []);
    assert.deepEqual(await shell.stop(), first);
  });

  each("stopping a terminal ends what runs on it, without force", async (runner) => {
    using _force = holdTimers(STOP_GRACE_MS); // which does not come
    const shell = await start(runner, { command: "bash --norc -i", pty: { rows: 24, cols: 80 } });
    await shell.send("sleep 61 & setsid sleep 62 & echo go; sleep 63");
    await shell.read({ waitFor: "^go$" });
    assert.notEqual((await shell.stop()).exitCode, 137);
  });

  each("a process that ignores TERM is ended by force", async (runner) => {
    const shell = await start(runner, { command: "trap '' TERM; echo up; while :; do sleep 1; done", waitMs: 10_000 });
    assert.equal(shell.firstOutput.output, "up\n");
    const { state, exitCode, signal, ports } = await shell.stop();
    assert.deepEqual([state, exitCode, signal, ports], ["exited", 137, "SIGKILL", []]);
  });
}

test(
  "a Python prompt on a terminal can be waited for",
  async (runner) => {
    const python = await start(runner, { command: "python3 -q", pty: { rows: 24, cols: 80 } });
    await python.send("6*7");
    const { output, matched } = await python.read({ waitFor: "42\\s+>>> $" });
    assert.equal(matched, true);
    assert.ok(!output.includes("\x1b"));
    await python.stop();
  },
  { held: "bwrap" },
  BUBBLEWRAP,
);

test("reads give every byte once, whatever their size", async (runner) => {
  const writer = await start(runner, { command: `python3 -u -c 'for i in range(20000): print(i)'`, waitMs: 0 });
  let text = writer.firstOutput.output, expected = writer.firstOutput.nextOffset;
  for (let state = "running", more = true; state === "running" || more;) {
    const slice = await writer.read({ timeoutMs: 2_000, maxBytes: 3_000 });
    assert.equal(slice.offset, expected);
    assert.equal(slice.lostBytes, 0);
    expected = slice.nextOffset;
    text += slice.output;
    ({ state, more } = slice);
  }
  assert.equal(text, Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(""));
});

test("an offset reads again, without moving on", async (runner) => {
  const echo = await start(runner, { command: "echo abcdef" });
  assert.equal((await echo.read({ offset: 0, waitForExit: true })).output, "abcdef\n");
  assert.equal((await echo.read({ offset: 2, maxBytes: 64 })).output, "cdef\n");
  assert.equal((await echo.read({ timeoutMs: 0 })).output, "");
});

test("what the ring no longer holds is counted", async (runner) => {
  const flood = await start(runner, { command: `python3 -c 'print("x" * 5_000_000)'`, waitMs: 0 });
  await flood.read({ waitForExit: true, maxBytes: 64, offset: 0 });
  const { lostBytes, offset, output } = await flood.read({ offset: 0, timeoutMs: 0 });
  assert.ok(lostBytes > 2_000_000);
  assert.equal(lostBytes, offset);
  assert.match(output, /^x+$/);
});

test("both streams come in the order of arrival", async (runner) => {
  const shell = await start(runner, { command: "bash", waitMs: 0 });
  for (const [line, shown] of [["echo a", "a\n"], ["echo b >&2", "b\n"], ["echo c", "c\n"]] as const) {
    await shell.send(line);
    assert.equal((await shell.read()).output, shown);
  }
  await shell.stop();
});

test("a read waits for output, for a pattern, for the end, or for its time", async (runner) => {
  const shell = await start(runner, { command: "bash", waitMs: 0 });
  const begin = performance.now();
  assert.equal((await shell.read({ timeoutMs: 150 })).output, "");
  assert.ok(performance.now() - begin >= 145);
  await shell.send("echo one; read; echo two; read; echo three; exit 7");
  assert.equal((await shell.read()).output, "one\n");
  const [second] = await Promise.all([shell.read({ waitFor: "two" }), shell.send("")]);
  assert.deepEqual([second.output, second.matched], ["two\n", true]);
  const [third] = await Promise.all([shell.read({ waitFor: "never", timeoutMs: 5_000 }), shell.send("")]);
  assert.deepEqual([third.output, third.matched, third.state, third.exitCode], ["three\n", false, "exited", 7]);
});

test("a pattern that would hang another engine does not hold up the server", async (runner) => {
  const writer = await start(runner, {
    command: `python3 -c 'print("a" * 60000 + "!"); import time; time.sleep(61)'`,
    waitMs: 0,
  });
  // An engine that tries every way would not come back from its first look in a lifetime.
  assert.equal((await writer.read({ waitFor: "(a+)+$b", offset: 0, timeoutMs: 800 })).matched, false);
  await assert.rejects(writer.read({ waitFor: "(a)\\1" }), refuses("INVALID_ARGUMENT"));
  await writer.stop();
});

test("cancelling a read leaves the process alone", async (runner) => {
  const shell = await start(runner, { command: "bash", waitMs: 0 });
  const controller = new AbortController();
  const read = runner.processes.read(shell.procId, "me", { timeoutMs: 30_000 }, controller.signal);
  controller.abort(new Error("stop"));
  await assert.rejects(read, /stop/);
  await shell.send("echo alive");
  assert.equal((await shell.read()).output, "alive\n");
  await shell.stop();
});

test("what a cancelled read had seen is there for the next one", async (runner) => {
  const shell = await start(runner, { command: "bash", waitMs: 0 });
  let cancelled = 0;
  for (let round = 0; cancelled < 3 && round < 100; round++) {
    const controller = new AbortController(), bytes = () => runner.processes.list("me")[0]?.outputBytes ?? 0;
    const before = bytes();
    const reading = runner.processes.read(shell.procId, "me", { timeoutMs: 30_000 }, controller.signal);
    await shell.send(`echo round ${round}`);
    while (bytes() === before) await new Promise((resolve) => setTimeout(resolve, 0));
    controller.abort(new Error("stop")); // in the pause in which more might come
    const output = await reading.then(({ output }) => output, async () => {
      cancelled++;
      return (await shell.read()).output;
    });
    assert.equal(output, `round ${round}\n`);
  }
  assert.ok(cancelled > 0);
  await shell.stop();
});

test("a start that is cancelled leaves nothing", async (runner) => {
  const controller = new AbortController();
  const work = runner.processes.start({ owner: "me", command: "sleep 61", waitMs: 30_000 }, controller.signal);
  while (runner.processes.list("me").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("stop"));
  await assert.rejects(work, /stop/);
  assert.deepEqual(runner.processes.list("me"), []);
});

test("input can be closed, and control keys work without a terminal", async (runner) => {
  const cat = await start(runner, { command: "cat", waitMs: 0 });
  await cat.send("last", { enter: false, eof: true });
  const { output, state } = await cat.read({ waitForExit: true });
  assert.deepEqual([output, state], ["last", "exited"]);
  await assert.rejects(cat.send("more"), refuses("PROCESS_NOT_FOUND"));
  const sleeper = await start(runner, { command: "echo ready; exec sleep 61", waitMs: 0 });
  await sleeper.read({ waitFor: "ready" }); // what is still being set up has no program yet that could be interrupted
  await assert.rejects(sleeper.send("", { control: "x" }), refuses("INVALID_ARGUMENT"));
  await sleeper.send("", { control: "c" });
  assert.equal((await sleeper.read({ waitForExit: true })).signal, "SIGINT");
});

test("a process that does not read its input does not hold up the server", async (runner) => {
  const sleeper = await start(runner, { command: "sleep 61", waitMs: 0 });
  using patience = holdTimers(WRITE_TIMEOUT_MS);
  const first = assert.rejects(sleeper.send("x".repeat(200_000)), refuses("TIMEOUT"));
  await patience.goOff();
  await first;
  await assert.rejects(sleeper.send("x".repeat(300_000)), refuses("INVALID_ARGUMENT"));
  // At once: more would only wait as well, and nothing goes off here.
  await assert.rejects(sleeper.send("again"), /sent before/);
  await assert.rejects(sleeper.send("", { eof: true }), refuses("TIMEOUT"));
  await sleeper.stop();
});

test("a process that reads its input late gets all of it once, and then more", async (runner) => {
  using gate = await makeGate(`${runner.root}/go`);
  const late = await start(runner, { command: "read line < go; wc -c", waitMs: 0 });
  await assert.rejects(late.send("x".repeat(200_000)), refuses("TIMEOUT"));
  await assert.rejects(late.send("", { eof: true }), refuses("TIMEOUT")); // and the input is still open
  await gate.pass();
  await eventually(() => late.send("more", { eof: true }));
  assert.equal((await late.read({ waitForExit: true })).output.trim(), "200006");
});

test("another owner's process does not exist", async (runner) => {
  const shell = await start(runner, { command: "bash", waitMs: 0 });
  const read = await runner.processes.read(shell.procId, "other", { timeoutMs: 0 }, never);
  assert.equal(read.state, "no_such_process");
  assert.equal((await runner.processes.stop(shell.procId, "other", "KILL")).state, "no_such_process");
  await assert.rejects(
    runner.processes.send(shell.procId, "other", { input: "x", enter: true, eof: false }),
    refuses("PROCESS_NOT_FOUND"),
  );
  await assert.rejects(runner.processes.signal(shell.procId, "other", "KILL"), refuses("PROCESS_NOT_FOUND"));
  assert.deepEqual(runner.processes.list("other"), []);
  assert.deepEqual(runner.processes.list("me").map(({ state }) => state), ["running"]);
  await shell.stop();
});

test("caps hold for a session and for all, also when starts come at once", async (runner) => {
  const started = await Promise.allSettled(
    Array.from({ length: 5 }, () => start(runner, { command: "sleep 61", waitMs: 0 })),
  );
  assert.equal(started.filter(({ status }) => status === "fulfilled").length, 2);
  for (const each of started) if (each.status === "rejected") assert.ok(refuses("PROC_LIMIT_EXCEEDED")(each.reason));
  await runner.processes.start({ owner: "other", command: "sleep 61", waitMs: 0 }, never);
  await assert.rejects(
    runner.processes.start({ owner: "third", command: "sleep 61", waitMs: 0 }, never),
    refuses("PROC_LIMIT_EXCEEDED"),
  );
  await assert.rejects(
    start(runner, { command: "sleep 61", session: "next", waitMs: 0 }),
    refuses("PROC_LIMIT_EXCEEDED"),
  );
  for (const { procId } of runner.processes.list("me")) await runner.processes.stop(procId, "me", "KILL");
  await Promise.all(["one", "two"].map((session) => start(runner, { command: "sleep 61", session, waitMs: 0 })));
  for (const { procId } of runner.processes.list("me")) await runner.processes.stop(procId, "me", "KILL");
  await start(runner, { command: "echo again" });
  await runner.processes.close();
}, { limits: { max_procs_per_session: 2, max_procs_total: 3 } });

test("a process that prints nothing counts once while its first output is waited for", async (runner) => {
  const silent = () => start(runner, { command: "sleep 61", waitMs: 30_000 });
  const first = silent().catch((error: unknown) => error), listed = () => runner.processes.list("me").length;
  while (listed() < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  await start(runner, { command: "sleep 61", waitMs: 0 });
  await assert.rejects(silent(), refuses("PROC_LIMIT_EXCEEDED"));
  await runner.processes.close();
  await first;
}, { limits: { max_procs_per_session: 2 } });

test("a refused start does not count", async (runner) => {
  await assert.rejects(start(runner, "nc -l"), refuses("COMMAND_NOT_ALLOWED"));
  const echo = await start(runner, "echo hi");
  assert.equal((await echo.read({ offset: 0, waitForExit: true })).output, "hi\n");
}, { limits: { max_procs_per_session: 1 } });

Deno.test("process: what nobody used for long is ended and forgotten", async () => {
  let now = 1_000_000;
  await using runner = await testRunner({ more: ["sleep"], limits: { idle_ttl_sec: 10 }, now: () => now });
  const idle = await start(runner, { command: "sleep 61", waitMs: 0 });
  const finished = await start(runner, { command: "echo done" });
  now += 9_000;
  const used = await start(runner, { command: "sleep 61", waitMs: 0 });
  now += 5_000;
  while (runner.processes.list("*").length > 1) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(runner.processes.list("*").map(({ procId }) => procId), [used.procId]);
  for (const gone of [idle, finished]) assert.equal((await gone.read({ timeoutMs: 0 })).state, "no_such_process");
  await runner.processes.close();
  assert.deepEqual(await runner.survivors(), []);
});

test("finished processes stay readable", async (runner) => {
  const failing = await start(runner, { command: "echo out; echo err >&2; exit 3" });
  const { output, state, exitCode } = await failing.read({ offset: 0, waitForExit: true });
  assert.deepEqual([output, state, exitCode], ["out\nerr\n", "exited", 3]);
  assert.deepEqual(
    runner.processes.list("me").map(({ state, exitCode, outputBytes }) => [state, exitCode, outputBytes]),
    [["exited", 3, 8]],
  );
});
