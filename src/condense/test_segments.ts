/** Reads output that several test runs wrote one after the other, as `make test` and `npm test` do. @module */
import { EMPTY_RUN, type TestParser, type TestRun } from "./test_run.ts";

/** The line that ends a run, by runner; cargo and go have one for each binary, and their parsers add them up. */
const ENDS: readonly RegExp[] = [
  /^=+ (?:(?:\d+ \w+(?:, )?)+|no tests ran) in [\d.]+s.* =+$|^(?:\d+ (?:passed|failed|skipped|errors?)(?:, )?)+.* in [\d.]+s$/,
  /^Tests: +\d+ /,
  /^\s+Tests {2}.*\(\d+\)$/,
  /^(?:ok|FAILED) \| \d+ passed/,
  /^# duration_ms [\d.]+$/,
];
/** unittest's, below `Ran 3 tests in 0.001s`. */
const VERDICT = /^(?:OK|FAILED)(?: \(\w+=\d+(?:, \w+=\d+)*\))?$/, RAN = /^Ran \d+ tests? in /;
/** What those runners print after that line belongs to the run before it. */
const AFTER = /^(?:Snapshots|Time): |^Ran all test suites|^\s+(?:Start at|Duration) {2}|^\s*$|^error: Test failed/;
/** node's reporter for people, and mocha, tell their failures after their counters: where they end cannot be seen. */
const ENDS_OPEN = /^ℹ duration_ms [\d.]+$|^\s+\d+ passing \(.+\)$/;

/** One run, or all of them added up; null when no runner, or not every one, is understood. */
export function parseRuns(lines: readonly string[], parsers: readonly TestParser[]): TestRun | null {
  const ends = lines.flatMap((_, at) => isEnd(lines, at) ? [at] : []);
  const open = lines.filter((line) => ENDS_OPEN.test(line)).length;
  if (open > 1 || open === 1 && ends.length > 0) return null;
  const segments = ends.length > 1 ? splitAfter(lines, ends) : [lines];
  const runs = segments.map((segment) => parsers.map((parse) => parse(segment)).filter((run) => run !== null));
  // Two runners in one stretch: the counts of neither are those of the whole.
  if (runs.some((found) => found.length > 1)) return null;
  const read = runs.flat();
  if (read.length < ends.length || read.length === 0) return null;
  return read.length === 1 ? read[0] ?? null : addUp(read);
}

function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (VERDICT.test(line)) return lines.slice(Math.max(0, at - 3), at).some((before) => RAN.test(before));
  return ENDS.some((end) => end.test(line));
}

function splitAfter(lines: readonly string[], ends: readonly number[]): string[][] {
  const segments: string[][] = [];
  let from = 0;
  for (const end of ends) {
    let to = end + 1;
    while (to < lines.length && AFTER.test(lines[to] ?? "")) to++;
    segments.push(lines.slice(from, to));
    from = to;
  }
  if (from < lines.length) segments.push(lines.slice(from));
  return segments;
}

function addUp(runs: readonly TestRun[]): TestRun {
  const sum = (of: (run: TestRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return {
    ...EMPTY_RUN,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    errors: sum(({ errors }) => errors),
    failures: runs.flatMap(({ failures }) => failures),
    summary: runs.flatMap(({ summary }) => summary),
    durationS: sum(({ durationS }) => durationS ?? 0),
    slowest: runs.flatMap(({ slowest }) => slowest),
  };
}
