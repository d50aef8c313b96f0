/** Writes what was cut from a text and where the rest is: one notation for every tool. @module */

/** Tokens kept free for the line that says what is missing. The handle in it takes some 30, and JSON names its fields. */
export const NOTE_TOKENS = 100;

/** What a budget leaves for the text beside that line: at least three quarters, so that a small one still shows some. */
export function besideNote(budgetTokens: number): number {
  return Math.max(0, budgetTokens - Math.min(NOTE_TOKENS, Math.ceil(budgetTokens / 4)));
}

/** Characters of one line that are shown. */
export const MAX_LINE_CHARS = 2_000;

/** A border near `at` that does not split a surrogate pair. */
export function border(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}

/** Marks a cut inside a line; `more` counts the characters that are not shown, or bytes where they were not decoded. */
export function cutMark(more: number): string {
  return `…[+${more}]`;
}

/** The start of a line that is too long, with a mark that says how much is missing. */
export function cutLine(line: string, maxChars: number = MAX_LINE_CHARS): string {
  if (line.length <= maxChars) return line;
  const end = border(line, maxChars);
  return line.slice(0, end) + cutMark(line.length - end);
}

/**
 * The part of a long line around a match.
 *
 * @param start Where the match begins, in characters.
 * @param end Where it ends.
 * @param maxChars Length of the part, marks not counted.
 */
export function cutAround(line: string, start: number, end: number, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const spare = Math.max(0, maxChars - (end - start));
  const from = Math.max(0, Math.min(start - (spare >> 1), line.length - maxChars));
  const first = border(line, from), last = border(line, Math.min(line.length, from + maxChars));
  return (first > 0 ? `[+${first}]…` : "") + line.slice(first, last) +
    (last < line.length ? cutMark(line.length - last) : "");
}

/** A line that does not come from a file or a command: a count, a heading, what was left out. */
export function note(text: string): string {
  return `[… ${text}]`;
}

/**
 * The note in place of lines, paths or entries that are not shown.
 *
 * @param all Their number with its noun: `30 lines`.
 * @param rest Where they are: {@link restAt}.
 */
export function leftOut(missing: number, all: string, rest?: string): string {
  return note(`${missing} of ${all} left out${rest === undefined ? "" : ` · ${rest}`}`);
}

/** The call that reads a stored result on. @param offset Where the rest begins; at the start when absent. */
export function readOn(handle: string, offset?: number, unit: "lines" | "bytes" = "lines"): string {
  return `linux_handle_read ${handle}${offset === undefined ? "" : ` offset ${offset}`}${
    unit === "bytes" ? " unit bytes" : ""
  }`;
}

/** Says where the rest of a result is. */
export function restAt(handle: string, offset?: number, unit: "lines" | "bytes" = "lines"): string {
  return `rest: ${readOn(handle, offset, unit)}`;
}
