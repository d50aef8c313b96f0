/**
 * Folds characters that look alike: composed and decomposed letters, kinds of blanks, quotes and dashes, what has no
 * width.
 * @module
 */

const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " "],
  [/[\u2018\u2019\u201b\u02bc\u2032]/g, "'"],
  [/[\u201c\u201d\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00ad\u200b\u200e\u200f\u2060]/g, ""], // of no width
];

/** A text in which what looks alike is the same. */
export function foldLookAlikes(text: string): string {
  // deno-lint-ignore no-control-regex -- ASCII looks like nothing else: the usual case
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return FOLDS.reduce((folded, [characters, plain]) => folded.replace(characters, plain), text.normalize("NFC"));
}

/** A folded text, and where each of its characters begins in the text that it was made from. */
export interface FoldedView {
  readonly folded: string;
  /** Index in the text of a character of `folded`; its length maps to the length of the text. */
  original(index: number): number;
}

/** Folds a text so that places in it can be found again: line by line, because folding never reaches over a line end. */
export function foldedView(text: string): FoldedView {
  const folded = foldLookAlikes(text), lines = lineStarts(text), foldedLines = lineStarts(folded);
  let known = -1, starts: readonly number[] = [];
  return {
    folded,
    original(index) {
      const line = lastAtMost(foldedLines, index), start = lines[line] ?? 0;
      if (line !== known) [known, starts] = [line, letterStarts(text.slice(start, lines[line + 1]))];
      return start + (starts[index - (foldedLines[line] ?? 0)] ?? text.length - start);
    },
  };
}

/** Where each character of the folded line begins in the line; vowels of Hangul compose like marks. */
function letterStarts(line: string): number[] {
  const starts: number[] = [];
  for (const { 0: letter, index } of line.matchAll(/[^][\p{M}\u1160-\u11ff]*/gu)) {
    for (let unit = foldLookAlikes(letter).length; unit > 0; unit--) starts.push(index);
  }
  return starts;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last of ascending numbers that is not greater. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text with every character beyond ASCII as an escape: what looks alike can be told apart. */
export function escapeBeyondAscii(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex -- ASCII stays as it is
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
