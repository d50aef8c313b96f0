/** Parses the output of jest, vitest, node --test (spec and TAP) and deno test. @module */
import { makeFailure } from "./js_failure.ts";
import {
  blocksAt,
  EMPTY_RUN,
  numberBefore,
  section,
  splitLocation,
  type TestFailure,
  type TestRun,
} from "./test_run.ts";

/** `Tests: 2 failed, 1 skipped, 25 passed, 28 total` and `● suite › test` blocks. */
export function parseJest(lines: readonly string[]): TestRun | null {
  const tests = lines.findLast((line) => /^Tests: +\d+ /.test(line));
  if (tests === undefined) return null;
  const end = lines.findLastIndex((line) => line.startsWith("Test Suites:"));
  const blocks = blocksAt(
    lines.slice(0, end < 0 ? undefined : end),
    (line) => /^ {2}● /.test(line) || /^(?:PASS|FAIL) /.test(line),
  )
    .filter((block) => block[0]?.startsWith("  ● "));
  // With several files jest repeats all failures at its end.
  const unique = new Map(blocks.map((block) => [block[0] ?? "", block]));
  const summary = lines.filter((line) =>
    /^(?:Test Suites|Tests|Snapshots|Time): /.test(line) && !/Snapshots: +0 total/.test(line)
  );
  return {
    ...EMPTY_RUN,
    passed: numberBefore(tests, "passed"),
    failed: numberBefore(tests, "failed"),
    skipped: numberBefore(tests, "skipped") + numberBefore(tests, "todo"),
    failures: [...unique.values()].map((block) => ({
      ...makeFailure((block[0] ?? "").replace(/^ +● /, ""), block.slice(1).map((line) => line.replace(/^ {4}/, ""))),
      read: block,
    })),
    summary: summary.map((line) => line.replace(/ {2,}/g, " ")),
    durationS: Number(/^Time: +([\d.]+) s/.exec(lines.find((line) => line.startsWith("Time:")) ?? "")?.[1] ?? NaN) ||
      null,
    slowest: [],
  };
}

/** `Tests  2 failed | 25 passed (28)` and ` FAIL  file > suite > test` blocks. */
export function parseVitest(lines: readonly string[]): TestRun | null {
  const tests = lines.findLast((line) => /^\s+Tests {2}.*\(\d+\)$/.test(line));
  if (tests === undefined) return null;
  const blocks = blocksAt(lines, (line) => /^ FAIL {2}/.test(line)).map((block) => {
    const end = block.findIndex((line) => /^⎯{5,}|^ (?:Test Files|RUN) /.test(line));
    return end < 0 ? block : block.slice(0, end);
  });
  const summary = lines.filter((line) => /^\s+(?:Test Files|Tests|Duration) {2}/.test(line)).map((line) =>
    line.trim().replace(/ {2,}/g, " ").replace(/ \(transform.*\)$/, "")
  );
  return {
    ...EMPTY_RUN,
    passed: numberBefore(tests, "passed"),
    failed: numberBefore(tests, "failed"),
    skipped: numberBefore(tests, "skipped") + numberBefore(tests, "todo"),
    failures: blocks.map((block) => ({
      ...makeFailure((block[0] ?? "").replace(/^ FAIL +/, ""), block.slice(1)),
      read: block,
    })),
    summary,
    durationS: readVitestDuration(lines),
  };
}

function readVitestDuration(lines: readonly string[]): number | null {
  const match = lines.map((line) => /^\s+Duration {2}([\d.]+)(ms|s)/.exec(line)).findLast((found) => found !== null);
  return match == null ? null : Number(match[1]) / (match[2] === "ms" ? 1_000 : 1);
}

/** The counters that node prints last, in the spec reporter with `ℹ`, in TAP with `#`. */
export function parseNode(lines: readonly string[]): TestRun | null {
  const counter = (name: string) => {
    const line = lines.findLast((each) => new RegExp(`^[ℹ#] ${name} [\\d.]+$`).test(each));
    return line === undefined ? null : Number(line.split(" ").at(-1));
  };
  const passed = counter("pass"), failed = counter("fail");
  if (passed === null || failed === null) return null;
  const spec = lines.findLastIndex((line) => /^✖ failing tests:$/.test(line));
  const failures = spec >= 0 ? specFailures(lines.slice(spec + 1)) : tapFailures(lines);
  const duration = counter("duration_ms");
  return {
    ...EMPTY_RUN,
    passed,
    failed,
    skipped: (counter("skipped") ?? 0) + (counter("todo") ?? 0),
    errors: counter("cancelled") ?? 0,
    failures,
    summary: lines.filter((line) =>
      /^[ℹ#] (?:tests|pass|fail|cancelled|skipped|todo|duration_ms) /.test(line) &&
      !/ (?:cancelled|skipped|todo) 0$/.test(line)
    ),
    durationS: duration === null ? null : duration / 1_000,
  };
}

function specFailures(lines: readonly string[]): TestFailure[] {
  return blocksAt(lines, (line) => line.startsWith("test at ")).map((block) => {
    const location = splitLocation(/^test at (\S+)$/.exec(block[0] ?? "")?.[1]);
    // All of it is indented: what is not was printed by another program.
    const over = block.findIndex((line, i) => i > 1 && /^\S/.test(line)), own = over < 0 ? block : block.slice(0, over);
    const end = own.findIndex((line, i) => i > 1 && /^\s+(?:generatedMessage|code): |^\s*\[?cause\]?: /.test(line));
    const body = (end < 0 ? own : own.slice(0, end)).slice(2).map((line) => line.replace(/^ {2}/, ""));
    const title = (block[1] ?? "").trim().replace(/ \([\d.]+ms\)$/, "");
    return {
      ...makeFailure(`${title} ${/^test at (\S+)$/.exec(block[0] ?? "")?.[1] ?? ""}`.trim(), body, location, title),
      read: own,
    };
  });
}

function tapFailures(lines: readonly string[]): TestFailure[] {
  return blocksAt(lines, (line) => /^\s*(?:not )?ok \d+ /.test(line)).filter((block) =>
    /^\s*not ok/.test(block[0] ?? "") && !block.some((line) => /failureType: 'subtestsFailed'/.test(line))
  ).map((block) => {
    // A value may hold three dots as well: those of the report are as deep as the line that opens it.
    const depth = (block[1] ?? "").search(/\S/), end = block.indexOf(`${" ".repeat(Math.max(0, depth))}...`);
    const own = block.slice(1, end < 0 ? undefined : end);
    const valueOf = (key: string) =>
      own.find((line) => new RegExp(`^\\s*${key}: `).test(line))?.trim().slice(key.length + 2);
    const name = (block[0] ?? "").trim().replace(/^not ok \d+ - /, "not ok ");
    const location = /^'(.*)'$/.exec(valueOf("location") ?? "")?.[1];
    const error = yamlText(own, "error");
    const frames = yamlText(own, "stack").filter((line) =>
      !/\((?:node:|<anonymous>)|^(?:new |async |Array\.|node:)/.test(line)
    );
    return {
      ...makeFailure(name, [...error, ...frames.map((line) => `  at ${line}`)], splitLocation(location)),
      read: own,
    };
  });
}

/** A value of a TAP report: on the line of its key, or indented below it. */
function yamlText(lines: readonly string[], key: string): string[] {
  const at = lines.findIndex((line) => line.trimStart().startsWith(`${key}: `)), line = lines[at] ?? "";
  const value = line.trimStart().slice(key.length + 2), depth = line.search(/\S/);
  if (!/^[|>][-+]?$/.test(value)) return value === "" ? [] : [value.replace(/^(['"])(.*)\1$/, "$2")];
  const below = lines.slice(at + 1), end = below.findIndex((each) => each.trim() !== "" && each.search(/\S/) <= depth);
  return below.slice(0, end < 0 ? undefined : end).map((each) => each.trim());
}

/** `FAILED | 25 passed | 2 failed | 1 ignored (15ms)` and the blocks under ` ERRORS `. */
export function parseDeno(lines: readonly string[]): TestRun | null {
  const verdict = lines.findLast((line) => /^(?:ok|FAILED) \| \d+ passed/.test(line));
  if (verdict === undefined) return null;
  const body = section(lines, (line) => line === " ERRORS ", (line) => line === " FAILURES " || line === verdict);
  const blocks = blocksAt(body, (line) => /^\S.* => \S+:\d+:\d+$/.test(line) || /\(uncaught error\)$/.test(line));
  const time = /\((?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?\)$/.exec(verdict);
  return {
    ...EMPTY_RUN,
    passed: numberBefore(verdict, "passed"),
    failed: numberBefore(verdict, "failed"),
    skipped: numberBefore(verdict, "ignored"),
    failures: blocks.map((block) => {
      const location = splitLocation(/ => (\S+)$/.exec(block[0] ?? "")?.[1]);
      const name = (block[0] ?? "").replace(/ => \S+$/, "");
      return makeFailure(block[0] ?? "", [...printedBy(lines, name), ...block.slice(1)], location, name);
    }),
    summary: [verdict],
    durationS: time === null ? null : Number(time[1] ?? 0) * 60 + Number(time[2] ?? 0) + Number(time[3] ?? 0) / 1_000,
  };
}

/** What a failed test printed, which stands above the errors. */
function printedBy(lines: readonly string[], name: string): string[] {
  const start = lines.indexOf(`${name} ...`);
  if (start < 0 || !/^-+ (?:output|pre-test output) -+$/.test(lines[start + 1] ?? "")) return [];
  const end = lines.findIndex((line, i) => i > start && /^-+ output end -+$/.test(line));
  return lines.slice(start + 1, end + 1).slice(0, 20);
}
