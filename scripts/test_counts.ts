/** Parses the counts of a test run from its output and prints them on one line. @module */

/** How many tests ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts in the last summary that `deno test` printed; zeros when it did not get that far. */
export function readCounts(output: string): Counts {
  // deno-lint-ignore no-control-regex -- colours begin with the escape character
  const plain = output.replace(/\x1b\[[\d;]*m/g, "");
  const summary = [...plain.matchAll(/^(?:ok|FAILED) \| .*$/gm)].at(-1)?.[0] ?? "";
  const count = (word: string) => Number(summary.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("ignored") };
}

/** The counts of two runs together. */
export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** Finds the line that `closingLine` makes. */
export const CLOSING_LINE = /^\d+ passed, \d+ failed(?:, \d+ skipped)?$/m;

/** The line that closes a run, in a form that programs read too. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
