/** Folds characters that look alike: composed and decomposed letters, kinds of blanks, quotes and dashes. @module */

const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " "],
  [/[\u2018\u2019\u201b\u02bc\u2032]/g, "'"],
  [/[\u201c\u201d\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
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

/** Folds a text letter by letter, so that places in it can be found again. */
export function foldedView(text: string): FoldedView {
  const parts: string[] = [], starts: number[] = [];
  for (const { 0: letter, index } of text.matchAll(/[^]\p{M}*/gu)) {
    const folded = foldLookAlikes(letter);
    for (let unit = 0; unit < folded.length; unit++) starts.push(index);
    parts.push(folded);
  }
  return { folded: parts.join(""), original: (index) => starts[index] ?? text.length };
}

/** A text with every character beyond ASCII as an escape: what looks alike can be told apart. */
export function escapeBeyondAscii(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex -- ASCII stays as it is
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
