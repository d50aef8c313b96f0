/** Files that run later, outside the sandbox: tools do not write them, programs do not change those that are there. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

const GUARDED = [
  ".git/hooks/pre-commit",
  ".git/config",
  ".vscode/tasks.json",
  ".mcp.json",
  ".envrc",
  ".bashrc",
  ".claude/settings.json",
];

Deno.test("no tool writes a guarded path, and the refusal names the key", async () => {
  await using sandbox = await Sandbox.make({ "plain.txt": "plain\n", "folder/x": "x\n" });
  await using peer = await StdioPeer.open(sandbox);
  for (const name of GUARDED) {
    for (const path of [name, `deep/er/${name}`, `./deep/../${name}`]) {
      const attempts = [
        ["linux_fs_write", { path, content: "x" }],
        ["linux_fs_write", { path, content: "x", mode: "append" }],
        ["linux_fs_move", { source: "plain.txt", target: path }],
      ] as const;
      for (const [tool, args] of attempts) {
        const { result } = await peer.request("tools/call", { name: tool, arguments: args });
        const text = JSON.stringify(result);
        assert.match(text, /guarded|INVALID/, `${tool} ${path}: ${text}`);
        await assert.rejects(Deno.lstat(`${sandbox.root}/${path}`), Deno.errors.NotFound, `${tool} ${path}`);
      }
    }
  }
  const { result } = await peer.request("tools/call", {
    name: "linux_fs_write",
    arguments: { path: ".envrc", content: "x" },
  });
  assert.match(JSON.stringify(result), /removing \\".envrc\\" from mcp\.tools\.guarded_paths/);
});

Deno.test("guarded_paths decides which paths are guarded", async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await StdioPeer.open(sandbox, { args: ["--set", "mcp.tools.guarded_paths=.vscode"] });
  const write = async (path: string) =>
    JSON.stringify(
      (await peer.request("tools/call", { name: "linux_fs_write", arguments: { path, content: "x" } })).result,
    );
  assert.doesNotMatch(await write(".envrc"), /guarded/);
  assert.match(await write(".vscode/tasks.json"), /guarded/);
});

const run = async (sandbox: Sandbox, script: string) => {
  const argv = JSON.stringify(["bash", "-c", script]);
  const { stdout, stderr } = await runBinary(["tool", "run_cmd", `argv=${argv}`, "--json", "--root", sandbox.root], {
    env: { ...sandbox.env, LLMC_TEST_LEVEL: "full" },
    binary: TEST_BINARY,
  });
  return `${JSON.parse(stdout).stdout ?? stdout}${stderr}`;
};

Deno.test(needing("no program changes a guarded file that is there", ...LEVEL.full, program("git")), async () => {
  await using sandbox = await Sandbox.make({
    ".vscode/tasks.json": "mine\n",
    ".envrc": "mine\n",
    ".git/hooks/pre-commit": "mine\n",
  });
  const script = `
    for f in .vscode/tasks.json .envrc .git/hooks/pre-commit; do
      echo evil > $f; echo evil >> $f; rm -f $f; mv $f away; ln -sf /tmp/x $f; sed -i s/mine/evil/ $f; chmod 777 $f
    done
    echo evil > .vscode/new; echo evil > .git/hooks/new; mv .vscode v; mv .git g; mv .git/hooks h; rm -rf .vscode .git; echo done`;
  assert.match(await run(sandbox, script), /done/);
  for (const path of [".vscode/tasks.json", ".envrc", ".git/hooks/pre-commit"]) {
    assert.equal(await Deno.readTextFile(`${sandbox.root}/${path}`), "mine\n", path);
  }
  for (const path of [".vscode/new", ".git/hooks/new"]) {
    await assert.rejects(Deno.lstat(`${sandbox.root}/${path}`), Deno.errors.NotFound);
  }
});

Deno.test(
  needing("git works beside guarded hooks: init, commit, branch, remote, clone", ...LEVEL.full, program("git")),
  async () => {
    await using sandbox = await Sandbox.make({ "a.txt": "a\n" });
    assert.match(await run(sandbox, "git init -q . && echo made"), /made/);
    const script = `set -e
    git config user.email a@b.c; git config user.name A
    git add a.txt; git commit -qm one; git branch other; git switch -q other
    git remote add origin /nowhere; git config alias.st status; git stash list
    git clone -q . copy 2>&1; test -e copy/a.txt; echo worked`;
    assert.match(await run(sandbox, script), /worked/);
  },
);
