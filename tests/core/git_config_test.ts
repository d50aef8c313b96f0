/** Reading git's configuration, compared with git itself. @module */
import assert from "node:assert/strict";
import { executes, readGitConfig, withoutAssignments } from "../../src/core/git_config.ts";
import { needing, program } from "../support/needs.ts";

const TEXTS = [
  "[core]\n\thooksPath = a b # comment\n\tbare\n",
  '[a "B c"] x=1\n[D.e] y = "two # words" tail ; z = 3\n',
  '[core]\n\teditor = one \\\n two\n# [no] k = v\n[Z] last = "quoted \\" and \\\\ back"\n',
  '[remote "x\\"y"]\n url=u\n[alias]\n  s = "!sh -c \'echo; exit\'"\n',
];

Deno.test(needing("readGitConfig finds the same assignments as git", program("git")), async () => {
  for (const text of TEXTS) {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, text);
    const { stdout } = await new Deno.Command("git", { args: ["config", "-z", "--list", "--file", file] }).output();
    const theirs = new TextDecoder().decode(stdout).split("\0").filter((entry) => entry !== "").map((entry) => {
      const [key = "", ...value] = entry.split("\n");
      return { key, value: value.join("\n") };
    });
    assert.deepEqual(readGitConfig(text).map(({ key, value }) => ({ key, value })), theirs, text);
    await Deno.remove(file);
  }
});

Deno.test("executes leaves what git's commands and its large-file extension set alone", () => {
  const harmless = [
    ["core.bare", "false"],
    ["core.fsmonitor", "true"],
    ["core.autocrlf", "input"],
    ["remote.origin.url", "https://host/x.git"],
    ["branch.main.remote", "origin"],
    ["alias.st", "status"],
    ["filter.lfs.clean", "git-lfs clean -- %f"],
    ["pager.log", "false"],
    ["submodule.x.update", "rebase"],
  ] as const;
  for (const [key, value] of harmless) assert.equal(executes({ key, value }), false, key);
});

Deno.test("withoutAssignments keeps everything else as it is", () => {
  const text = "[core]\n\tbare = false\n\teditor = evil\n[user]\n\tname = A\n";
  const dropped = readGitConfig(text).filter(executes);
  assert.equal(withoutAssignments(text, dropped), "[core]\n\tbare = false\n[user]\n\tname = A\n");
});
