/** Suggests the closest known name for a misspelled one. @module */

/** The known name nearest to a wrong one: one that it begins, or one few typing errors away; undefined when none is near. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const given = wrong.toLowerCase();
  const longer = known.filter((name) => given.length >= 3 && name.startsWith(given));
  if (longer[0] !== undefined) return longer[0];
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(given, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  // two wrong letters of three are another word
  return bestDistance * 2 > given.length ? undefined : best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts; `limit` when they are at least that many. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    [before, previous] = [previous, current];
  }
  return Math.min(previous[b.length] ?? limit, limit);
}
