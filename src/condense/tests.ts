/** Condenses test runs: verdict, failures with assertion and location, and the number of passed tests. @module */
import { note } from "../core/bound.ts";
import { linesOf } from "../core/bound_lines.ts";
import { estimateTokens } from "../core/tokens.ts";
import { countOf, type Draft, makePage, type Source } from "./page.ts";
import { addFailures } from "./failures.ts";
import { addOthers } from "./others.ts";
import { unrecognisedLines } from "./runner_lines.ts";
import type { TestParser, TestRun } from "./test_run.ts";
import { parseRuns } from "./test_segments.ts";
import { parseCargo, parseGo } from "./tests_compiled.ts";
import { parseDeno, parseJest, parseNode, parseVitest } from "./tests_js.ts";
import { parseMocha } from "./tests_mocha.ts";
import { parsePytest, parseUnittest } from "./tests_python.ts";

/** What the failures may cost with verdict and note, and what other output may cost beside them. */
const FAILURES_TOKENS = 440, OTHERS_TOKENS = 600;

const PARSERS: readonly TestParser[] = [
  parsePytest,
  parseVitest,
  parseJest,
  parseMocha,
  parseDeno,
  parseCargo,
  parseGo,
  parseNode,
  parseUnittest,
];

/** A run, and whether it took the lines of stderr to read it. */
export interface ReadRun {
  readonly run: TestRun;
  readonly fromStderr: boolean;
}

/** Reads the output of whatever runner printed it, on either stream. */
export function readTestRun(stdout: string, stderr: string): ReadRun | null {
  const out = linesOf(stdout), err = linesOf(stderr);
  const run = parseLines(out);
  if (run !== null && (run.failures.length > 0 || run.failed + run.errors === 0)) return { run, fromStderr: false };
  // Some runners print failures on one stream and the verdict on the other.
  const both = err.length > 0 ? parseLines([...out, ...err]) : run;
  return both === null ? null : { run: both, fromStderr: true };
}

const parseLines = (lines: readonly string[]): TestRun | null => parseRuns(lines, PARSERS);

/** Condenses pytest, unittest, jest, vitest, mocha, deno test, node --test, cargo test, go test. */
export function enrichTests(source: Source, budgetTokens: number): Draft | null {
  const read = readTestRun(source.stdout, source.stderr);
  if (read === null) return null;
  const { run, fromStderr } = read;
  // A failed run without a readable failure: the reason is in lines that no parser knows.
  if (source.exitCode !== 0 && run.failures.length === 0) return null;
  const lines = [...source.lines, ...(fromStderr ? linesOf(source.stderr) : [])];
  const failureLines = run.failures.flatMap(({ block, read = [] }) => [...block, ...read]);
  const others = unrecognisedLines(lines, [...run.summary, ...failureLines]);
  // A script that also ran some tests: its own output is what was asked for.
  if (source.command.kind !== "tests" && others.length > lines.length / 2) return null;
  const page = makePage(Math.min(budgetTokens, FAILURES_TOKENS));
  run.summary.forEach((line) => page.force(line));
  const { hidden, cut } = addFailures(page, run.failures);
  const beside = makePage(Math.min(budgetTokens - estimateTokens(page.text()), OTHERS_TOKENS));
  const left = addOthers(beside, others);
  const omitted = [
    run.passed > 0 ? countOf(run.passed, "passed test") : "",
    hidden > 0 ? countOf(hidden, "failure") : "",
    left > 0 ? countOf(left, "other line") : "",
    cut > 0 ? `parts of ${countOf(cut, "failure")}` : "",
  ].filter((part) => part !== "").join(", ");
  const body = beside.text() === "" ? page.text() : `${page.text()}\n${beside.text()}`;
  const text = omitted === "" ? body : `${body}\n${note(`not listed: ${omitted}`)}`;
  const total = run.passed + run.failed + run.errors + run.skipped;
  // Tests that passed are not missed: that they are not listed is said, and nothing has to be kept for it.
  const onlyPassed = run.failures.length === 0 && left === 0;
  return { text, ...(fromStderr && { stderr: "" }), omitted: onlyPassed ? "" : omitted, matchCount: total };
}
