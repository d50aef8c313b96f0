/** Converts errors of native calls to the errors that Deno would throw. @module */

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  EPERM: Deno.errors.PermissionDenied,
  ENOENT: Deno.errors.NotFound,
  EACCES: Deno.errors.PermissionDenied,
  EEXIST: Deno.errors.AlreadyExists,
  ENOTDIR: Deno.errors.NotADirectory,
  EISDIR: Deno.errors.IsADirectory,
  ELOOP: Deno.errors.FilesystemLoop,
};

/** @param code Name of the system's error (`ENOENT`). */
export function systemError(code: string, message: string): Error {
  const Class = CLASSES[code] ?? Error;
  return Object.assign(new Class(message), { code });
}

/** An error of Node's file system, with Deno's class and its own message; anything else as it is. */
export function asDenoError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  return error.code in CLASSES ? systemError(error.code, error.message) : error;
}
