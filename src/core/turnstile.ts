/** Semaphore: a bounded number of jobs run at once, the others wait in order. @module */

/** Admits jobs. */
export interface Turnstile {
  /** Runs a job when it is its turn. @throws the reason of `signal` when that aborts while waiting. */
  pass<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Makes a turnstile. @param places Jobs that run at once. */
export function makeTurnstile(places: number): Turnstile {
  const waiting = new Set<() => void>();
  let free = places;

  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const proceed = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(proceed);
        reject(signal.reason);
      };
      waiting.add(proceed);
      signal.addEventListener("abort", giveUp);
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next); // the place goes from hand to hand
      next();
    }
  };

  return {
    async pass(job, signal) {
      await enter(signal);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
