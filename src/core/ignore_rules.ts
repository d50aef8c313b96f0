/** Reads `.gitignore` rules and tests paths against them, in time linear in rules times path. @module */
import { compilePath, compileSegment, type TextTest } from "./wildcard.ts";

/** What rules say of a path; neither where none fits. */
export type Verdict = "ignored" | "unignored" | null;

/** The rules of one file. */
export interface IgnoreFile {
  /** @param path Relative to the file's folder, without a final slash. */
  test(path: string, isDirectory: boolean): Verdict;
}

interface Rule {
  readonly negates: boolean;
  readonly directoriesOnly: boolean;
  /** Whether it is compared with the whole path, not with the name alone. */
  readonly anchored: boolean;
  readonly fits: TextTest;
}

/** Of all rules of a file together: what comes after them is not read. Far more than any honest file has. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_REMEMBERED = 4_096;

/** Reads a file's text. */
export function readIgnoreFile(text: string): IgnoreFile {
  const rules = rulesOf(text);
  const folders = new Map<string, Verdict>();

  const own = (path: string, isDirectory: boolean): Verdict => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    // The last rule that fits decides.
    const rule = rules.findLast(({ anchored, directoriesOnly, fits }) =>
      (isDirectory || !directoriesOnly) && fits(anchored ? path : name)
    );
    return rule === undefined ? null : rule.negates ? "unignored" : "ignored";
  };
  const folder = (path: string): Verdict => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const verdict = test(path, true);
    if (folders.size >= MAX_REMEMBERED) folders.clear();
    folders.set(path, verdict);
    return verdict;
  };
  // Nothing in an ignored folder can be taken back.
  const test = (path: string, isDirectory: boolean): Verdict => {
    const slash = path.lastIndexOf("/");
    return slash > 0 && folder(path.slice(0, slash)) === "ignored" ? "ignored" : own(path, isDirectory);
  };
  return { test };
}

function rulesOf(text: string): Rule[] {
  const rules: Rule[] = [];
  let characters = 0;
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    characters += line.length;
    if (characters > MAX_CHARACTERS) break;
    const rule = ruleOf(line);
    if (rule !== null) rules.push(rule);
  }
  return rules;
}

function ruleOf(line: string): Rule | null {
  const written = trimEnd(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (written === "" || written.startsWith("#")) return null;
  const negates = written.startsWith("!");
  const pattern = negates ? written.slice(1) : written;
  const directoriesOnly = pattern.endsWith("/");
  const path = directoriesOnly ? pattern.slice(0, -1) : pattern;
  const anchored = path.includes("/");
  if (path === "") return null;
  const fits = anchored
    ? compilePath(path.startsWith("/") ? path.slice(1) : path, { finalStarsMatchFolder: false })
    : compileSegment(path);
  return { negates, directoriesOnly, anchored, fits };
}

/** Spaces at the end do not count, unless a backslash comes before. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}
