/** Cuts text to a bound, and says what is left out and where the rest is: one notation for every tool. @module */
import { estimateTokens } from "./tokens.ts";

/** Characters of one line that are shown. */
export const MAX_LINE_CHARS = 2_000;

/** A border near `at` that does not split a surrogate pair. */
function border(text: string, at: number): number {
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

/**
 * How many lines from the first on fit a budget; at least one, so that a reader always gets on.
 *
 * @param maxTokens Estimated tokens.
 */
export function fitLines(lines: readonly string[], maxTokens: number): number {
  let tokens = 0;
  for (const [index, line] of lines.entries()) {
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) return Math.max(1, index);
  }
  return lines.length;
}

/** The note in place of lines, paths or entries that are not shown. @param all Their number with its noun: `30 lines`. */
export function leftOut(missing: number, all: string): string {
  return `[… ${missing} of ${all} left out]`;
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

/** At most `length` characters, cut after the last whole line, or inside a line that is longer than all that. */
export function headOf(text: string, length: number): string {
  const cut = text.slice(0, border(text, length)), end = cut.lastIndexOf("\n");
  return end > length / 2 ? cut.slice(0, end) : cut;
}
