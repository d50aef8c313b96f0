/** Fits the weights of the token estimator: least squares over relative errors, no weight below zero. @module */

/** A text with its true count. */
export interface Example {
  readonly text: string;
  readonly tokens: number;
  readonly weight: number;
}

/** As in `src/core/tokens.ts`, where the constants have these numbers. */
const KINDS = [
  "start",
  "lower",
  "upper",
  "digit",
  "blank",
  "newline",
  "symbol",
  "latin",
  "alphabetic",
  "han",
  "kana",
  "hangul",
  "other",
];
const ROWS = 8;
const EXTRAS = [
  "lower 9th",
  "lower each 4th",
  "upper",
  "digit each 3rd",
  "blank 2nd",
  "same symbol",
  "other symbol",
  "newline",
  ...KINDS.slice(7),
];
const FEATURES = ROWS * KINDS.length + EXTRAS.length;
/** Pulls weights that the examples say little about towards these. */
const RIDGE = 0.002;
const PRIOR_START = [0, 0.95, 0.95, 0.95, 0.1, 0.6, 0.85, 0.8, 0.8, 0.8, 0.8, 0.8, 0.9];
const PRIOR_EXTRA = [0.4, 0.5, 0.4, 1, 0.4, 0.1, 0.45, 0.1, 0.5, 0.2, 0.6, 0.6, 0.6, 0.6];
const ROUNDS = 400;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  if (code >= 48 && code <= 57) return 3;
  if (code === 32 || code === 9) return 4;
  if (code === 10 || code === 13) return 5;
  if (code < 128) return 6;
  if (code < 0x250) return 7;
  if (code < 0x1100) return 8;
  if (code >= 0x3040 && code <= 0x30ff) return 10;
  if (code >= 0x2e80 && code <= 0x9fff) return 9;
  return code >= 0xac00 && code <= 0xd7a3 ? 11 : 12;
}

function featuresOf(text: string): Float64Array {
  const features = new Float64Array(FEATURES);
  const count = (index: number) => features[index] = (features[index] ?? 0) + 1;
  let previous = 0, run = 0;
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind !== previous) {
      count(Math.min(previous, ROWS - 1) * KINDS.length + kind);
      previous = kind;
      run = 0;
      continue;
    }
    run++;
    const extra = extraOf(kind, run, text.charCodeAt(i) === text.charCodeAt(i - 1));
    if (extra >= 0) count(ROWS * KINDS.length + extra);
  }
  return features;
}

function extraOf(kind: number, run: number, same: boolean): number {
  if (kind === 1) return run === 8 ? 0 : run > 8 && run % 4 === 0 ? 1 : -1;
  if (kind === 2) return 2;
  if (kind === 3) return run % 3 === 0 ? 3 : -1;
  if (kind === 4) return run === 1 ? 4 : -1;
  if (kind === 5) return 7;
  if (kind === 6) return same ? 5 : 6;
  return 8 + kind - 7;
}

function prior(): Float64Array {
  const weights = new Float64Array(FEATURES);
  for (let row = 0; row < ROWS; row++) weights.set(PRIOR_START, row * KINDS.length);
  weights.set(PRIOR_EXTRA, ROWS * KINDS.length);
  weights[2 * KINDS.length + 1] = 0.1; // a capital and the word behind it
  weights[4 * KINDS.length + 3] = 1.6; // a blank and a number
  return weights;
}

/** Coordinate descent. @returns the weights as text, to be put into the source by hand. */
export function fit(examples: readonly Example[]): string {
  const center = prior(), weights = prior();
  const rows = examples.map((example) => ({ ...example, features: featuresOf(example.text) }));
  const residuals = rows.map((row) => row.tokens - row.features.reduce((sum, x, j) => sum + x * (weights[j] ?? 0), 0));
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j < FEATURES; j++) {
      const old = weights[j] ?? 0;
      let numerator = RIDGE * (center[j] ?? 0), denominator = RIDGE;
      for (const [i, row] of rows.entries()) {
        const x = row.features[j] ?? 0;
        const weight = row.weight / row.tokens ** 2;
        numerator += weight * x * ((residuals[i] ?? 0) + x * old);
        denominator += weight * x * x;
      }
      const next = Math.max(0, numerator / denominator);
      for (const [i, row] of rows.entries()) residuals[i] = (residuals[i] ?? 0) - (row.features[j] ?? 0) * (next - old);
      weights[j] = next;
    }
  }
  const shown = (values: Float64Array) => [...values].map((value) => value.toFixed(2)).join(", ");
  const table = KINDS.slice(0, ROWS).map((name, row) =>
    `after ${name}: [${shown(weights.slice(row * KINDS.length, (row + 1) * KINDS.length))}]`
  );
  const extras = EXTRAS.map((name, i) => `${name}: ${(weights[ROWS * KINDS.length + i] ?? 0).toFixed(2)}`);
  return [...table, extras.join(", ")].join("\n");
}
