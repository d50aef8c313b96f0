/** Queue of requests over the rate: each waits for its turn at the sustained rate, first come, first served. @module */
import { OpsError } from "../../core/error.ts";
import { sleep } from "../../core/time.ts";
import type { TokenBuckets } from "./token_bucket.ts";

/** Clients cut a request at 60 s, and its turn must leave it time to run. */
export const LONGEST_WAIT_MS = 25_000;

/** The bounds of one key. */
export interface RateQueueOptions {
  readonly buckets: TokenBuckets;
  /** Requests that wait; one more is refused at once. May change. */
  readonly maxQueued: number;
  /** Ends all waiting. */
  readonly closing: AbortSignal;
}

/** The queue. Keys do not wait for each other. */
export interface RateQueue {
  /**
   * Waits for the turn of `count` requests.
   * @returns 0 when it has come, else they are refused: after so many milliseconds they would pass
   * @throws OpsError RATE_LIMITED when the client goes away or the server stops while it waits
   */
  enter(key: string, count: number, signal: AbortSignal): Promise<number>;
}

/** Makes the queue. The order is that of the buckets: who takes first waits least. */
export function makeRateQueue(options: RateQueueOptions): RateQueue {
  const { buckets, closing } = options;
  const queued = new Map<string, number>();
  return {
    async enter(key, count, signal) {
      const before = queued.get(key) ?? 0;
      const longestMs = before < options.maxQueued ? LONGEST_WAIT_MS : 0;
      const waitMs = buckets.take(key, count, longestMs);
      if (waitMs === 0 || waitMs > longestMs) return waitMs;
      queued.set(key, before + 1);
      try {
        await sleep(waitMs, AbortSignal.any([signal, closing]));
        return 0;
      } catch {
        buckets.giveBack(key, count);
        throw new OpsError(
          "RATE_LIMITED",
          "the request waited for its turn until the server stopped",
          "Send it again.",
        );
      } finally {
        const left = (queued.get(key) ?? 1) - 1;
        if (left > 0) queued.set(key, left);
        else queued.delete(key);
      }
    },
  };
}
