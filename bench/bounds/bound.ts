/** Defines a bound: an upper limit for a duration, and how the duration is measured. @module */
import { summarise } from "../measure/statistics.ts";
import type { Summary } from "../../scripts/reports/performance.ts";

/** One of the times that are promised. */
export interface Bound {
  readonly what: string;
  readonly limitMs: number;
  /** Milliseconds of one attempt, which begins afresh and leaves nothing. */
  measure(): Promise<number>;
}

/** What came of the attempts. */
export interface Measured extends Pick<Bound, "what" | "limitMs"> {
  readonly summary: Summary;
}

/** Measures each so many times. */
export async function measureAll(bounds: readonly Bound[], rounds: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { what, limitMs, measure } of bounds) {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) samples.push(await measure());
    measured.push({ what, limitMs, summary: summarise(samples) });
  }
  return measured;
}

/** How long some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Resolves when something holds, looked at every other millisecond. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 30_000; !await holds();) {
    if (performance.now() > endMs) throw new Error("what was waited for did not come");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
