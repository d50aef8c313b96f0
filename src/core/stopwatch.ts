/** Adds up how long some of the work took. @module */

/** See the module. */
export interface Stopwatch {
  /** Runs work, which may fail, and counts its time. */
  time<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds so far. */
  totalMs(): number;
}

/** @param now A clock that only grows, in milliseconds. */
export function makeStopwatch(now: () => number): Stopwatch {
  let totalMs = 0;
  return {
    async time(work) {
      const startedMs = now();
      try {
        return await work();
      } finally {
        totalMs += now() - startedMs;
      }
    },
    totalMs: () => totalMs,
  };
}
