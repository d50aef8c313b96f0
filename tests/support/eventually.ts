/** Polls for a condition that has no event. @module */

const TIMEOUT_MS = 10_000, PAUSE_MS = 20;

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

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
