/** Bounds the size of an answer and stores the rest. @module */
import type { Config } from "../config/resolve.ts";
import { besideNote } from "../core/bound.ts";
import { OpsError } from "../core/error.ts";

/** JSON repeats the names of fields and escapes what is quoted. */
const JSON_SHARE = 0.6;

/** Estimated tokens that the body of an answer may take, so that the answer as a whole stays within its bound. */
export function bodyTokens({ settings }: Pick<Config, "settings">): number {
  const { result_tokens, result_format } = settings.tools;
  return besideNote(result_format === "json" ? Math.floor(result_tokens * JSON_SHARE) : result_tokens);
}

/** The handle, or null when nothing can be kept now: an answer without its rest is better than none. */
export function keepRest(keep: () => string): string | null {
  try {
    return keep();
  } catch (error) {
    if (error instanceof OpsError && error.code === "WRITE_FAILED") return null;
    throw error;
  }
}

/** The one line below a text that says what the text does not. */
export function metaLine(...parts: readonly (string | false | null | undefined)[]): string {
  return `[${parts.filter((part) => part).join(" · ")}]`;
}
