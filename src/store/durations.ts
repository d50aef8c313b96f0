/** Durations as counts of rounded values: percentiles without sorting every call. @module */

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

  /** All of them. */
  get count(): number {
    return this.#total;
  }

  /** Adds calls that took this long. */
  add(durationMs: number, count = 1): void {
    const rounded = roundDuration(durationMs);
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + count);
    this.#total += count;
  }

  /** The smallest duration that at least this share (0 to 1) of the calls did not exceed; 0 when there are none. */
  percentiles(...shares: readonly number[]): number[] {
    const sorted = [...this.#counts].sort(([left], [right]) => left - right);
    return shares.map((share) => {
      let missing = Math.ceil(share * this.#total);
      for (const [duration, count] of sorted) if ((missing -= count) <= 0) return duration;
      return 0;
    });
  }
}
