/**
 * Rules for git: its settings and subcommands can run programs, and a repository can bring its own settings.
 * @module
 */
import { refuse } from "./refusal.ts";
import { type Option, readOptions, type Syntax, type Word } from "../../core/options.ts";

/** Options before the sub-command. */
const GLOBAL: Syntax = {
  valued: "Cc",
  valuedLong: ["--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"],
  stopsAtOperand: true,
  unabbreviated: true,
};
/** Options after it, as far as rules depend on them. */
const AFTER: Syntax = {
  valued: "mCFbx",
  valuedLong: [
    "--output",
    "--template",
    "--reference",
    "--exec",
    "--message",
    "--format",
  ],
};

/** Settings that change how things look, or who one is, and nothing else. */
const HARMLESS_SETTING =
  /^(?:user\.(?:name|email)|author\..+|committer\..+|color\..+|advice\..+|log\..+|column\..+|core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|filemode|ignorecase|precomposeunicode|longpaths|symlinks)|diff\.(?:algorithm|renames|renamelimit|context|noprefix|mnemonicprefix|color.*|wserrorhighlight|submodule)|merge\.(?:conflictstyle|ff|renames|renamelimit|stat|log)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|parallel)|init\.defaultbranch|rebase\.(?:autosquash|autostash|stat)|status\..+|branch\..+|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|http\.(?:postbuffer|lowspeed.*|version)|gc\.auto|pack\.threads|submodule\.recurse|grep\.(?:linenumber|patterntype)|blame\..+|format\.pretty|versionsort\..+)$/i;

/** Sub-commands that come with git and run nothing that was not asked for. */
const SUBCOMMANDS = new Set(
  ("add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
    "checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects describe diff " +
    "diff-files diff-index diff-tree fast-export fast-import fetch fetch-pack fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id " +
    "grep hash-object help index-pack init interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit merge merge-base merge-file " +
    "merge-tree mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed " +
    "pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-pack " +
    "shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace submodule switch symbolic-ref tag unpack-file " +
    "unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree")
    .split(" "),
);

/** A git command taken apart. */
export interface GitCommand {
  readonly globals: readonly Option[];
  /** Null for `git --version` and its like. */
  readonly subcommand: string | null;
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  readonly syntax: Syntax;
  /** A command that the sub-command runs (`bisect run`). */
  readonly inner: readonly Word[];
  /** Lines for a shell (`rebase --exec`, `submodule foreach`). */
  readonly scripts: readonly Word[];
}

/**
 * Takes arguments of git apart.
 *
 * @throws OpsError COMMAND_NOT_ALLOWED for aliases, foreign sub-commands, and settings that can run programs.
 */
export function readGit(words: readonly Word[]): GitCommand {
  const { options: globals, operands: [first, ...rest] } = readOptions(words, GLOBAL);
  for (const { name, value } of globals) if (name === "-c") checkSetting("git -c", value);
  if (first === undefined) {
    return { globals, subcommand: null, options: [], operands: [], syntax: AFTER, inner: [], scripts: [] };
  }
  if (!first.literal || !SUBCOMMANDS.has(first.text)) {
    throw refuse(
      `git ${first.text}`,
      "an alias or a foreign sub-command runs a program",
      "Use one of git's own sub-commands.",
    );
  }
  const { options, operands } = readOptions(rest, AFTER);
  if (first.text === "clone") {
    for (const { name, value } of cloneSettings(rest, options)) checkSetting(`git clone ${name}`, value);
  }
  return { globals, subcommand: first.text, options, operands, syntax: AFTER, ...runBy(first.text, rest, options) };
}

function cloneSettings(words: readonly Word[], options: readonly Option[]): Option[] {
  const short = readOptions(words, { valued: "cboju", valuedLong: ["--config"] }).options.filter(({ name }) =>
    name === "-c"
  );
  return [...short, ...options.filter(({ name }) => name.startsWith("--conf"))];
}

function checkSetting(what: string, value: Word | null): void {
  const key = value?.text.split("=")[0] ?? "";
  const known = value !== null && (value.literal || value.single && value.text.includes("=")) &&
    HARMLESS_SETTING.test(key);
  if (!known) throw refuse(`${what} ${key}`, "this setting can run programs, or is not known to be harmless");
}

/** What a few sub-commands run. */
function runBy(
  subcommand: string,
  words: readonly Word[],
  options: readonly Option[],
): Pick<GitCommand, "inner" | "scripts"> {
  const [first, ...rest] = words;
  if (subcommand === "bisect" && first?.text === "run") return { inner: rest, scripts: [] };
  if (subcommand === "submodule" && words.some(({ text }) => text === "foreach")) {
    const after = words.slice(words.findIndex(({ text }) => text === "foreach") + 1).filter(({ text }) =>
      !text.startsWith("-")
    );
    return { inner: [], scripts: [joinWords(after)] };
  }
  if (subcommand !== "rebase") return { inner: [], scripts: [] };
  const scripts = options.filter(({ name }) => name === "-x" || name.startsWith("--ex")).flatMap(({ value }) =>
    value ?? []
  );
  return { inner: [], scripts };
}

const joinWords = (words: readonly Word[]): Word => ({
  text: words.map(({ text }) => text).join(" "),
  literal: words.every(({ literal }) => literal),
  single: words.every(({ single }) => single),
});

/**
 * Environment for every child: git never waits for a person, and shows its output as it is. Where nothing confines it,
 * hooks and monitors of a repository do not run.
 */
export function gitEnvironment(confined: boolean): Readonly<Record<string, string>> {
  const settings = [
    ["core.fsmonitor", "false"],
    ["core.hooksPath", "/dev/null"],
    ["protocol.ext.allow", "never"],
  ] as const;
  return {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    PAGER: "cat",
    GIT_EDITOR: ":",
    ...confined ? {} : {
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    },
  };
}
