/** Maps operating system errors to the closed table of error codes. @module */
import { OpsError } from "../../core/error.ts";

/**
 * Turns an error of a file operation into one that a caller can act upon; anything else is returned as it is.
 *
 * @param shown The path as the caller knows it.
 */
export function fileError(error: unknown, shown: string): unknown {
  if (error instanceof OpsError || !(error instanceof Error)) return error;
  if (error instanceof Deno.errors.NotFound) return new OpsError("NOT_FOUND", `'${shown}' does not exist`);
  if (error instanceof Deno.errors.NotADirectory) {
    return new OpsError("NOT_A_DIRECTORY", `'${shown}' is not a directory`);
  }
  if (error instanceof Deno.errors.IsADirectory) return isDirectory(shown);
  if (error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable) {
    return new OpsError("PERMISSION_DENIED", `'${shown}' cannot be read`);
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  // It has a lease on the file (fcntl(2)), which ends within moments of this attempt: waiting for that would hold up all.
  if (code === "EAGAIN") {
    return new OpsError("PERMISSION_DENIED", `another program holds '${shown}'`, "Try again in a moment.");
  }
  return new OpsError("PERMISSION_DENIED", `'${shown}' cannot be read: ${error.message.split(",")[0]}`);
}

/** The answer to reading a directory as if it were a file. */
export function isDirectory(shown: string): OpsError {
  return new OpsError("IS_DIRECTORY", `'${shown}' is a directory`, "List it with linux_fs_list.");
}
