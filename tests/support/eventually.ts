/** Waits for what happens soon, but of which no event tells. @module */

const TIMEOUT_MS = 10_000, PAUSE_MS = 20;
/** A machine may have other things to do for a while, and measuring over and over would keep it busy by itself. */
const LONGEST_UNREST_MS = 60_000, REST_MS = 500;

/** Repeats a check until it passes; its last failure is the failure. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  for (const end = performance.now() + timeoutMs;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/**
 * For bounds of time on a machine that does other things as well: what is slow by itself is slow every time.
 *
 * @param measure Milliseconds; begins anew each time and leaves nothing. Infinity when the machine left it no chance.
 */
export async function onAQuietMoment(measure: () => Promise<number>, mostMs: number): Promise<void> {
  const taken: number[] = [];
  for (const end = performance.now() + LONGEST_UNREST_MS;;) {
    taken.push(Math.round(await measure()));
    if (Math.min(...taken) <= mostMs) return;
    if (performance.now() > end) throw new Error(`${taken.join(", ")} ms; at most ${mostMs} ms are allowed`);
    await pause(REST_MS);
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
