/** Programs that a deadline ends, on a machine that may stand still until it has come. @module */

const LONGEST_MS = 30_000;

/**
 * Runs with a deadline, and with twice as long a one each time that the program did not get as far as it must.
 *
 * @param run Begins anew each time.
 * @returns the first outcome that got far enough; else the last one.
 */
export async function retryDeadline<T>(
  run: (deadlineMs: number) => Promise<T>,
  shortestMs: number,
  isFarEnough: (outcome: T) => boolean,
): Promise<T> {
  for (let deadlineMs = shortestMs;; deadlineMs *= 2) {
    const outcome = await run(deadlineMs);
    if (isFarEnough(outcome) || deadlineMs > LONGEST_MS) return outcome;
  }
}
