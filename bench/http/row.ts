/** One row of the load results. @module */

/** What was measured, and whether it is as it should be. */
export interface Row {
  readonly what: string;
  /** As a person reads it. */
  readonly figure: string;
  readonly target: string;
  readonly holds: boolean;
  /** The same for programs. */
  readonly values: Readonly<Record<string, number>>;
}

/** The value below which this share of the sorted samples lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds with as many digits as mean something. */
export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}
