/** Restricts indexed folders to the part that a caller may see. @module */
import { isInside, joinPath } from "../core/path.ts";

/** Folders of a caller who may see no more, and how paths are shown to them. */
export interface Within {
  /** Real paths. */
  readonly roots: readonly string[];
  display(path: string): string;
}

/**
 * The part of an indexed folder that lies in those, as beginnings of paths below it: `[""]` for all of it, none for nothing.
 *
 * @param root Real path.
 */
export function partOf(root: string, within: Within | undefined): readonly string[] {
  if (within === undefined || within.roots.some((one) => startOf(root, one) !== undefined)) return [""];
  return within.roots.flatMap((one) => startOf(one, root) ?? []);
}

/** What paths in `path` begin with, seen from `folder`: empty for the folder itself; undefined when it lies elsewhere. */
function startOf(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  return isInside(path, folder) ? `${path.slice(joinPath(folder, "").length)}/` : undefined;
}

/** Whether a path of an indexed folder lies in a part of it. */
export function isInPart(path: string, part: readonly string[]): boolean {
  return part.some((start) => path.startsWith(start));
}
