/** Defines the common result type of all test runner parsers. @module */

/** One failed test. */
export interface TestFailure {
  /** As the runner names it. */
  readonly name: string;
  /** File of the failing line, "" when the runner does not say. */
  readonly file: string;
  /** From 1; 0 when the runner does not say. */
  readonly line: number;
  /** The assertion or error in one line. */
  readonly message: string;
  /** All that the runner printed about it, without frames of the runner itself. */
  readonly block: readonly string[];
  /** Lines of the output that belong to it, beyond those of its block. */
  readonly read?: readonly string[];
  /** The lines of the block without which the failure cannot be understood. */
  readonly essence: readonly string[];
}

/** Counts and failures of one run. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that broke outside their body, and files that could not be loaded. */
  readonly errors: number;
  readonly failures: readonly TestFailure[];
  /** The runner's own closing lines. */
  readonly summary: readonly string[];
  /** Whole run, in seconds; null when the runner does not say. */
  readonly durationS: number | null;
  readonly slowest: readonly { readonly name: string; readonly seconds: number }[];
}

/** Reads the output of one runner; null when it is another's. */
export type TestParser = (lines: readonly string[]) => TestRun | null;

/** A run without anything, to be filled. */
export const EMPTY_RUN: TestRun = {
  passed: 0,
  failed: 0,
  skipped: 0,
  errors: 0,
  failures: [],
  summary: [],
  durationS: null,
  slowest: [],
};

/** The number before a word, as in `3 failed`; 0 when absent. */
export function numberBefore(text: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0);
}

/** `path:line` or `path:line:column` as file and line. */
export function splitLocation(text: string | undefined): { file: string; line: number } {
  const match = /^(.*?):(\d+)(?::\d+)?$/.exec(text ?? "");
  return match === null ? { file: "", line: 0 } : { file: match[1] ?? "", line: Number(match[2]) };
}

/** Drops empty lines at both ends and folds runs of them. */
export function tidy(lines: readonly string[]): string[] {
  const kept = lines.filter((line, i) => line.trim() !== "" || i > 0 && (lines[i - 1] ?? "").trim() !== "");
  while (kept.length > 0 && kept.at(-1)?.trim() === "") kept.pop();
  return kept;
}

/** Divides lines into blocks at the lines that open one; what comes before the first is dropped. */
export function blocksAt(lines: readonly string[], opens: (line: string) => boolean): string[][] {
  const blocks: string[][] = [];
  for (const line of lines) {
    if (opens(line)) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

/** The lines from the first that matches to the next that ends it. */
export function section(
  lines: readonly string[],
  opens: (line: string) => boolean,
  ends: (line: string) => boolean,
): string[] {
  const start = lines.findIndex(opens);
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex(ends);
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
}
