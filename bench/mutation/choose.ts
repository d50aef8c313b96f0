/** Selects mutants spread over files, operators and places, the same ones in every run. @module */
import type { Mutant } from "../../scripts/reports/mutation.ts";

/**
 * So many of the mutants. Files take turns, and in each file its operators; which mutant of an operator comes first
 * depends on its line alone, so that a change elsewhere in the file leaves the choice as it is.
 *
 * @param seed Another seed chooses others.
 */
export function chooseMutants(mutants: readonly Mutant[], count: number, seed = 1): Mutant[] {
  const byFile = Map.groupBy(mutants, ({ path }) => path);
  const queues = [...byFile.values()].map((ofFile) => {
    const byOperator = [...Map.groupBy(ofFile, ({ operator }) => operator).values()];
    return turns(byOperator.map((list) => list.toSorted((one, other) => markOf(one, seed) - markOf(other, seed))));
  });
  return turns(queues).slice(0, count);
}

/** The first of each list, then the second of each, until all are used up. */
function turns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** FNV-1a of what the mutant changes. */
function markOf({ context, original, replacement }: Mutant, seed: number): number {
  let mark = 0x811c9dc5;
  for (const character of `${seed}\n${context}\n${original}\n${replacement}`) {
    mark = Math.imul(mark ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return mark;
}
