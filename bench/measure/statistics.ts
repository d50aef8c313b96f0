/** Statistics of samples: median, tail, best. @module */
import type { Summary } from "../../scripts/reports/performance.ts";

/** @throws Error without samples, because a figure would be made up */
export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new Error("no samples");
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const middle = sorted.length % 2 === 1 ? at(0.5) : (at(0.5) + (sorted[sorted.length / 2 - 1] ?? Number.NaN)) / 2;
  return { median: round(middle), p95: round(at(0.95)), min: round(sorted[0] ?? Number.NaN), samples: sorted.length };
}

/** As many digits as mean something: microseconds of milliseconds. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
