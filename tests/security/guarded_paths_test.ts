/** Files that run later, outside the sandbox: tools cannot write them, programs cannot change existing ones. @module */
import assert from "node:assert/strict";
import { runBinary, Sandbox, TEST_BINARY } from "../support/binary.ts";
import { type Lack, LEVEL, LEVEL_HERE, needing, OWN_MOUNTS, program } from "../support/needs.ts";
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
  assert.match(JSON.stringify(result), /adding \\".envrc\\" to mcp\.tools\.unguarded_paths/);
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

/** Starts a server at a level. */
const open = (sandbox: Sandbox, level: string, ...settings: string[]) =>
  StdioPeer.open(sandbox, {
    args: ["--set", "mcp.tools.confinement=best_effort", ...settings.flatMap((each) => ["--set", each])],
    env: { LLMC_TEST_LEVEL: level },
    binary: TEST_BINARY,
  });
const isThere = (path: string) => Deno.lstat(path).then(() => true, () => false);

/** A program's ways to leave something that runs later; each makes one guarded file. */
const PLANTS: readonly (readonly [file: string, script: string])[] = [
  [".envrc", "echo evil > .envrc"],
  ["deep/er/.vscode/tasks.json", "mkdir -p deep/er/.vscode && echo evil > deep/er/.vscode/tasks.json"],
  [".mcp.json", "echo evil > x && mv x .mcp.json"],
  ["a/b/.claude/settings.json", "mkdir -p t/.claude && echo evil > t/.claude/settings.json && mkdir a && mv t a/b"],
  [".bashrc", "ln -s target .bashrc"],
  ["linked/.bashrc", "mkdir linked && echo evil > evil && ln evil linked/.bashrc"],
  [".git/hooks/post-checkout", "echo evil > .git/hooks.new && mv .git/hooks.new .git/hooks/post-checkout"],
  ["fresh/.git/hooks/pre-commit", "git init -q fresh && echo evil > fresh/.git/hooks/pre-commit"],
  ["bare/hooks/post-update", "git init -q --bare bare && echo evil > bare/hooks/post-update"],
  ["odd/.git/hooks/pre-push", "mkdir -p odd/.git/hooks && echo evil > odd/.git/hooks/pre-push"],
  [
    "moved/.git/hooks/pre-commit",
    "git init -q moved && rm -rf moved/.git/hooks && mkdir m && echo evil > m/pre-commit && mv m moved/.git/hooks",
  ],
  [
    "led/.git/hooks/pre-commit",
    "git init -q led && rm -rf led/.git/hooks && mkdir led/.git/h && echo evil > led/.git/h/pre-commit && ln -s h led/.git/hooks",
  ],
  ["old/.vscode/tasks.json", "echo evil > old/.vscode/tasks.json"],
  ["old/.idea/x.xml", "rm old/.idea/x.xml && echo evil > old/.idea/x.xml"],
  ["old/.cursor/rules", "ln old/.cursor/rules h && echo evil > h && touch -d 2001-01-01 h && rm h"],
  [".config/autostart/e.desktop", "mkdir -p .config/autostart && echo evil > .config/autostart/e.desktop"],
];

for (const level of ["full", "landlock", "bwrap", "none"] as const) {
  Deno.test(
    needing(
      `what a program made or changed of guarded files is set aside at level ${level}`,
      ...LEVEL[level],
      program("git"),
    ),
    async () => {
      const before = { "old/.vscode/tasks.json": "mine", "old/.idea/x.xml": "mine", "old/.cursor/rules": "mine" };
      await using sandbox = await Sandbox.make(before);
      await new Deno.Command("git", { args: ["init", "-q", "."], cwd: sandbox.root }).output();
      await using peer = await open(sandbox, level);
      // Where mounts work, a hook of the root's own repository cannot even be made.
      const refused = level === "full" || level === "bwrap" ? [".git/hooks/post-checkout"] : [];
      for (const [file, script] of PLANTS) {
        const answer = await peer.call("run_cmd", { argv: ["bash", "-c", `${script}; echo done`] });
        assert.match(answer, /done/, file);
        const path = `${sandbox.root}/${file}`, former = before[file as keyof typeof before];
        if (former === undefined) assert.equal(await isThere(path), false, `${file}: ${answer}`);
        else assert.equal(await Deno.readTextFile(path), former, `${file}: ${answer}`);
        if (refused.includes(file)) continue;
        assert.match(answer, /set aside: .*\.set-aside.*mcp\.tools\.unguarded_paths/, file);
        assert.ok(answer.includes(file), answer);
        assert.ok(await isThere(`${path}.set-aside`), file);
      }
    },
  );
}

Deno.test(needing("unguarded_paths allows a path, for tools and programs", ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await open(sandbox, "full", "mcp.tools.unguarded_paths=.envrc,web/.vscode");
  const script =
    "mkdir -p web/.vscode other/.vscode; echo a > .envrc; echo a > web/.vscode/x; echo a > other/.vscode/x";
  const answer = await peer.call("run_cmd", { argv: ["bash", "-c", script] });
  assert.match(answer, /set aside: other\/\.vscode\/x → x\.set-aside: /);
  assert.ok(await isThere(`${sandbox.root}/.envrc`) && await isThere(`${sandbox.root}/web/.vscode/x`));
  assert.match(await peer.call("linux_fs_write", { path: "web/.vscode/y", content: "y" }), /wrote|created/);
});

Deno.test(
  needing("what the user made between calls is left alone, and so is a repository that moves", ...LEVEL.full),
  async () => {
    await using sandbox = await Sandbox.make({ "repo/.git/hooks/pre-commit": "mine", "repo/.envrc": "mine" });
    await using peer = await open(sandbox, "full");
    await peer.call("run_cmd", { argv: ["true"] });
    await sandbox.write(".vscode/tasks.json", "mine");
    const answer = await peer.call("run_cmd", {
      argv: ["bash", "-c", "mv repo moved; cat .vscode/tasks.json moved/.envrc"],
    });
    assert.match(answer, /minemine/);
    assert.doesNotMatch(answer, /set aside/);
    assert.equal(await Deno.readTextFile(`${sandbox.root}/moved/.git/hooks/pre-commit`), "mine");
  },
);

Deno.test(needing("what a program plants is set aside while it goes on", ...LEVEL.full), async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await open(sandbox, "full");
  const script = "echo evil > .envrc; until test -e .envrc.set-aside; do sleep 0.05; done; echo gone";
  assert.match(await peer.call("run_cmd", { argv: ["bash", "-c", script] }), /gone/);
});

const NAMESPACE: Lack = program("unshare") ?? OWN_MOUNTS;

Deno.test(needing("guarded files are set aside too when the kernel gives no notifications", NAMESPACE), async () => {
  await using sandbox = await Sandbox.make();
  const argv = JSON.stringify(["bash", "-c", "echo evil > .envrc; echo done"]);
  const started = 'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"';
  const call = [TEST_BINARY, "tool", "run_cmd", `argv=${argv}`, "--root", sandbox.root];
  const { stdout } = await runBinary(["-Ur", "sh", "-c", started, "sh", ...call], {
    env: { ...sandbox.env, LLMC_TEST_LEVEL: LEVEL_HERE, PATH: "/usr/bin:/bin" },
    binary: "unshare",
  });
  assert.match(stdout, /done/);
  assert.match(stdout, /set aside: \.envrc/);
  assert.equal(await isThere(`${sandbox.root}/.envrc`), false);
});
