/**
 * Measures several contestants in turn, A B C A B C, so that other load of the machine affects all of them equally.
 * @module
 */
import { summarise } from "./statistics.ts";
import type { Summary } from "../../scripts/reports/performance.ts";

/** One contestant in one row. */
export interface Entrant {
  readonly key: string;
  /** Does it once. @returns its own measure, when the time it took is not what counts */
  once(): Promise<number | void>;
}

/** How long it may take. The row ends when either bound is reached, but not before every entrant had `minRounds`. */
export interface RoundBounds {
  readonly maxRounds: number;
  readonly budgetMs: number;
  readonly minRounds?: number;
  /** Rounds that are not counted: caches fill, code is compiled. */
  readonly warmUp?: number;
}

/** What came of an entrant: its samples in few numbers, or why it fell out. */
export type Outcome = { readonly summary: Summary } | { readonly fault: string };

/** Runs the rounds. An entrant that throws falls out; the others go on. */
export async function runRounds(
  entrants: readonly Entrant[],
  { maxRounds, budgetMs, minRounds = 3, warmUp = 2 }: RoundBounds,
): Promise<ReadonlyMap<string, Outcome>> {
  const samples = new Map<string, number[]>(entrants.map(({ key }) => [key, []]));
  const faults = new Map<string, string>();
  const started = performance.now();
  for (let round = -warmUp; round < maxRounds; round++) {
    if (round >= minRounds && performance.now() - started > budgetMs) break;
    for (const { key, once } of entrants) {
      if (faults.has(key)) continue;
      try {
        const before = performance.now();
        const own = await once();
        const elapsed = performance.now() - before;
        if (round >= 0) samples.get(key)?.push(own ?? elapsed);
      } catch (error) {
        faults.set(key, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return new Map(entrants.map(({ key }): [string, Outcome] => {
    const fault = faults.get(key), own = samples.get(key) ?? [];
    return [
      key,
      fault === undefined && own.length > 0 ? { summary: summarise(own) } : { fault: fault ?? "no samples" },
    ];
  }));
}
