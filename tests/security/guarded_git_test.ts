/** Git's configuration, wherever git looks for one: what it would execute is taken out when a program put it there. @module */
import assert from "node:assert/strict";
import { Sandbox, TEST_BINARY } from "../support/binary.ts";
import { LEVEL, needing, program } from "../support/needs.ts";
import { StdioPeer } from "../support/stdio_peer.ts";

/** Starts a server at a level. */
const open = (sandbox: Sandbox, level: string) =>
  StdioPeer.open(sandbox, { env: { LLMC_TEST_LEVEL: level }, binary: TEST_BINARY });

/** Ways to have git execute something, as lines of its configuration. */
const EVIL_CONFIG = [
  "[core]\n\thooksPath = evil",
  "[core]fsmonitor=./evil",
  '[a "b"] [core] sshCommand = evil ; harmless',
  "[CORE]\n  EDITOR = \\\n evil",
  "[alias]\n\tst = !evil",
  '[alias] st = "!evil"',
  '[filter "x"]\n\tclean = evil',
  '[filter "lfs"]\n\tsmudge = evil',
  "[include]\n\tpath = ../evil",
  '[includeIf "gitdir:**"]\n\tpath = ../evil',
  '[credential "https://x"]\n\thelper = !evil',
  '[diff "x"]\n\ttextconv = evil',
  "[diff]\n\texternal = evil",
  '[remote "o"]\n\turl = ext::evil',
  '[remote "o"]\n\tuploadpack = evil',
  "[gpg]\n\tprogram = evil",
  "[pager]\n\tlog = evil",
  "[pager.x] log = evil",
  '[url "ext::evil"]\n\tinsteadOf = https://x',
  '[protocol "ext"]\n\tallow = always',
  '[mergetool "x"]\n\tcmd = evil',
  "[core]\n\tworktree = /evil",
  "[core] worktree = ../evil",
];

/** Folders of git in which a configuration counts, each with what makes git look there. */
const GIT_FOLDERS: readonly (readonly [file: string, script: string])[] = [
  [".git/worktrees/tree/config.worktree", "git worktree add -q tree && git config extensions.worktreeConfig true"],
  [
    "plain/config.worktree",
    "git config extensions.worktreeConfig true; mkdir plain sub; echo 'ref: refs/heads/main' > plain/HEAD; " +
    'echo "$PWD/.git" > plain/commondir; echo "gitdir: ../plain" > sub/.git',
  ],
  ["other/config", "git init -q x && mv x/.git other && mkdir y && echo 'gitdir: ../other' > y/.git"],
  [".git/modules/m/config", "git init -q z && mkdir -p .git/modules && mv z/.git .git/modules/m"],
  ["bare.git/config", "git init -q --bare bare.git"],
  ["apart/config", "git clone -q --separate-git-dir apart . c"],
];

for (const level of ["full", "landlock"] as const) {
  Deno.test(
    needing(
      `git's configuration is compared wherever git looks for one at level ${level}`,
      ...LEVEL[level],
      program("git"),
    ),
    async () => {
      await using sandbox = await Sandbox.make();
      const git = (...args: string[]) => new Deno.Command("git", { args, cwd: sandbox.root }).output();
      await git("init", "-q", ".");
      await git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "one");
      await using peer = await open(sandbox, level);
      for (const [file, script] of GIT_FOLDERS) {
        const plant = `${script}; printf '[core]\\n\\tfsmonitor = evil\\n' >> ${file}; echo done`;
        const answer = await peer.call("run_cmd", { argv: ["bash", "-c", plant] });
        assert.match(answer, /done/, file);
        assert.doesNotMatch(await Deno.readTextFile(`${sandbox.root}/${file}`), /evil/, `${file}: ${answer}`);
        assert.ok(answer.includes(`core.fsmonitor in ${file}`), answer);
      }
    },
  );
}

Deno.test(needing("a submodule that a program adds works for the user", ...LEVEL.full, program("git")), async () => {
  await using sandbox = await Sandbox.make();
  await using peer = await open(sandbox, "full");
  const script = `set -e; git init -q .; git init -q other
    git -C other -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one
    git -c protocol.file.allow=always submodule --quiet add ./other part; git submodule update; echo added`;
  assert.match(await peer.call("run_cmd", { argv: ["bash", "-c", script] }), /added/);
  const { stdout } = await new Deno.Command("git", {
    args: ["-C", "part", "rev-parse", "--show-toplevel"],
    cwd: sandbox.root,
  }).output();
  assert.equal(new TextDecoder().decode(stdout).trim(), `${sandbox.root}/part`);
});

for (const level of ["full", "landlock"] as const) {
  Deno.test(
    needing(`git's configuration is compared key by key at level ${level}`, ...LEVEL[level], program("git")),
    async () => {
      await using sandbox = await Sandbox.make();
      const git = (...args: string[]) => new Deno.Command("git", { args, cwd: sandbox.root }).output();
      await git("init", "-q", ".");
      await git("config", "core.pager", "less -F"); // the operator's own
      await using peer = await open(sandbox, level);
      for (const lines of EVIL_CONFIG) {
        const argv = ["python3", "-c", "import sys; open('.git/config', 'a').write(sys.argv[1] + '\\n')", lines];
        const answer = await peer.call("run_cmd", { argv });
        assert.match(answer, /taken out of git's configuration.*mcp\.tools\.unguarded_paths/, `${lines}: ${answer}`);
        assert.doesNotMatch(
          await Deno.readTextFile(`${sandbox.root}/.git/config`),
          /[=!] *\\?\s*"?\S*evil|always|insteadOf/,
          lines,
        );
      }
      const shown = new TextDecoder().decode((await git("config", "core.pager")).stdout);
      assert.equal(shown, "less -F\n");
      const usual =
        `git config user.name A && git config user.email a@b.c && git remote add o /x && git branch -m main &&
        git commit -q --allow-empty -m one && git config alias.st status && git config core.autocrlf input &&
        git config branch.main.remote o && git clone -q . copy && git worktree add -q tree && echo worked`;
      const answer = await peer.call("run_cmd", { argv: ["bash", "-c", usual] });
      assert.match(answer, /worked/);
      assert.doesNotMatch(answer, /set aside|taken out/);
    },
  );
}
