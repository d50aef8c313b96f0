/** The policy for git: its sub-commands, options, and settings that could run programs. @module */
import assert from "node:assert/strict";
import { strictGate } from "./gate_support.ts";

Deno.test("options before git's sub-command take their values, and so do settings", async () => {
  await using test = await strictGate();
  for (const option of ["--git-dir", "--work-tree"]) {
    await test.admit({ argv: ["git", option, "src", "status"] });
    await test.refuses({ argv: ["git", option, "/root/x", "status"] }, "INVALID_PATH");
  }
  for (const option of ["--namespace", "--super-prefix"]) await test.admit({ argv: ["git", option, "x", "status"] });
  await test.admit({ argv: ["git", "-C", "src", "-c", "user.name=x", "log"] });
  await test.admit({ argv: ["git", "clone", "-c", "user.name=x", "-b", "ext::x", "src", "new"] });
  await test.refuses({ argv: ["git", "clone", "-c", "core.sshCommand=x", "src"] });
  await test.refuses({ argv: ["git", "clone", "--config", "core.sshCommand=x", "src"] });
  await test.refuses({ argv: ["git", "clone", "--config=core.pager=x", "src"] });
  await test.refuses({ argv: ["git", "-c", "user.name.x=1", "log"] });
  await test.refuses({ argv: ["git", "-c", "x.user.name=1", "log"] });
  await test.refuses({ argv: ["git", "-c", "alias.x=1", "log"] });
  await test.admit({ argv: ["git", "--version"] });
  await test.refuses({ argv: ["git", "no-such"] });
});

Deno.test("commands that git runs for others are checked", async () => {
  await using test = await strictGate();
  assert.match((await test.refuses({ argv: ["git", "bisect", "run", "sudo", "id"] })).message, /sudo/);
  await test.refuses({ argv: ["git", "bisect", "run", "sudo"] });
  await test.admit({ argv: ["git", "bisect", "start"] });
  assert.match(
    (await test.refuses({ argv: ["git", "submodule", "foreach", "--recursive", "sudo id"] })).message,
    /sudo/,
  );
  await test.admit({ argv: ["git", "submodule", "foreach", "--recursive", "git", "status"] });
  await test.admit({ argv: ["git", "submodule", "update"] });
  for (const words of [["-x", "sudo id"], ["--exec", "sudo id"], ["--exec=sudo id"], ["--exe", "sudo id"]]) {
    assert.match((await test.refuses({ argv: ["git", "rebase", ...words, "HEAD~1"] })).message, /sudo/);
  }
  await test.refuses('git rebase -x "$X" HEAD~1; ls');
  await test.refuses('git submodule foreach "$X"; ls');
});

Deno.test("git's own sub-commands may be used", async () => {
  await using test = await strictGate();
  const names =
    "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
    "checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects describe diff " +
    "diff-files diff-index diff-tree fast-export fast-import fetch fetch-pack fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id " +
    "grep hash-object help index-pack init interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file " +
    "merge-tree mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed " +
    "pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-pack " +
    "shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag unpack-file " +
    "unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree";
  for (const name of names.split(" ")) await test.admit({ argv: ["git", name] });
  for (
    const name of [
      "",
      "difftool",
      "mergetool",
      "send-email",
      "filter-branch",
      "instaweb",
      "gui",
      "daemon",
      "credential",
      "lg",
    ]
  ) {
    await test.refuses({ argv: ["git", name] });
  }
});

Deno.test("git's options take their values", async () => {
  await using test = await strictGate();
  for (const option of ["-m", "-C", "-F", "-b", "-x", "--message", "--format"]) {
    await test.admit({ argv: ["git", "fetch", option, "ext::x"] });
    await test.admit({ argv: ["git", "fetch", option, "--upload-pack", "origin"] });
  }
  for (const option of ["--output", "--template", "--reference"]) {
    await test.refuses({ argv: ["git", "log", option, "/root/x"] }, "INVALID_PATH");
  }
});

Deno.test("settings of git that only change how things look may be given", async () => {
  await using test = await strictGate();
  const names =
    "user.name user.email author.name committer.email color.ui advice.x log.date column.ui core.quotepath core.autocrlf core.eol " +
    "core.safecrlf core.abbrev core.filemode core.ignorecase core.precomposeunicode core.longpaths core.symlinks diff.algorithm " +
    "diff.renames diff.renamelimit diff.context diff.noprefix diff.mnemonicprefix diff.colorMoved diff.wserrorhighlight diff.submodule " +
    "merge.conflictstyle merge.ff merge.renames merge.renamelimit merge.stat merge.log pull.rebase pull.ff push.default " +
    "push.autosetupremote push.followtags fetch.prune fetch.parallel init.defaultbranch rebase.autosquash rebase.autostash rebase.stat " +
    "status.short branch.sort commit.gpgsign commit.verbose tag.gpgsign tag.sort http.postbuffer http.lowspeedlimit http.version gc.auto " +
    "pack.threads submodule.recurse grep.linenumber grep.patterntype blame.date format.pretty versionsort.suffix USER.NAME";
  for (const name of names.split(" ")) await test.admit({ argv: ["git", "-c", `${name}=x`, "log"] });
  const refused =
    "core.pager core.editor core.sshcommand core.hookspath core.fsmonitor core.gitproxy alias.x diff.external diff.x.textconv " +
    "merge.x.driver filter.x.clean credential.helper http.proxy remote.x.uploadpack url.x.insteadof gpg.program sequence.editor " +
    "core.quotepathx xuser.name user.namex gc.autox interactive.difffilter include.path";
  for (const name of refused.split(" ")) await test.refuses({ argv: ["git", "-c", `${name}=x`, "log"] });
  await test.refuses({ argv: ["git", "-c"] });
  await test.refuses('git -c "$X" log; ls');
  await test.admits('git -c "user.name=$X" log; ls');
  await test.refuses("git -c user.name=$X log; ls");
});
