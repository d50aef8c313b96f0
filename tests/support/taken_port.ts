/** Retries tests that need a port by its number, because another program can take it in between. @module */

const ATTEMPTS = 5;

/** Repeats an attempt, on another port each time, while its fault is that the port was taken. */
export async function unlessTaken(attempt: () => Promise<void>): Promise<void> {
  for (let left = ATTEMPTS;;) {
    try {
      return await attempt();
    } catch (error) {
      if (--left === 0 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}
