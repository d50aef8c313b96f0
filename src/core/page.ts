/** Bounds displayed text: lines within a token budget, long lines cut, sizes in words. @module */
import { estimateTokens } from "./tokens.ts";

/** Characters of one line that are shown. */
export const MAX_LINE_CHARS = 2_000;

/** A border near `at` that does not split a surrogate pair. */
function border(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}

/** Marks a cut at the end of a line; `more` counts what is not shown. */
export function cutMark(more: number, unit: "characters" | "bytes"): string {
  return ` …[+${more} ${unit}]`;
}

/** The start of a line that is too long, with a mark that says how much is missing. */
export function cutLine(line: string, maxChars: number = MAX_LINE_CHARS): string {
  if (line.length <= maxChars) return line;
  const end = border(line, maxChars);
  return line.slice(0, end) + cutMark(line.length - end, "characters");
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
  return (first > 0 ? "…" : "") + line.slice(first, last) + (last < line.length ? "…" : "");
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

/** Bytes in the shortest readable form: `512`, `14K`, `2.1M`. */
export function shortSize(bytes: number): string {
  const units = ["", "K", "M", "G", "T"];
  let value = bytes, unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value).toString()) + (units[unit] ?? "");
}
