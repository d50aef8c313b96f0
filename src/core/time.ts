/** Waits for a time or an event, measures durations, and reads and writes times as people do. @module */

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Seconds since 1970 of `30m`, `2 hours ago`, `today`, `yesterday`, or an ISO date or time; UTC unless it says
 * otherwise. Null for everything else.
 */
export function readSince(text: string, nowMs: number): number | null {
  const word = text.trim().toLowerCase();
  const ago = word.match(/^(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)(?:\s+ago)?$/);
  if (ago) return Math.max(0, Math.floor(nowMs / 1000) - Number(ago[1]) * (UNIT_SECONDS[ago[2]?.[0] ?? ""] ?? 0));
  const today = Math.floor(nowMs / 86_400_000) * 86_400;
  if (word === "today") return today;
  if (word === "yesterday") return today - 86_400;
  const iso = text.trim().match(/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i);
  if (!iso) return null;
  const [, date, time = "00:00", seconds = ":00", zone = "Z"] = iso;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  const parsed = Date.parse(`${date}T${time}${seconds.slice(0, 3)}${offset}`);
  return Number.isNaN(parsed) || parsed < 0 ? null : Math.floor(parsed / 1000);
}

/** A duration in the two largest units that matter: `3d 4h`, `5m`. */
export function humanDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
  if (days > 0) return `${days}d ${hours % 24}h`;
  if (hours > 0) return `${hours}h ${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m` : `${Math.floor(seconds)}s`;
}

/** `20251201T180000Z`, in UTC. */
export function compactTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Waits. @throws the reason of `signal` when that aborts first. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs), stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** What `work` gives within a time, else `late`; the work itself goes on. */
export async function within<T, L>(work: Promise<T>, durationMs: number, late: L): Promise<T | L> {
  const { promise, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(() => resolve(late), durationMs);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Whether a promise is fulfilled or rejected within a time. */
export function settlesWithin(work: Promise<unknown>, durationMs: number): Promise<boolean> {
  return within(work.then(() => true, () => true), durationMs, false);
}

/** What `work` gives; the work itself goes on after an abort. @throws the reason of `signal` when that aborts first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  work.catch(() => {}); // after an abort nothing waits for it any more
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  return await Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}

/** Adds up how long some of the work took. */
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
