/** Locates the program's own files: inside the executable, or in the source tree. @module */

/** Whether this runs from a bundle. */
export const isBundled = !import.meta.url.endsWith(".ts");

/** URL of a part, by its path in the bundle or from the top of the source tree. */
export function ownUrl(path: string): URL {
  return new URL(path, isBundled ? import.meta.url : new URL("../../", import.meta.url));
}

/** The same as a path. */
export function ownPath(path: string): string {
  return decodeURIComponent(ownUrl(path).pathname);
}
