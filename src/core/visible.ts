/** Escapes characters that would hide or reorder text. @module */

/**
 * Controls, format characters (joiners, direction marks, tags), blanks that are not the plain space, what Unicode lets a
 * screen leave out, and private use. A tab and a line break are left alone.
 */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\p{Co}\u2800]--[ \t\n]]/gv;

/** Text of models, files and processes as a person can trust it: each such character is written as `\u{…}`. */
export function visible(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
