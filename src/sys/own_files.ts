/** Where the program's own parts lie: in a folder inside the executable, or in the source tree. In the main thread only. @module */

/** Whether this runs from a bundle: a classic script, which knows no address of its own. */
export const isBundled = import.meta.url === undefined;

/** URL of a part, by its path in the bundle or from the top of the source tree. */
export function ownUrl(path: string): URL {
  return new URL(path, isBundled ? Deno.mainModule : new URL("../../", import.meta.url));
}

/** The same as a path. */
export function ownPath(path: string): string {
  return decodeURIComponent(ownUrl(path).pathname);
}
