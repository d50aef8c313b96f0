/** Keeps what did not fit an answer, where that is possible. @module */
import { OpsError } from "../core/error.ts";

/** The handle, or null when nothing can be kept now: an answer without its rest is better than none. */
export function keepRest(keep: () => string): string | null {
  try {
    return keep();
  } catch (error) {
    if (error instanceof OpsError && error.code === "WRITE_FAILED") return null;
    throw error;
  }
}

/** How a meta line says where the rest is. */
export function restAt(handle: string, offset: number): string {
  return `rest: linux_handle_read ${handle} offset ${offset}`;
}

/** The one line below a text that says what the text does not. */
export function metaLine(...parts: readonly (string | false | null | undefined)[]): string {
  return `[${parts.filter((part) => part).join(" · ")}]`;
}
