/** Parses name patterns and ranks how well a path matches; sys/files/globs.ts does the glob matching. @module */
import { baseName } from "./path.ts";

/** Whether a pattern is a glob and not a plain substring. */
export function hasGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern);
}

/** Case-smart: capitals in a pattern mean what they say, a pattern without any fits every case. */
export function ignoresCase(pattern: string): boolean {
  return pattern === pattern.toLowerCase();
}

/** Whether a path below a root has a part that begins with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith(".") || path.includes("/.");
}

/** The globs of a list such as `*.ts,*.{js,jsx}`: commas inside braces or brackets belong to the glob. */
export function splitGlobs(list: string): string[] {
  const globs: string[] = [], lastBrace = list.lastIndexOf("}"), lastBracket = list.lastIndexOf("]");
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at);
    if (character === "\\") at++;
    // What is never closed is not looked for again: a long row of them would be read from each to the end.
    else if (character === "{" && lastBrace > at) at = list.indexOf("}", at);
    else if (character === "[" && lastBracket > at) at = list.indexOf("]", at);
    else if (character === ",") {
      globs.push(list.slice(start, at));
      start = at + 1;
    }
  }
  globs.push(list.slice(start));
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== "");
}

/** Globs on names in which every engine agrees: stars, question marks and one level of braces. */
const PORTABLE_NAME = /^(?:[\w.*?@+~#%=-]|\{[\w.*?-]+(?:,[\w.*?-]+)+\})+$/;

/**
 * Globs on bare names that let through at least what the given globs let through: a cheap first sieve for an engine
 * whose own glob rules differ in details. Null when there is no such sieve.
 */
export function nameSieve(globs: readonly string[]): string[] | null {
  const names = globs.map((glob) => baseName(glob));
  return names.length > 0 && names.every((name) => PORTABLE_NAME.test(name) && !name.includes("**")) ? names : null;
}

/** How well a path fits a pattern: smaller is better. The name counts more than the folders, early more than late. */
export function rankPath(path: string, pattern: string): number {
  const needle = pattern.toLowerCase();
  const name = baseName(path).toLowerCase();
  const depth = path.split("/").length;
  const at = name.indexOf(needle);
  const stem = name.replace(/\.[^.]*$/, "");
  const fit = name === needle || stem === needle ? 0 : at === 0 ? 1 : at > 0 ? 2 : 3;
  return fit * 1_000_000 + depth * 1_000 + Math.min(999, name.length);
}
