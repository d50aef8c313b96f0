/**
 * Token buckets, one per key: a burst, then a steady rate. Common libraries count in fixed windows, which lets twice
 * the rate through at a window's border and then shuts out a steady client; they also keep a timer per key.
 * @module
 */

/** Shape of every bucket. */
export interface TokenBucketOptions {
  /** Looked at for each request, like {@link burst}: both may change. */
  readonly perSecond: number;
  /** What a full bucket holds. */
  readonly burst: number;
  /** Keys that are remembered; the one that was made first goes first. */
  readonly maxKeys: number;
  /** Milliseconds; must not jump. */
  readonly now: () => number;
}

/** The buckets. */
export interface TokenBuckets {
  /**
   * Takes tokens that there are, or will be within `longestMs`: who takes later then waits for them as well.
   * @returns after how many milliseconds there are enough; nothing was taken if that is longer than `longestMs`
   */
  take(key: string, count?: number, longestMs?: number): number;
  /** Gives back tokens that were taken and not used. */
  giveBack(key: string, count: number): void;
  readonly size: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Makes the buckets; a new one is full. */
export function makeTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { maxKeys, now } = options;
  const buckets = new Map<string, Bucket>();
  // One more than promised: a client that keeps exactly to the rate is now and then a millisecond early.
  const capacity = () => options.burst + 1;
  const open = (key: string): Bucket => {
    const bucket = { tokens: capacity(), atMs: now() };
    if (buckets.size >= maxKeys) {
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    }
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    take(key, count = 1, longestMs = 0) {
      const bucket = buckets.get(key) ?? open(key);
      const atMs = now(), { perSecond } = options;
      bucket.tokens = Math.min(capacity(), bucket.tokens + (atMs - bucket.atMs) * perSecond / 1000);
      bucket.atMs = atMs;
      const waitMs = Math.max(0, count - bucket.tokens) * 1000 / perSecond;
      if (waitMs <= longestMs) bucket.tokens -= count;
      return waitMs;
    },
    giveBack(key, count) {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens += count;
    },
    get size() {
      return buckets.size;
    },
  };
}
