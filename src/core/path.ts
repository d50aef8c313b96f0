/** Arithmetic on absolute, normalised paths: containment, without file system access. @module */

/** Whether `path` is `parent` or is below it: whole names, byte for byte. Both absolute and normalised. */
export function isInside(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}

/** Whether `path` is inside one of `parents`. */
export function isInsideAny(path: string, parents: readonly string[]): boolean {
  return parents.some((parent) => isInside(path, parent));
}

/** The path of an entry `name` of a folder; `/` has no slash added, and "" stands for the folder that paths are relative to. */
export function joinPath(folder: string, name: string): string {
  return folder === "" || folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** The folder that holds an entry: `/` for `/` and for what is directly in it, "" for a relative name without a folder. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.startsWith("/") ? 1 : 0));
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Makes a path absolute, without `.`, `..`, doubled and trailing slashes. Lexical: links are not followed. */
export function normalizePath(path: string, base = "/"): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
