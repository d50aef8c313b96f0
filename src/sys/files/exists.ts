/** Checks whether a path leads to something this process can see. @module */

/** Follows links; whatever keeps it from being seen counts as absent. */
export function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
