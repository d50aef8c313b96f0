/** Suggests the closest known name for a misspelled one. @module */

/** A name with more errors than this is another name, however long it is. */
const MAX_ERRORS = 8;

/** The known name nearest to a wrong one: one that it begins, or one few typing errors away; undefined when none is near. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const given = wrong.toLowerCase();
  const longer = known.filter((name) => given.length >= 3 && name.startsWith(given));
  if (longer[0] !== undefined) return longer[0];
  let best: string | undefined;
  let bestDistance = Math.min(MAX_ERRORS, Math.max(2, Math.floor(given.length / 3))) + 1;
  for (const name of known) {
    const distance = editDistance(given, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  // two wrong letters of three are another word
  return bestDistance * 2 > given.length ? undefined : best;
}

/**
 * Insertions, deletions, replacements and swaps of neighbours between two texts; `limit` when they are at least that
 * many: nothing is computed further from the diagonal than that, nor once every way is as long.
 */
function editDistance(longA: string, longB: string, limit: number): number {
  if (Math.abs(longA.length - longB.length) >= limit) return limit;
  const [a, b] = withoutCommonEnds(longA, longB);
  const unreached = new Array<number>(b.length + 1).fill(limit);
  let before = unreached, previous = unreached.map((_, column) => Math.min(column, limit));
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit), last = Math.min(b.length, row + limit), current = unreached.slice();
    current[0] = Math.min(row, limit);
    let least = current[0];
    for (let column = first; column <= last; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column - 1] ?? limit) + (same ? 0 : 1),
        (previous[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? limit) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    // A swap reaches over one row.
    if (least >= limit && previous.every((cost) => cost >= limit)) return limit;
    [before, previous] = [previous, current];
  }
  return Math.min(previous[b.length] ?? limit, limit);
}

function withoutCommonEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let head = 0, tail = 0;
  while (head < shorter && a[head] === b[head]) head++;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
}
