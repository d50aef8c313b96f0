/** Parses the output of mocha's spec reporter and of those that end like it. @module */
import { makeFailure } from "./js_failure.ts";
import { EMPTY_RUN, type TestRun } from "./test_run.ts";

const PASSING = /^\s+(\d+) passing \((.+)\)$/;
const COUNT = /^\s+(\d+) (failing|pending)$/;
/** `  1) suite` above the rest of its title, at the end of the run. */
const TITLE = /^ {2}(\d+)\) (\S.*)$/;
const FRAME = /^\s+at /;
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** `25 passing (12ms)`, `2 failing`, and a numbered block for each failure. */
export function parseMocha(lines: readonly string[]): TestRun | null {
  const at = lines.findLastIndex((line) => PASSING.test(line));
  if (at < 0) return null;
  const [, passed = "0", time = ""] = PASSING.exec(lines[at] ?? "") ?? [];
  const after = lines.slice(at + 1), first = after.findIndex((line) => TITLE.test(line));
  const counts = after.slice(0, first < 0 ? undefined : first).map((line) => COUNT.exec(line)).filter((match) =>
    match !== null
  );
  const numberOf = (word: string) => Number(counts.find((match) => match[2] === word)?.[1] ?? 0);
  return {
    ...EMPTY_RUN,
    passed: Number(passed),
    failed: numberOf("failing"),
    skipped: numberOf("pending"),
    failures: first < 0 ? [] : blocksOf(after.slice(first)).map(mochaFailure),
    summary: [lines[at] ?? "", ...counts.map((match) => match[0])].map((line) => line.trim()),
    durationS: durationOf(time),
  };
}

/** A block ends with its last frame: what a later program prints does not belong to it. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (const line of lines) {
    const number = TITLE.exec(line)?.[1];
    if (Number(number) === blocks.length + 1) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.map((block) => {
    const last = block.findLastIndex((line) => FRAME.test(line));
    return last < 0 ? block : block.slice(0, last + 1);
  });
}

/** The title goes on over lines that are indented deeper, and ends with a colon. */
function mochaFailure(block: readonly string[]): ReturnType<typeof makeFailure> {
  const end = block.findIndex((line) => line.endsWith(":"));
  const titles = block.slice(0, end + 1).map((line) => line.trim().replace(/^\d+\) |:$/g, ""));
  const body = block.slice(end + 1);
  return { ...makeFailure(titles.join(" > "), body), read: block };
}

function durationOf(text: string): number | null {
  const [, number, unit = ""] = /^([\d.]+) ?(ms|s|m|h)$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (UNITS[unit] ?? 1);
}
