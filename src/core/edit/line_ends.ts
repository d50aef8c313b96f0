/** Detects line endings (LF, CRLF, or CR in a text without LF) and normalises them to LF. @module */

/** What ends a line; empty for a last line that nothing ends. */
export type LineEnd = "\n" | "\r\n" | "\r" | "";

/** One line of a text. */
export interface Line {
  /** Without its end. */
  readonly text: string;
  readonly end: LineEnd;
  /** Where it starts in the text. */
  readonly start: number;
}

/** A text with every line end as one LF, and the way back. */
export interface PlainView {
  readonly plain: string;
  /** Index in the original text of an index in `plain`; that of a line end is where the whole end starts. */
  original(index: number): number;
  /** Index in `plain` of an index in the original text. */
  shown(index: number): number;
}

/** Whether CR alone ends lines: only in a text without any LF, as classic Mac OS wrote them. */
export function endsWithCr(text: string): boolean {
  return !text.includes("\n") && text.includes("\r");
}

/** Cuts a text into lines. A final line end ends the last line and does not start another. */
export function splitLines(text: string): readonly Line[] {
  const mark = endsWithCr(text) ? "\r" : "\n";
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const at = text.indexOf(mark, start);
    if (at < 0) {
      lines.push({ text: text.slice(start), end: "", start });
      break;
    }
    const crlf = mark === "\n" && at > start && text[at - 1] === "\r";
    lines.push({ text: text.slice(start, crlf ? at - 1 : at), end: crlf ? "\r\n" : mark, start });
    start = at + 1;
  }
  return lines;
}

/** See {@link PlainView}. */
export function plainView(text: string): PlainView {
  const same = (index: number) => index;
  if (endsWithCr(text)) return { plain: text.replaceAll("\r", "\n"), original: same, shown: same };
  // Index in `plain` of the LF of each CRLF, ascending.
  const shrunk: number[] = [], starts: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) {
    shrunk.push(at - shrunk.length);
    starts.push(at);
  }
  if (shrunk.length === 0) return { plain: text, original: same, shown: same };
  return {
    plain: text.replaceAll("\r\n", "\n"),
    original: (index) => index + countBelow(shrunk, index),
    shown: (index) => index - countBelow(starts, index),
  };
}

/** Number (from 1) of the line that holds an index of a plain text. */
export function lineNumber(plain: string, index: number): number {
  let count = 1;
  for (let at = plain.indexOf("\n"); at >= 0 && at < index; at = plain.indexOf("\n", at + 1)) count++;
  return count;
}

/** A line end that exists. */
export type WrittenEnd = Exclude<LineEnd, "">;

/** The end that a new line takes at an index: that of the line there, else of the one before, else LF. */
export type EndFinder = (index: number) => WrittenEnd;

/** Makes the finder of a text. */
export function makeEndFinder(text: string): EndFinder {
  const none = !text.includes("\n");
  if (none) return text.includes("\r") ? () => "\r" : () => "\n";
  return (index) => {
    const next = text.indexOf("\n", index);
    const at = next < 0 ? text.lastIndexOf("\n", index) : next;
    return at > 0 && text[at - 1] === "\r" ? "\r\n" : "\n";
  };
}

function countBelow(ascending: readonly number[], bound: number): number {
  let low = 0, high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
