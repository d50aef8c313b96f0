/** Quotes a word for pasting into a shell. @module */

/** The word itself where no shell would take it apart, else in quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
