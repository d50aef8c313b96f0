/** Arithmetic on absolute, normalised paths: containment, without file system access. @module */

/** Whether `path` is `parent` or is below it. Both absolute and normalised. */
export function isInside(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}
