/** Resolves and compares paths as text. @module */
import { baseName, joinPath, normalizePath, parentOf } from "../core/path.ts";
import type { Machine } from "./machine.ts";

/** A path made absolute and free of `.`, `..`, doubled and trailing slashes. `~` is the home directory. */
export function absolutePath(path: string, base: string, homeDir: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? homeDir + path.slice(1) : path;
  return normalizePath(expanded, base);
}

/** The real path of something that may not exist yet: that of its nearest existing ancestor, and the rest as it is. */
export function plannedPath(path: string, machine: Machine): string {
  const rest: string[] = [];
  for (let head = path;; head = parentOf(head)) {
    const real = machine.realPath(head);
    if (real !== undefined) return rest.length === 0 ? real : joinPath(real, rest.reverse().join("/"));
    if (head === "/") return path;
    rest.push(baseName(head));
  }
}
