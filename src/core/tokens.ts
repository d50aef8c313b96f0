/** Estimates how many tokens a text costs, in one pass over character classes. @module */

const LOWER = 1, UPPER = 2, DIGIT = 3, BLANK = 4, NEWLINE = 5, SYMBOL = 6;
const LATIN = 7, ALPHABETIC = 8, HAN = 9, KANA = 10, HANGUL = 11, OTHER = 12;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[ \t]/.test(character)) return BLANK;
  return /[\r\n]/.test(character) ? NEWLINE : SYMBOL;
});

/** Columns of a row of {@link START}: a power of two, so that an index is a shift and an or. */
const ROW_BITS = 4;

/**
 * Tokens that the first character of a run costs: by the kind before it (row) and its own (column, in the order of the
 * constants above; column 0 is unused). Fitted to o200k_base over code, prose, listings, tables, logs, JSON, diffs and
 * eight languages, in the way that `bench/tokens/estimator.ts --fit` shows. A digit after a blank is dear because vocabularies join blanks
 * to words and not to numbers, which is what makes tables cost more than they look.
 */
const START = Float64Array.from([
  [0, 1.32, 0, 1.02, 0.16, 0.54, 0.07, 0.8, 0.84, 0.87, 0.8, 0.66, 0.94, 0, 0, 0], // after text start
  [0, 0.95, 0, 1.85, 0.31, 1.47, 0.38, 1.65, 0.8, 1.22, 0.8, 0.72, 0.13, 0, 0, 0], // after lower
  [0, 1.02, 0.95, 1.94, 0, 0, 0.39, 0.55, 0.8, 0.8, 0.8, 0.81, 0.95, 0, 0, 0], // after upper
  [0, 0.19, 1.93, 0.95, 0.87, 1.33, 0.95, 0.79, 0.8, 0.8, 0.8, 0.73, 0.91, 0, 0, 0], // after digit
  [0, 0.59, 0.05, 1.31, 0.1, 0.21, 0.73, 0, 0, 2.11, 0.63, 0.85, 3.01, 0, 0, 0], // after blank
  [0, 1.12, 1.27, 1.55, 0, 0.6, 0.14, 1.09, 0.77, 0.25, 0.56, 1.05, 1.02, 0, 0, 0], // after newline
  [0, 1.03, 0.29, 0.75, 0.67, 0.04, 0.85, 0, 0.85, 1.38, 0.77, 0.79, 0.97, 0, 0, 0], // after symbol
  [0, 0, 0.73, 1, 0.34, 0.62, 0.49, 0.86, 0.8, 0, 1.4, 0.8, 0, 0, 0, 0], // after not ASCII
].flat());

/** Every kind beyond ASCII shares the last row. */
const LAST_ROW = 7;

/**
 * Estimated tokens of a text: within 10 % of o200k_base in the mean of every usual kind of output, at more than
 * 50 MB/s. Vocabularies of other models differ from that one by up to as much again.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(weigh(text, 0));
}

/** What a line with its end adds to a text of lines, not rounded: the sum over all lines is the estimate of the text. */
export function lineTokens(line: string): number {
  return weigh(`${line}\n`, NEWLINE);
}

/** @param before The kind of the character that the text follows; 0 at the start. */
function weigh(text: string, before: number): number {
  let total = 0, previous = before, run = 0, previousCode = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? ASCII_KINDS[code] ?? OTHER : kindBeyondAscii(code);
    if (kind !== previous) {
      total += START[(previous < LAST_ROW ? previous : LAST_ROW) << ROW_BITS | kind] ?? 0;
      previous = kind;
      run = 0;
    } else {
      run++;
      if (kind === LOWER) total += run < 8 ? 0 : run === 8 ? 0.52 : run % 4 === 0 ? 1.24 : 0;
      else if (kind === DIGIT) total += run % 3 === 0 ? 0.86 : 0;
      else if (kind === BLANK) total += run === 1 ? 1.3 : 0;
      else if (kind === SYMBOL) total += code === previousCode ? 0.06 : 0.48;
      else total += FOLLOWING[kind] ?? 0;
    }
    previousCode = code;
  }
  return total;
}

/** Tokens that every further character of a run costs, by kind. */
const FOLLOWING = Float64Array.of(0, 0, 0.26, 0, 0, 0.27, 0, 0.36, 0.24, 0.71, 0.63, 0.47, 0.26);

function kindBeyondAscii(code: number): number {
  if (code < 0x250) return LATIN;
  if (code < 0x1100) return ALPHABETIC; // Greek, Cyrillic, Hebrew, Arabic, the scripts of India
  if (code >= 0x3040 && code <= 0x30ff) return KANA;
  if (code >= 0x2e80 && code <= 0x9fff) return HAN;
  return code >= 0xac00 && code <= 0xd7a3 ? HANGUL : OTHER;
}
