/** How many tokens a text costs a model, estimated in one pass by character class. @module */

const LOWER = 1, UPPER = 2, DIGIT = 3, SPACE = 4, NEWLINE = 5, SYMBOL = 6, OTHER = 7;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[ \t]/.test(character)) return SPACE;
  return character === "\n" ? NEWLINE : SYMBOL;
});

/** Cost of the first character of a run, by kind. */
const FIRST = [0, 0.95, 0.95, 0.95, 0.05, 0.75, 0.85, 0.8];

/** Estimated tokens of a text. */
export function estimateTokens(text: string): number {
  let total = 0, previous = 0, run = 0;
  for (let i = 0; i < text.length; i++) {
    const kind = KINDS[text.charCodeAt(i)] ?? OTHER;
    if (kind !== previous && !(previous === UPPER && kind === LOWER)) {
      total += FIRST[kind] ?? 0;
      run = 0;
    } else if (++run % 6 === 0 && kind === LOWER) total += 0.55;
    else if (run % 3 === 0 && kind === DIGIT) total += 1;
    else if (run % 2 === 0 && kind === SYMBOL) total += 0.5;
    else if (kind === OTHER) total += 0.6;
    previous = kind;
  }
  return Math.round(total);
}
