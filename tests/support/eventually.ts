/** Waits for what happens soon, but of which no event tells. @module */

const TIMEOUT_MS = 10_000, PAUSE_MS = 20;

/** Repeats a check until it passes; its last failure is the failure. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  for (const end = performance.now() + timeoutMs;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** For bounds of time on a machine that does other things as well: what is slow by itself is slow every time. */
export async function onAQuietMoment(measure: () => Promise<number>, mostMs: number): Promise<void> {
  const taken: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    taken.push(Math.round(await measure()));
    if (Math.min(...taken) <= mostMs) return;
  }
  throw new Error(`${taken.join(", ")} ms; at most ${mostMs} ms are allowed`);
}
