/** Checks whether a path exists. @module */
import { existsSync } from "node:fs";

/** Follows links; whatever keeps it from being seen counts as absent. */
export function exists(path: string): boolean {
  try {
    return existsSync(path); // Deno.statSync makes an error for what is absent, which takes fifteen times as long
  } catch {
    return false; // this thread may not look there
  }
}

/** The result of `work`; undefined when what it looks at is not there or out of reach. */
export function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const gone = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
      error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.IsADirectory || error instanceof Deno.errors.FilesystemLoop;
    if (gone) return undefined;
    throw error;
  }
}
