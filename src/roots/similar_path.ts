/** Finds the existing path that a mistyped one most likely means. @module */
import { nearest } from "../config/suggest.ts";
import { baseName, isInsideAny, joinPath, parentOf } from "../core/path.ts";
import { entryKind, entryNames } from "../sys/files/real_path.ts";
import { makePacer } from "../sys/pacer.ts";

/** A directory with more entries is not compared to its end. */
const MAX_NAMES = 5_000;
const COMPARED_AT_ONCE = 100;

/** Looked through for a file of the same name elsewhere. */
const MAX_FOLDERS = 400, MAX_LOOKED = 5_000;
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "target"]);

/**
 * The path with its first missing name replaced by the most similar one beside it, whole where that exists; else the
 * only other file below that folder with the same name.
 *
 * @param path Real as far as it exists, absolute; its end does not exist.
 * @param hidden Paths that are never named.
 * @returns null when no name is similar.
 */
export async function similarPath(
  path: string,
  roots: readonly string[],
  hidden: readonly string[],
): Promise<string | null> {
  let parent = parentOf(path), missing = path;
  while (isInsideAny(parent, roots) && await entryKind(parent) === null) {
    missing = parent;
    parent = parentOf(parent);
  }
  if (!isInsideAny(parent, roots)) return null;
  const names = (await entryNames(parent, MAX_NAMES)).filter((name) => !isInsideAny(joinPath(parent, name), hidden));
  const name = await nearestOf(baseName(missing), names);
  if (name === undefined) return await sameName(parent, baseName(path), hidden);
  const similar = joinPath(parent, name), whole = similar + path.slice(missing.length);
  if (whole === similar || await entryKind(whole) !== null) return whole;
  return await similarPath(whole, [similar], hidden) ?? similar;
}

/** The only file of that name in a folder and those below it, as far as they are looked through. */
async function sameName(folder: string, name: string, hidden: readonly string[]): Promise<string | null> {
  const folders = [folder];
  let found: string | null = null, looked = 0;
  for (const [index, each] of folders.entries()) {
    if (index >= MAX_FOLDERS) return null;
    for (const entry of await entryNames(each, MAX_NAMES)) {
      const path = joinPath(each, entry);
      if (entry.startsWith(".") || SKIPPED.has(entry) || isInsideAny(path, hidden)) continue;
      const isLooked = entry === name || !/\.\w{1,5}$/.test(entry);
      if (isLooked && ++looked > MAX_LOOKED) return null;
      const kind = isLooked ? await entryKind(path) : null;
      if (kind === "directory") folders.push(path);
      else if (kind === "file" && entry === name) {
        if (found !== null) return null;
        found = path;
      }
    }
  }
  return found;
}

/** The nearest of many names, which takes its time: other calls run in between. */
async function nearestOf(wrong: string, names: readonly string[]): Promise<string | undefined> {
  const pacer = makePacer(new AbortController().signal), near: string[] = [];
  for (let at = 0; at < names.length; at += COMPARED_AT_ONCE) {
    await pacer();
    near.push(...[nearest(wrong, names.slice(at, at + COMPARED_AT_ONCE))].filter((name) => name !== undefined));
  }
  return nearest(wrong, near);
}
