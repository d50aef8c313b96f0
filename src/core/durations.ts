/** Histogram of durations: percentiles without keeping or sorting every value. @module */

/** One decimal below 10 ms, whole milliseconds below 1 s, then three significant digits. */
export function roundDuration(durationMs: number): number {
  if (!(durationMs > 0)) return 0;
  if (durationMs < 10) return Math.round(durationMs * 10) / 10;
  if (durationMs < 1_000) return Math.round(durationMs);
  const step = 10 ** (Math.floor(Math.log10(durationMs)) - 2);
  return Math.round(durationMs / step) * step;
}

/** How often each rounded duration occurred. */
export class Durations {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #sumMs = 0;

  /** All of them. */
  get count(): number {
    return this.#total;
  }

  /** Their sum, not rounded. */
  get sumMs(): number {
    return this.#sumMs;
  }

  /** Adds calls that took this long. */
  add(durationMs: number, count = 1): void {
    const rounded = roundDuration(durationMs);
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + count);
    this.#total += count;
    this.#sumMs += Math.max(0, durationMs) * count;
  }

  /** Adds all of another. */
  merge(other: Durations): void {
    for (const [duration, count] of other.#counts) {
      this.#counts.set(duration, (this.#counts.get(duration) ?? 0) + count);
    }
    this.#total += other.#total;
    this.#sumMs += other.#sumMs;
  }

  /** For each share (0 to 1) the smallest duration that at least that share did not exceed; 0 when there are none. */
  percentiles(...shares: readonly number[]): number[] {
    const sorted = [...this.#counts].sort(([left], [right]) => left - right);
    return shares.map((share) => {
      let missing = Math.ceil(share * this.#total);
      for (const [duration, count] of sorted) if ((missing -= count) <= 0) return duration;
      return 0;
    });
  }

  /** How many did not exceed each bound; bounds ascend. */
  atMost(boundsMs: readonly number[]): number[] {
    const counts = boundsMs.map(() => 0);
    for (const [duration, count] of this.#counts) {
      for (const [index, bound] of boundsMs.entries()) {
        if (duration <= bound) counts[index] = (counts[index] ?? 0) + count;
      }
    }
    return counts;
  }
}
