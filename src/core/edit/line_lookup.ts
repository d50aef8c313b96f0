/** Looks up where lines of a text are, with a bound on how many are compared. @module */
import type { Line } from "./line_ends.ts";
import { shownText } from "./text_file.ts";

/** Lines of a text, and where each stands. */
export interface LineLookup {
  readonly lines: readonly Line[];
  /** A line as a reader is shown it. */
  shown(at: number): string;
  /** Where lines stand that are like this one but for blanks at their ends. */
  standing(text: string): readonly number[];
  /** Counts the comparison of a line. @throws TooManyComparisons */
  compare(line: Line): void;
}

/** The hunks fit nearly everywhere: to find the places that are meant takes too long. */
export class TooManyComparisons extends Error {}

/** Comparisons of lines for all hunks of a file, some tens of milliseconds; a long line counts like several. */
const MAX_COMPARISONS = 500_000, CHARS_PER_COMPARISON = 200;

/** Indexes the lines of a text; a hunk that stands where it says needs no more than the lines. */
export function indexLines(lines: readonly Line[]): LineLookup {
  const shown = (at: number) => {
    const text = lines[at]?.text ?? "";
    return text.isWellFormed() ? text : shownText(text);
  };
  let positions: Map<string, number[]> | undefined, left = MAX_COMPARISONS;
  return {
    lines,
    shown,
    standing: (text) => (positions ??= positionsOf(lines, shown)).get(keyOf(text)) ?? [],
    compare({ text }) {
      left -= 1 + text.length / CHARS_PER_COMPARISON;
      if (left < 0) throw new TooManyComparisons();
    },
  };
}

function positionsOf(lines: readonly Line[], shown: (at: number) => string): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (let at = 0; at < lines.length; at++) {
    const key = keyOf(shown(at));
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [at]);
    else known.push(at);
  }
  return positions;
}

/** Ascending numbers, ordered by how far they are from another one. */
export function* nearestFirst(numbers: readonly number[], from: number): Generator<number> {
  const found = numbers.findIndex((number) => number >= from);
  let above = found < 0 ? numbers.length : found, below = above - 1;
  for (;;) {
    const low = numbers[below], high = numbers[above];
    if (low === undefined && high === undefined) return;
    if (high === undefined || low !== undefined && from - low <= high - from) {
      yield low ?? 0;
      below--;
    } else {
      yield high;
      above++;
    }
  }
}

/** What of a line counts where blanks at its end do not. */
export function keyOf(text: string): string {
  return text.trimEnd();
}
