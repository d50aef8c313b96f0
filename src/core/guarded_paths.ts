/**
 * Recognises files that run later, outside the sandbox, because of their location: hooks, editor tasks, shell startup
 * files.
 * @module
 */
import { isInside, isInsideAny, joinPath } from "./path.ts";

/** The list that guards a path. */
export interface GuardedPaths {
  /** The entry of the list that a real path is at or below; null when none, or when the operator allowed the path. */
  entryOf(path: string): string | null;
  /** Whether the operator allowed a path, and what is below, all the same. */
  isAllowed(path: string): boolean;
}

/**
 * Reads a list of entries as `.git/hooks`: in any folder of a root, and everything below.
 *
 * @param roots Real paths; what comes before a root does not count, so a root in such a folder can be worked on.
 * @param unguarded Paths that are not guarded all the same, absolute or from a root.
 */
export function makeGuardedPaths(
  entries: readonly string[],
  roots: readonly string[],
  unguarded: readonly string[],
): GuardedPaths {
  const wanted = entries.map((entry) => ({ entry, parts: entry.split("/").filter((part) => part !== "") }));
  const allowed = unguarded.flatMap((path) =>
    path.startsWith("/") ? [path] : roots.map((root) => joinPath(root, path))
  );
  const isAllowed = (path: string) => isInsideAny(path, allowed);
  return {
    isAllowed,
    entryOf(path) {
      const root = roots.find((each) => isInside(path, each));
      if (root === undefined || isAllowed(path)) return null;
      const parts = path.slice(root === "/" ? 1 : root.length + 1).split("/");
      return wanted.find((each) => each.parts.length > 0 && holds(parts, each.parts))?.entry ?? null;
    },
  };
}

const GIT = ".git", GIT_SETTINGS = ["config", "config.worktree"];

/** Whether a path in a `.git` folder is only data: git writes it, and nothing in it runs. */
export function isGitData(path: string): boolean {
  const parts = path.split("/"), inside = parts.slice(parts.indexOf(GIT) + 1);
  return parts.includes(GIT) && inside.length > 0 && !inside.includes("hooks") &&
    !GIT_SETTINGS.includes(inside.at(-1) ?? "");
}

/** Whether the names appear in a row. */
function holds(parts: readonly string[], row: readonly string[]): boolean {
  return parts.some((_, start) => row.every((name, index) => parts[start + index] === name));
}
