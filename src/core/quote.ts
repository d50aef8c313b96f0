/** Quotes a word for a POSIX shell. @module */

/** The word itself where no shell would take it apart, else in single quotes. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
