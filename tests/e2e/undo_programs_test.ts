/** Undo of what programs change, through the executable, however they are held. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, startHttp, TEST_BINARY } from "../support/binary.ts";
import { overHttp } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { SDK_TIMERS } from "../support/faces.ts";
import { LEVEL, LEVEL_HERE, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";
import { snapshot } from "../support/tree_snapshot.ts";

/** Runs something outside the sandbox, to prepare a tree. */
async function prepare(script: string, cwd: string): Promise<void> {
  const env = { HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { success, stderr } = await new Deno.Command("sh", { args: ["-ec", script], cwd, env }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

const TREE = `
for i in 1 2 3 4 5 6 7 8; do echo "line $i" > f$i.txt; done
mkdir -p dir/deep/empty
for i in 1 2 3; do echo "deep $i" > dir/deep/g$i; done
chmod 750 f2.txt; ln -s f1.txt link; ln -s /nowhere dangling; head -c 700000 /dev/urandom > large.bin
`;
const REPOSITORY = `
git init -q -b main .; git config user.name t; git config user.email t@example.org
for i in 1 2 3; do echo "committed $i" > c$i; done; printf 'ignored\\nbuild/\n' > .gitignore
git add -A; git commit -qm first
for i in 1 2 3; do echo "work of hours $i" > c$i; done; echo secret > ignored; mkdir -p build/out; echo made > build/out/x
`;
const ATTRIBUTES = `python3 -c 'import os; os.setxattr("f3.txt", "user.note", b"kept")'`;
const PACKAGE = `
mkdir -p dep && echo '{"name":"dep","version":"1.0.0","bin":"run.js"}' > dep/package.json
printf '#!/usr/bin/env node\\n' > dep/run.js
echo '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:dep"}}' > package.json
npm install --offline --no-audit --no-fund --ignore-scripts --no-update-notifier --registry http://127.0.0.1:9 >/dev/null 2>&1
echo changed > node_modules/left_behind
`;
const PYTHON = `
import mmap, os
open("f1.txt", "w").write("rewritten\\n")
with open("f2.txt", "r+b") as file:
  with mmap.mmap(file.fileno(), 0) as memory: memory[0:4] = b"LINE"
os.truncate("f3.txt", 2)
with open("f4.txt", "a") as file: file.write("more\\n"); file.flush(); os.ftruncate(file.fileno(), 3)
open("new.tmp", "w").write("replaced"); os.replace("new.tmp", "f5.txt")
os.chdir("dir"); fd = os.open("deep", os.O_RDONLY); os.unlink("g1", dir_fd=fd); os.rename("g2", "g9", src_dir_fd=fd, dst_dir_fd=fd)
open("/proc/self/fd/%d" % os.open("deep/g3", os.O_RDONLY), "w").write("through a descriptor")
os.chdir(".."); open("link2/../f6.txt" if os.path.exists("link2") else "dir/../f6.txt", "w").write("dots")
open("link", "a").write("through a link"); os.makedirs("made/empty/folders");
os.link("f7.txt", "other"); open("other", "w").write("through a hard link"); os.unlink("other")
`;

/** What is run, in which tree, and what a test of it needs. */
const JOBS: readonly { readonly name: string; readonly tree: string; readonly run: string; readonly needs?: string }[] =
  [
    { name: "sed -i", tree: TREE, run: "sed -i s/line/LINE/ f*.txt" },
    { name: "rm -rf", tree: TREE, run: "rm -rf dir f1.txt large.bin" },
    {
      name: "redirects",
      tree: TREE,
      run: "echo new > f1.txt; echo more >> f2.txt; : > f3.txt; echo made > made; echo x | tee f4.txt",
    },
    {
      name: "mv",
      tree: TREE,
      run:
        "mv f1.txt z.txt; mv f2.txt f3.txt; echo x > dir/deep/g1; mv dir moved; echo y >> moved/deep/g2; mv moved again; echo z > again/new",
    },
    {
      name: "modes and empty folders",
      tree: TREE,
      run: "chmod 600 f1.txt; chmod -R g+w dir; mkdir -p a/b/c; rmdir dir/deep/empty; touch made",
    },
    { name: "git checkout over uncommitted work", tree: REPOSITORY, run: "git checkout -q -- .", needs: "git" },
    { name: "git clean -fdx", tree: REPOSITORY, run: "git clean -qfdx", needs: "git" },
    {
      name: "npm ci",
      tree: PACKAGE,
      run: "npm ci --offline --no-audit --no-fund --ignore-scripts --no-update-notifier --registry http://127.0.0.1:9",
      needs: "npm",
    },
    { name: "a rewrite in Python", tree: TREE, run: `python3 -c '${PYTHON}'`, needs: "python3" },
  ];

/** Without Landlock the server can neither read attributes nor make links. */
const WITH_LANDLOCK: typeof JOBS = [
  { name: "links", tree: TREE, run: "ln -s f1.txt l; rm -r link; ln -s f2.txt link; rm dangling" },
  {
    name: "attributes",
    tree: `${TREE}${ATTRIBUTES}`,
    run:
      `python3 -c 'import os; os.setxattr("f8.txt", "user.new", b"1"); os.removexattr("f3.txt", "user.note"); os.remove("f3.txt")'`,
    needs: "python3",
  },
];

for (const level of ["full", "landlock", "bwrap"] as const) {
  Deno.test({
    ...needing(`undo of what programs changed, and undo of that, at level ${level}`, ...LEVEL[level]),
    async fn(t) {
      await using sandbox = await Sandbox.make();
      await using peer = await StdioPeer.open(sandbox, { binary: TEST_BINARY, env: { LLMC_TEST_LEVEL: level } });
      const jobs = level === "bwrap" ? JOBS : [...JOBS, ...WITH_LANDLOCK];
      for (const [at, { name, tree, run, needs }] of jobs.entries()) {
        const cwd = `${sandbox.root}/${at}`, lacks = needs === undefined ? [] : [program(needs)];
        await t.step({
          ...needing(name, ...lacks),
          async fn() {
            await Deno.mkdir(cwd);
            await prepare(tree, cwd);
            const before = await snapshot(cwd);
            const ran = await peer.call("run_cmd", { command: run, cwd }), changed = await snapshot(cwd);
            assert.notEqual(changed, before, ran);
            const id = /^\[changed \d+ files? · undo (op_\w+)\]$/m.exec(ran)?.[1];
            assert.ok(id, ran);
            const undone = await peer.call("linux_fs_undo");
            assert.equal(await snapshot(cwd), before, `${ran}\n${undone}`);
            const undo = /undo (op_\w+)/.exec(undone)?.[1], again = await peer.call("linux_fs_undo", { op: undo });
            assert.equal(await snapshot(cwd), changed, again);
          },
        });
      }
    },
  });
}

Deno.test({
  ...needing(
    "what a program changed before the server was killed can be undone by another server",
    ...LEVEL[LEVEL_HERE],
  ),
  ...SDK_TIMERS,
  async fn() {
    await using sandbox = await Sandbox.make({ "a": "old a\n", "b": "old b\n", "dir/c": "old c\n" });
    const before = await snapshot(sandbox.root);
    const server = await startHttp(sandbox);
    await using client = await overHttp(server)[1]!.connect();
    const command = "echo new > a; rm -r dir; sed -i s/old/new/ b; echo made > last; while :; do sleep 1; done";
    const call = client.call("run_cmd", { command }).catch(() => null);
    await eventually(() => Deno.stat(`${sandbox.root}/last`));
    await server.stop("SIGKILL");
    await call;
    assert.notEqual(await snapshot(sandbox.root), before);
    const run = async (...args: string[]) => await runBinary([...args, "--root", sandbox.root], { env: sandbox.env });
    const undone = await run("undo", "--since", "1h");
    assert.equal(undone.code, 0, undone.stdout + undone.stderr);
    assert.equal(await snapshot(sandbox.root), before);
  },
});

Deno.test({
  ...needing(
    "a result says what undo does not cover, and what another has changed is left alone",
    ...LEVEL[LEVEL_HERE],
  ),
  async fn() {
    await using sandbox = await Sandbox.make({ "small": "old\n", "large": "x".repeat(5_000), "other": "old\n" });
    const args = ["--set", "mcp.undo.max_file_bytes=2000"];
    await using peer = await StdioPeer.open(sandbox, { args });
    const ran = await peer.call("run_cmd", { command: "echo new > small; echo new > large; echo new > other" });
    assert.match(ran, /changed 3 files · undo op_1/);
    assert.match(ran, /1 not covered by undo/);
    await Deno.writeTextFile(`${sandbox.root}/other`, "by hand\n");
    const undone = await peer.call("linux_fs_undo");
    assert.match(undone, /large: its earlier content was not kept/);
    assert.match(undone, /other: changed since by another program/);
    assert.equal(await Deno.readTextFile(`${sandbox.root}/small`), "old\n");
    assert.equal(await Deno.readTextFile(`${sandbox.root}/other`), "by hand\n");
  },
});
