import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { makeProcessFacts } from "../../src/sysinfo/processes.ts";
import type { ProcessFact } from "../../src/sysinfo/processes.ts";
import { eventually } from "../support/eventually.ts";
import { needing, ROOT_USER } from "../support/needs.ts";

const facts = () => makeProcessFacts({ serverPid: Deno.pid });

function startChild(program: string, args: string[], env: Record<string, string> = {}): Deno.ChildProcess {
  return new Deno.Command(program, { args, env, stdin: "null", stdout: "null", stderr: "null" }).spawn();
}

async function findProcess(pid: number, source = facts()): Promise<ProcessFact> {
  const found = (await source.processes()).find((fact) => fact.pid === pid);
  assert.ok(found, `no process ${pid} in the list`);
  return found;
}

function ownThreads(): number[] {
  return [...Deno.readDirSync(`/proc/${Deno.pid}/task`)].map(({ name }) => Number(name));
}

const refuses = (code: string) => (error: unknown) => error instanceof OpsError && error.code === code;

Deno.test("processes describes a child: parent, owner, command, start, and which one is the server", async () => {
  const beforeMs = Date.now(), child = startChild("/usr/bin/sleep", ["60"]), afterMs = Date.now();
  try {
    await eventually(async () => { // it was started a moment before its arguments and its memory are there
      const list = await facts().processes();
      const found = list.find(({ pid }) => pid === child.pid);
      assert.ok(found);
      assert.equal(found.ppid, Deno.pid);
      assert.equal(found.uid, Deno.uid());
      assert.equal(found.command, "/usr/bin/sleep 60");
      // The kernel counts in hundredths of a second from a start that it tells in whole seconds.
      assert.ok(found.startedMs > beforeMs - 1_500 && found.startedMs < afterMs + 1_500, `${found.startedMs}`);
      assert.ok(found.rssBytes > 100_000 && found.rssBytes < 100_000_000);
      assert.deepEqual(list.filter(({ server }) => server).map(({ pid }) => pid), [Deno.pid]);
    });
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
});

Deno.test("processes measures CPU on the first call and on later ones", async () => {
  const child = startChild("/bin/sh", ["-c", "while :; do :; done"]);
  try {
    let source = facts(), first = await findProcess(child.pid, source);
    // On a busy machine the loop may not get its turn within one short sample.
    for (let attempt = 0; attempt < 20 && first.cpuPercent <= 10; attempt++) {
      source = facts();
      first = await findProcess(child.pid, source);
    }
    assert.ok(first.cpuPercent > 10, `a busy loop used ${first.cpuPercent} %`);
    await source.processes();
    let again = await findProcess(child.pid, source);
    for (let attempt = 0; attempt < 20 && again.cpuPercent === 0; attempt++) {
      again = await findProcess(child.pid, source);
    }
    assert.ok(again.cpuPercent > 0);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
});

Deno.test("a secret in a command line is masked", async () => {
  const child = startChild("/bin/sh", ["-c", "sleep 60; :", "--password=hunter2-Zx81"]);
  try {
    const { command } = await eventually(async () => {
      const found = await findProcess(child.pid);
      assert.match(found.command, /--password=/); // its arguments are there
      return found;
    });
    assert.ok(!command.includes("hunter2") && command.includes("--password=***"), command);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
});

Deno.test("killProcess signals the process that was meant", async () => {
  const child = startChild("/usr/bin/sleep", ["60"]);
  const source = facts();
  const { startTicks } = await findProcess(child.pid, source);
  await source.killProcess(child.pid, startTicks, "TERM", false);
  assert.equal((await child.status).signal, "SIGTERM");
  await assert.rejects(
    async () => await source.killProcess(child.pid, startTicks, "TERM", false),
    refuses("PROCESS_NOT_FOUND"),
  );
});

Deno.test("killProcess refuses a pid that was reused since it was listed", async () => {
  const child = startChild("/usr/bin/sleep", ["60"]);
  try {
    const source = facts();
    const { startTicks } = await findProcess(child.pid, source);
    await assert.rejects(
      async () => await source.killProcess(child.pid, startTicks - 1, "KILL", false),
      refuses("PROCESS_NOT_FOUND"),
    );
  } finally {
    child.kill("SIGKILL");
    assert.equal((await child.status).signal, "SIGKILL");
  }
});

Deno.test("killProcess refuses pid 1, groups, the server, its threads and its parents", async () => {
  const source = facts();
  const list = await source.processes();
  const own = list.find(({ server }) => server);
  assert.ok(own);
  const parent = list.find(({ pid }) => pid === own.ppid);
  const thread = ownThreads().find((id) => id !== Deno.pid);
  for (const pid of [1, 0, -1, -own.pid, own.pid, thread, parent?.pid]) {
    if (pid === undefined) continue;
    const ticks = list.find((fact) => fact.pid === pid)?.startTicks ?? 0;
    await assert.rejects(
      async () => await source.killProcess(pid, ticks, "CONT", true),
      refuses("KILL_FORBIDDEN"),
      `pid ${pid}`,
    );
  }
});

Deno.test(
  needing("killProcess refuses another user's process unless that is allowed", ROOT_USER),
  async () => {
    // Everyone may be in "/", but not everyone where the tests are.
    const child = new Deno.Command("/usr/bin/sleep", { args: ["60"], uid: 65534, cwd: "/", stdin: "null" }).spawn();
    const source = facts();
    const { startTicks, user } = await findProcess(child.pid, source);
    assert.equal(user, "nobody");
    await assert.rejects(
      async () => await source.killProcess(child.pid, startTicks, "TERM", false),
      refuses("PERMISSION_DENIED"),
    );
    await source.killProcess(child.pid, startTicks, "TERM", true);
    assert.equal((await child.status).signal, "SIGTERM");
  },
);

Deno.test("threads of the kernel are told apart", async () => {
  const kernel = (await facts().processes()).filter((fact) => fact.kernel);
  assert.ok(kernel.every(({ command, rssBytes }) => command.startsWith("[") && rssBytes === 0));
});
