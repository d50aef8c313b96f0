/** Parses the output of cargo test and go test. @module */
import { blocksAt, EMPTY_RUN, numberBefore, splitLocation, type TestFailure, type TestRun, tidy } from "./test_run.ts";

/** `test result: FAILED. 30 passed; 2 failed; …` for each binary, and `---- name stdout ----` blocks. */
export function parseCargo(lines: readonly string[]): TestRun | null {
  const results = lines.filter((line) => line.startsWith("test result: "));
  if (results.length === 0) return null;
  const blocks = blocksAt(lines, (line) => /^---- .+ ----$/.test(line)).map((block) => {
    const end = block.findIndex((line) => line === "failures:" || line.startsWith("test result: "));
    return end < 0 ? block : block.slice(0, end);
  });
  const sum = (word: string) => results.reduce((total, line) => total + numberBefore(line, word), 0);
  return {
    ...EMPTY_RUN,
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("ignored"),
    failures: blocks.map(cargoFailure),
    summary: results.length > 4
      ? results.filter((line) => !/\b0 failed/.test(line)).concat(results.slice(-1))
      : results,
    durationS: results.reduce((total, line) => total + Number(/finished in ([\d.]+)s/.exec(line)?.[1] ?? 0), 0),
  };
}

function cargoFailure(block: readonly string[]): TestFailure {
  const name = /^---- (.+?)(?: stdout| stderr)? ----$/.exec(block[0] ?? "")?.[1] ?? "";
  const body = tidy(withoutBacktrace(block.slice(1)));
  const panic = body.findIndex((line) => /panicked at /.test(line));
  const location = / panicked at (?:'.*', )?(\S+:\d+:\d+):?$/.exec(body[panic] ?? "")?.[1];
  return {
    name,
    ...splitLocation(location),
    message: (body[panic + 1] ?? body[0] ?? "").trim(),
    block: [block[0] ?? "", ...body],
    essence: [block[0] ?? "", ...body.slice(Math.max(0, panic), Math.max(0, panic) + 5)],
  };
}

/** Frames of the standard library go; own frames stay. */
function withoutBacktrace(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (/^note: (?:Some details are omitted|run with `RUST_BACKTRACE)/.test(line) || line === "stack backtrace:") {
      continue;
    }
    if (!/^\s+\d+: /.test(line)) kept.push(line);
    else if (/^\s+at /.test(lines[i + 1] ?? "")) {
      if (/^\s+at \.\//.test(lines[i + 1] ?? "")) kept.push(line, lines[i + 1] ?? "");
      i++;
    }
  }
  return kept;
}

/** `--- FAIL: TestName (0.00s)` with indented lines, `ok`/`FAIL` for each package. */
export function parseGo(lines: readonly string[]): TestRun | null {
  const packages = lines.filter((line) => /^(?:ok|FAIL|\?) *\t/.test(line));
  if (packages.length === 0) return null;
  const titles = (word: string) => lines.filter((line) => new RegExp(`^\\s*--- ${word}: `).test(line));
  const failures = readGoFailures(lines);
  const broken = packages.filter((line) => /\[(?:build|setup) failed\]/.test(line));
  const seconds = packages.map((line) => Number(/\t([\d.]+)s$/.exec(line)?.[1] ?? 0));
  const failing = packages.filter((line) => line.startsWith("FAIL"));
  const passing = packages.filter((line) => line.startsWith("ok"));
  return {
    ...EMPTY_RUN,
    passed: titles("PASS").length,
    failed: titles("FAIL").length,
    skipped: titles("SKIP").length,
    errors: broken.length,
    failures,
    summary: [...failing, ...(passing.length > 12 ? passing.slice(-2) : passing)].map((line) =>
      line.replace(/\s*\t/g, " ")
    ),
    durationS: seconds.reduce((a, b) => a + b, 0),
  };
}

function readGoFailures(lines: readonly string[]): TestFailure[] {
  const failures: TestFailure[] = [];
  let printed: string[] = [], current: string[] | undefined;
  const compile: string[] = [];
  for (const line of lines) {
    const title = /^(\s*)--- (FAIL|PASS|SKIP): /.exec(line);
    if (/^=== /.test(line)) {
      if (line.startsWith("=== RUN") && !line.includes("/")) printed = [];
      current = undefined;
    } else if (title !== null) {
      if (title[1] === "") current = undefined;
      if (title[2] === "FAIL" && title[1] === "") {
        current = [line, ...printed];
        failures.push(goFailure(current));
      } else if (title[2] === "FAIL") current?.push(line);
      if (title[1] === "") printed = [];
      if (current !== undefined) failures[failures.length - 1] = goFailure(current);
    } else if (/^\s+\S/.test(line)) {
      if (current === undefined) printed.push(line);
      else {
        current.push(line);
        failures[failures.length - 1] = goFailure(current);
      }
    } else if (/^# |^\S+\.go:\d+:\d+: |^panic: |^goroutine /.test(line)) compile.push(line);
  }
  if (compile.length > 0) failures.unshift(goFailure(compile));
  return failures;
}

function goFailure(block: readonly string[]): TestFailure {
  const places = block.map((line) => /^\s*(\S+\.go:\d+)(?::\d+)?: (.*)$/.exec(line)).filter((match) => match !== null);
  const last = places.at(-1);
  return {
    name: /--- FAIL: (\S+)/.exec(block[0] ?? "")?.[1] ?? block[0] ?? "",
    ...splitLocation(last?.[1]),
    message: last?.[2] ?? "",
    block,
    essence: block.slice(0, 12),
  };
}
