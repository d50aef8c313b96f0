import assert from "node:assert/strict";
import type { Child } from "../../src/sandbox/children.ts";
import { childrenOf } from "../../src/sandbox/process_group.ts";
import { childrenOfThreads } from "../../src/sandbox/tree_bounds.ts";
import { makeWaitingNamespaces, type NamespaceFor } from "../../src/sandbox/waiting_namespaces.ts";
import { type RunOptions, type TestRunner, testRunner } from "../exec/run_support.ts";
import { eventually } from "../support/eventually.ts";
import { BUBBLEWRAP, MOUNTS, needing, ROOT_USER } from "../support/needs.ts";

/** How a program is started: without input, in a namespace that may have waited; with input never. */
type Input = "null" | Uint8Array<ArrayBuffer>;

async function start({ children, root }: TestRunner, script: string, stdin: Input = "null"): Promise<Child> {
  return await children.spawn({ program: "sh", args: ["-c", script], cwd: root, env: { GIVEN: "it's\ntwo" }, stdin });
}

async function outputOf(child: Child): Promise<string> {
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  return stdout + stderr;
}

async function run(runner: TestRunner, script: string, stdin: Input = "null"): Promise<{ pid: number; text: string }> {
  const child = await start(runner, script, stdin);
  return { pid: child.pid, text: await outputOf(child) };
}

/** Runs a program, and finds the namespace that waits for the next one: its shell is there and has started nothing. */
async function nextNamespace(runner: TestRunner): Promise<number> {
  await run(runner, "true");
  return await eventually(() => {
    const [pid, ...others] = bubblewrapsBelow(Deno.pid);
    assert.ok(pid !== undefined && others.length === 0);
    const [inner = 0] = childrenOf(pid), [shell = 0] = childrenOf(inner);
    assert.equal(Deno.readTextFileSync(`/proc/${shell}/comm`), "sh\n");
    return pid;
  });
}

/** Those that a process has started and that have not ended. */
function bubblewrapsBelow(parent: number): number[] {
  return childrenOfThreads(parent).filter((pid) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/cmdline`).startsWith("/usr/bin/bwrap\0--args\0");
    } catch {
      return false; // it has just ended
    }
  });
}

const FILES = { ".mcp.json": "{}\n", "deep/.vscode/tasks.json": "{}\n", "a.txt": "a\n" };

function test(
  criterion: string,
  body: (runner: TestRunner) => Promise<void>,
  { lacks = [], ...options }: RunOptions & { lacks?: (string | null)[] } = {},
): void {
  Deno.test(needing(`namespace that waits: ${criterion}`, BUBBLEWRAP, ...lacks), async () => {
    await using runner = await testRunner({ held: "bwrap", keepsNamespace: true, files: FILES, ...options });
    await body(runner);
  });
}

test("the next program gets it, and only one program", async (runner) => {
  const pid = await nextNamespace(runner);
  const started = await Promise.all(Array.from({ length: 4 }, () => start(runner, "echo here; echo $$ >>pids")));
  assert.equal(started.filter((child) => child.pid === pid).length, 1);
  assert.equal(new Set(started.map((child) => child.pid)).size, 4);
  assert.deepEqual(await Promise.all(started.map(outputOf)), Array(4).fill("here\n"));
});

test("what a program sees and may do there is what it would be in a new one", async (runner) => {
  const look = `
    env | sort | grep -v '^LLMC_PROC='
    cut -d ' ' -f 4- /proc/self/mountinfo | sed 's/master:[0-9]*//' | sort
    grep -v 'Max realtime timeout' /proc/self/limits
    grep -E '^(NoNewPrivs|Seccomp|Seccomp_filters|Cap...|Uid|Gid|Groups|Sig...|Umask|NSpid):' /proc/self/status
    ls -l /proc/self/fd | sed 's/.* \\([0-9]* ->\\)/\\1/; s/[0-9]*]$//'
    pwd; ls -lAd / /* /etc/* /dev/* | sed 's/^\\([^ ]* *\\)[0-9]*/\\1/; s/[A-Z][a-z][a-z] .[0-9] [0-9:]*//'
    for file in /proc/[0-9]*/comm; do read -r name <$file; echo $name; done; cat /etc/passwd`;
  const pid = await nextNamespace(runner), waited = await run(runner, look);
  assert.equal(waited.pid, pid);
  await runner.children.close();
  const made = await run(runner, look);
  assert.notEqual(made.pid, pid);
  assert.equal(waited.text, made.text);
  assert.match(waited.text, /^GIVEN=it's$/m);
});

test("the environment is the same as without the shell that waits", async (runner) => {
  const look = "env | sort | grep -v -e '^LLMC_PROC=' -e '^SHLVL=' -e '^_='";
  await nextNamespace(runner);
  assert.equal((await run(runner, look)).text, (await run(runner, look, new Uint8Array())).text);
});

test("neither arguments nor scripts of the sandbox are in its list of processes", async (runner) => {
  await nextNamespace(runner);
  const look = "cat /proc/1/cmdline /proc/2/cmdline | tr '\\0' '\\n'; ls -l /proc/*/fd | grep -c memfd";
  const { text } = await run(runner, look);
  assert.match(text, /^\/usr\/bin\/bwrap\n--args\n\d+\n--\n\/bin\/sh\n\/bin\/sh\n0\n$/);
  // One that has input has no shell that could be told.
  const { text: withInput } = await run(runner, look, new Uint8Array());
  assert.match(withInput, /^\/usr\/bin\/bwrap\n--args\n\d+\n--\n[^]*\n0\n$/);
  assert.ok(!`${text}${withInput}`.includes(runner.root));
});

/** What may change between two programs; each must be as if the namespace were made only now. */
const CHANGES: readonly (readonly [name: string, change: string, attack: string, expected: RegExp])[] = [
  ["a guarded file is made", "mkdir .vscode && echo 1 >.vscode/tasks.json", "echo 2 >.vscode/tasks.json", /Read-only/],
  ["a guarded file is replaced", "echo 1 >new && mv new .mcp.json", "echo 2 >.mcp.json", /Read-only/],
  ["a guarded file is removed and made again", "rm .mcp.json; echo 1 >.mcp.json", "echo 2 >.mcp.json", /Read-only/],
  [
    "a guarded folder is moved away and another one made",
    "mkdir -p a/hooks && mv a .git",
    "echo 2 >.git/hooks/x",
    /Read-only/,
  ],
  ["the root is replaced", 'mv "$PWD" "$PWD.old" && mkdir "$PWD" && echo new >"$PWD/a.txt"', "cat a.txt", /^new/],
];

for (const [name, change, attack, expected] of CHANGES) {
  test(`is ended unused when ${name}`, async (runner) => {
    const pid = await nextNamespace(runner);
    const changed = await new Deno.Command("sh", { args: ["-c", change], cwd: runner.root }).output();
    assert.ok(changed.success, new TextDecoder().decode(changed.stderr));
    const { pid: used, text } = await run(runner, attack);
    assert.notEqual(used, pid);
    assert.match(text, expected);
    await eventually(() => assert.ok(!bubblewrapsBelow(Deno.pid).includes(pid)));
  });
}

test("is ended unused when something is mounted on the machine", async (runner) => {
  const pid = await nextNamespace(runner), path = `${runner.root}/mounted`;
  const outside = (program: string, ...args: string[]) => new Deno.Command(program, { args }).output();
  await Deno.mkdir(path);
  await outside("mount", "-t", "tmpfs", "none", path);
  try {
    assert.notEqual((await run(runner, "true")).pid, pid);
  } finally {
    await outside("umount", "-l", path);
  }
}, { lacks: [ROOT_USER, MOUNTS] });

test("another session does not get it", async (runner) => {
  const pid = await nextNamespace(runner);
  const request = { program: "sh", args: ["-c", "true"], cwd: runner.root, env: {}, stdin: "null" } as const;
  const child = await runner.children.spawn({ ...request, session: "another" });
  await outputOf(child);
  assert.notEqual(child.pid, pid);
});

test("a program with fewer roots does not get it", async (runner) => {
  const pid = await nextNamespace(runner);
  const request = { program: "sh", args: ["-c", "ls -A /"], cwd: "/", env: {}, stdin: "null", roots: [] } as const;
  const child = await runner.children.spawn(request);
  await outputOf(child);
  assert.notEqual(child.pid, pid);
});

test("one that was killed is not used", async (runner) => {
  const pid = await nextNamespace(runner);
  Deno.kill(pid, "SIGKILL");
  await eventually(() => assert.ok(!bubblewrapsBelow(Deno.pid).includes(pid)));
  assert.equal((await run(runner, "echo here")).text, "here\n");
});

test("is not counted as a running program, and a sweep of one program leaves it", async (runner) => {
  const pid = await nextNamespace(runner);
  assert.equal(runner.children.running(), 0);
  const child = await start(runner, "sleep 60", new Uint8Array());
  assert.equal(runner.children.running(), 1);
  await child.kill();
  await outputOf(child);
  assert.equal((await run(runner, "true")).pid, pid);
});

test("is ended, with all in it, when the host of programs ends", async (runner) => {
  const pid = await nextNamespace(runner), [inner = 0] = childrenOf(pid);
  await runner.children.close();
  assert.deepEqual(bubblewrapsBelow(Deno.pid), []);
  await eventually(() => assert.deepEqual(childrenOf(inner), []));
});

Deno.test("namespaces that wait: an unused one is ended after a while, and there are never more than four", async () => {
  const started: Deno.ChildProcess[] = [];
  const start = () => {
    const options = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const process = new Deno.Command("setsid", { args: ["cat"], ...options }).spawn();
    started.push(process);
    return process;
  };
  const plan = { copied: [], args: [] };
  const waiting = makeWaitingNamespaces({ start, mountsChanged: () => false }, 200);
  for (let index = 0; index < 6; index++) {
    const wanted: NamespaceFor = { owner: `session ${index}`, plan: () => plan };
    const child = new Deno.Command("true").spawn();
    await child.status;
    waiting.replace(child, wanted);
    await eventually(() => assert.equal(started.length, index + 1));
    if (index === 5) assert.ok(started.filter(({ pid }) => isThere(pid)).length <= 4);
  }
  await Promise.all(started.map(({ status }) => status));
  assert.equal(waiting.take({ owner: "session 5", plan: () => plan }, plan), null);
  await waiting.close();
});

function isThere(pid: number): boolean {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/comm`) === "cat\n";
  } catch {
    return false;
  }
}
