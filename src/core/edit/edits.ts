/** Defines the splice, the form of every text change before it is applied, shown or checked. @module */
import { OpsError } from "../error.ts";

/** Replaces `[start, end)` of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** Applies edits that are sorted and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, insert } of edits) {
    parts.push(text.slice(at, start), insert);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/**
 * Refuses text that a caller did not mean to write: half a surrogate pair, which would be written as U+FFFD.
 *
 * @throws OpsError INVALID_ARGUMENT that names the argument.
 */
export function requireWellFormed(text: string, argument: string): void {
  if (text.isWellFormed()) return;
  throw new OpsError(
    "INVALID_ARGUMENT",
    `'${argument}' contains half of a surrogate pair, which no encoding can store`,
    "Send the whole character, or an escape that the file's own language understands.",
  );
}

/**
 * Refuses new U+FFFD: a reader is shown it for bytes that are not UTF-8, so writing it back would destroy them.
 *
 * @param before What is replaced.
 * @throws OpsError INVALID_ARGUMENT when `after` holds more of them than `before`.
 */
export function refuseReplacementCharacters(before: string, after: string, argument: string): void {
  const pieces = (text: string) => text.split("\ufffd").length;
  if (pieces(after) <= pieces(before)) return;
  throw new OpsError(
    "INVALID_ARGUMENT",
    `'${argument}' contains U+FFFD, the mark for bytes that could not be shown; writing it would lose them`,
    "Leave those bytes out of the change, or write the character as an escape of the file's language.",
  );
}
