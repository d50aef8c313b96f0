/** Finds the existing path that a mistyped one most likely means. @module */
import { nearest } from "../config/suggest.ts";
import { baseName, isInsideAny, joinPath, parentOf } from "../core/path.ts";
import { entryKind, entryNames } from "../sys/files/real_path.ts";

/** A directory with more entries is not compared to its end. */
const MAX_NAMES = 5_000;

/**
 * The path with its first missing name replaced by the most similar one beside it.
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
  const name = nearest(baseName(missing), names);
  return name === undefined ? null : joinPath(parent, name);
}
