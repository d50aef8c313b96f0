/** Maps errors of file changes to the closed table of error codes. @module */
import { OpsError } from "../../core/error.ts";
import { errnoOf } from "./ops.ts";

/** Errors of the disk rather than of the request. */
const DISK: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EFBIG: "the file would be larger than is allowed",
  EIO: "the device reports an error",
  ETXTBSY: "the file is a program that is running",
  EBUSY: "the file is in use by the system",
  EAGAIN: "another program holds the file; try again in a moment",
  EMFILE: "the server has too many files open",
  ENFILE: "the system has too many files open",
};

/**
 * Turns an error of a changing operation into one that a caller can act upon; anything else is returned as it is.
 *
 * @param shown The path as callers know it.
 */
export function writeError(error: unknown, shown: string): unknown {
  if (error instanceof OpsError || !(error instanceof Error)) return error;
  if (error instanceof Deno.errors.NotCapable) {
    return new OpsError("INVALID_PATH", `'${shown}' is not accessible to this server`);
  }
  const code = errnoOf(error);
  const disk = DISK[code];
  if (disk !== undefined) return new OpsError("WRITE_FAILED", `'${shown}': ${disk}`);
  switch (code) {
    case "ENOENT":
      return new OpsError(
        "NOT_FOUND",
        `'${shown}' or its directory does not exist`,
        "Make the directory with linux_fs_mkdirs first.",
      );
    case "ENOTDIR":
      return new OpsError("NOT_A_DIRECTORY", `a part of '${shown}' is a file, not a directory`);
    case "EISDIR":
      return new OpsError("IS_DIRECTORY", `'${shown}' is a directory`);
    case "EACCES":
    case "EPERM":
      return new OpsError("PERMISSION_DENIED", `'${shown}' cannot be changed by the server's user`);
    case "ENXIO":
      return new OpsError(
        "INVALID_PATH",
        `'${shown}' is a pipe, socket or device`,
        "Only regular files can be written.",
      );
    case "EEXIST":
      return new OpsError("INVALID_ARGUMENT", `'${shown}' already exists`);
    case "ENOTEMPTY":
      return new OpsError("INVALID_ARGUMENT", `'${shown}' is a directory that is not empty`);
    case "ENAMETOOLONG":
    case "ELOOP":
    case "EINVAL":
      return new OpsError("INVALID_PATH", `'${shown}' is not a valid file name here`, "Use a shorter or plainer name.");
    case "":
      return error;
    default:
      return new OpsError("WRITE_FAILED", `'${shown}': ${error.message.split("(os error")[0]?.trim()} (${code})`);
  }
}
