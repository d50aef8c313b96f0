/** Resolves and compares paths as text. @module */
import type { Machine } from "./machine.ts";

/** A path made absolute and free of `.`, `..`, doubled and trailing slashes. `~` is the home directory. */
export function absolutePath(path: string, base: string, homeDir: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? homeDir + path.slice(1) : path;
  const whole = expanded.startsWith("/") ? expanded : `${base}/${expanded}`;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The folder that an absolute path lies in; `/` for itself. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Whether an absolute path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

/** The real path of something that may not exist yet: that of its nearest existing ancestor, and the rest as it is. */
export function plannedPath(path: string, machine: Machine): string {
  const rest: string[] = [];
  for (let head = path;; head = parentOf(head)) {
    const real = machine.realPath(head);
    if (real !== undefined) return rest.length === 0 ? real : `${real === "/" ? "" : real}/${rest.reverse().join("/")}`;
    if (head === "/") return path;
    rest.push(head.slice(head.lastIndexOf("/") + 1));
  }
}
