/** Errors of the handle store, without paths of the data directory. @module */
import { OpsError } from "../core/error.ts";

/** The answer to an id that is not known, or belongs to another owner. */
export function notFound(id: string): OpsError {
  return new OpsError("HANDLE_NOT_FOUND", `Handle ${id.slice(0, 80)} does not exist.`);
}

/** The answer to what is larger than the quota. */
export function aboveQuota(bytes: number, maxBytes: number): OpsError {
  const message = `The result of ${bytes} bytes exceeds the limit of all handles together, ${maxBytes} bytes.`;
  return new OpsError("WRITE_FAILED", message, "Ask for less, or raise mcp.handles.max_bytes.");
}

/** The answer when the disk or the database refuses. */
export function notKept(error: unknown): OpsError {
  const message = `The handle store cannot be written: ${reasonOf(error)}.`;
  return new OpsError("WRITE_FAILED", message, "Ask for less at once; the operator should check mcp.data_dir.");
}

/** The answer to who reads a promised handle that could not be stored. */
export function neverKept(id: string, error: unknown): OpsError {
  const message = `The result of ${id} was not stored: ${reasonOf(error)}.`;
  return new OpsError("HANDLE_NOT_FOUND", message, "Repeat the call that made the handle, asking for less.");
}

/** What the system said, without the path that it may name. */
export function reasonOf(error: unknown): string {
  if (error instanceof OpsError) return error.message.replace(/\.$/, "");
  return (error instanceof Error ? error.message : String(error)).split(": ")[0] ?? "";
}
