/** Applies .gitignore and similar rules along a walk. @module */
import { type IgnoreFile, readIgnoreFile } from "../../core/ignore_rules.ts";
import { exists } from "./exists.ts";
import { readRegularSync } from "./open_file.ts";

/** Kinds of rule files, strongest first: a stronger kind wins wherever it lies, within a kind the deeper file. */
const RULE_FILES = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"];
const MAX_RULE_BYTES = 1024 * 1024;

/** The rules that hold in one directory: its own, then those of the directories above. */
export interface IgnoreRules {
  /** Absolute path of the directory without a final slash. */
  readonly dir: string;
  /** Own rules by kind. */
  readonly own: readonly (IgnoreFile | null)[];
  readonly above: IgnoreRules | null;
}

/**
 * Rules of a directory that a walk enters.
 *
 * @param names Names in it, where they are known: saves looking for files that are not there.
 */
export function enterRules(dir: string, above: IgnoreRules | null, names?: ReadonlySet<string>): IgnoreRules | null {
  const isThere = (file: string) => names === undefined || names.has(file.split("/")[0] ?? file);
  const own = RULE_FILES.map((file) => isThere(file) ? readRules(`${dir}/${file}`) : null);
  return own.some((rules) => rules !== null) ? { dir, own, above } : above;
}

/**
 * Rules that hold at the root of a walk: those of the directories above it, up to the top of its repository. None when
 * they exclude the root itself, because a caller that names an ignored directory wants to see it.
 *
 * @param root Absolute path of a directory.
 */
export function rulesAbove(root: string): IgnoreRules | null {
  const parents: string[] = [];
  for (let dir = root; dir !== "" && !exists(`${dir}/.git`);) {
    dir = dir.slice(0, dir.lastIndexOf("/"));
    if (dir !== "") parents.unshift(dir);
  }
  const rules = parents.reduce<IgnoreRules | null>((above, dir) => enterRules(dir, above), null);
  return isIgnored(rules, root, true) ? null : rules;
}

/** Whether the rules exclude an entry. @param path Absolute. */
export function isIgnored(rules: IgnoreRules | null, path: string, isDirectory: boolean): boolean {
  if (rules === null) return false;
  for (const kind of RULE_FILES.keys()) {
    for (let level: IgnoreRules | null = rules; level !== null; level = level.above) {
      const file = level.own[kind];
      if (!file) continue;
      const verdict = file.test(path.slice(level.dir.length + 1), isDirectory);
      if (verdict !== null) return verdict === "ignored";
    }
  }
  return false;
}

/** Reads one file of rules; a file that is not there or may not be read has none. */
function readRules(path: string): IgnoreFile | null {
  if (!exists(path)) return null; // as in most folders: an error for each costs more
  try {
    const content = readRegularSync(path, MAX_RULE_BYTES);
    if (content === undefined || content.sizeBytes > MAX_RULE_BYTES) return null;
    return readIgnoreFile(new TextDecoder().decode(content.bytes));
  } catch {
    return null;
  }
}
