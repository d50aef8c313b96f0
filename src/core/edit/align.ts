/** Computes a bounded shortest edit script between two sequences. @module */

/** Index in the first sequence, index in the second. Ascending in both. */
export type Pair = readonly [number, number];

/** More differences than this are not worth an exact answer: memory grows with the square. */
const MAX_EDITS = 600;

/**
 * Pairs equal elements by Myers' greedy algorithm, after cutting off the common start and end.
 * When the middle differs in more than 600 places only the common start and end are paired.
 *
 * @see https://doi.org/10.1007/BF01840446
 */
export function align<T>(from: ArrayLike<T>, to: ArrayLike<T>): readonly Pair[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  const pairs: Pair[] = [];
  for (let at = 0; at < head; at++) pairs.push([at, at]);
  pairs.push(...alignMiddle(from, to, head, tail));
  for (let at = tail; at > 0; at--) pairs.push([from.length - at, to.length - at]);
  return pairs;
}

function alignMiddle<T>(from: ArrayLike<T>, to: ArrayLike<T>, head: number, tail: number): readonly Pair[] {
  const rows = from.length - head - tail, columns = to.length - head - tail;
  if (rows === 0 || columns === 0) return [];
  const same = (x: number, y: number) => x < rows && y < columns && from[head + x] === to[head + y];
  const bound = Math.min(rows + columns, MAX_EDITS);
  // furthest[k + bound] is the furthest row reached on diagonal k = x - y.
  const furthest = new Int32Array(2 * bound + 2);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= bound; edits++) {
    history.push(furthest.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let x = startOf(furthest, bound, k, edits);
      while (same(x, x - k)) x++;
      furthest[k + bound] = x;
      if (x >= rows && x - k >= columns) return walkBack(history, bound, rows, columns, head);
    }
  }
  return [];
}

/** Row from which diagonal k goes on: one down from k + 1 or one right from k - 1, whichever is further. */
function startOf(furthest: Int32Array, bound: number, k: number, edits: number): number {
  if (edits === 0) return 0;
  const below = furthest[k - 1 + bound] ?? 0, above = furthest[k + 1 + bound] ?? 0;
  return k === -edits || (k !== edits && below < above) ? above : below + 1;
}

function walkBack(history: readonly Int32Array[], bound: number, rows: number, columns: number, head: number): Pair[] {
  const pairs: Pair[] = [];
  let x = rows, y = columns;
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const before = history[edits];
    if (before === undefined) break;
    const k = x - y;
    const start = startOf(before, bound, k, edits);
    while (x > start) pairs.push([head + --x, head + --y]);
    if (edits === 0) break;
    const fromAbove = k === -edits || (k !== edits && (before[k - 1 + bound] ?? 0) < (before[k + 1 + bound] ?? 0));
    const previous = fromAbove ? k + 1 : k - 1;
    x = before[previous + bound] ?? 0;
    y = x - previous;
  }
  return pairs.reverse();
}
