/** Condenses test runs: verdict, failures with assertion and location, and the number of passed tests. @module */
import { cutLine, note } from "../core/bound.ts";
import { linesOf } from "../core/bound_lines.ts";
import { lineTokens } from "../core/tokens.ts";
import { blockCost, countOf, type Draft, makePage, type Page, type Source } from "./page.ts";
import { addOthers } from "./others.ts";
import { unrecognisedLines } from "./runner_lines.ts";
import type { TestFailure, TestParser, TestRun } from "./test_run.ts";
import { parseRuns } from "./test_segments.ts";
import { parseCargo, parseGo } from "./tests_compiled.ts";
import { parseDeno, parseJest, parseNode, parseVitest } from "./tests_js.ts";
import { parsePytest, parseUnittest } from "./tests_python.ts";

const SOFT_TOKENS = 2_500;
/** A failure's full block, or its essence, may take this much of what is left; then only its name is shown. */
const BLOCK_SHARE = 0.4;

const PARSERS: readonly TestParser[] = [
  parsePytest,
  parseVitest,
  parseJest,
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

/** The title of a failure, and its place when the runner prints that as `file:line`. */
function nameWithPlace({ block, name, file, line }: TestFailure): string {
  const title = block[0] ?? name;
  const place = `${file}:${line}`;
  const said = file !== "" && !title.includes(place) && block.some((each) => each.includes(place));
  return said ? `${title} ${place}` : title;
}

/** Condenses pytest, unittest, jest, vitest, deno test, node --test, cargo test, go test. */
export function enrichTests(source: Source, budgetTokens: number): Draft | null {
  const read = readTestRun(source.stdout, source.stderr);
  if (read === null) return null;
  const { run, fromStderr } = read;
  // A failed run without a readable failure: the reason is in lines that no parser knows.
  if (source.exitCode !== 0 && run.failures.length === 0) return null;
  const lines = [...source.lines, ...(fromStderr ? linesOf(source.stderr) : [])];
  const failureLines = run.failures.flatMap((failure) => failure.block);
  const others = unrecognisedLines(lines, [...run.summary, ...failureLines]);
  // A script that also ran some tests: its own output is what was asked for.
  if (source.command.kind !== "tests" && others.length > lines.length / 2) return null;
  const page = makePage(Math.min(budgetTokens, SOFT_TOKENS));
  run.summary.forEach((line) => page.force(line));
  const { hidden, cut } = addFailures(page, run.failures);
  const left = addOthers(page, others);
  const omitted = [
    run.passed > 0 ? countOf(run.passed, "passed test") : "",
    hidden > 0 ? countOf(hidden, "failure") : "",
    left > 0 ? countOf(left, "other line") : "",
    cut > 0 ? `parts of ${countOf(cut, "failure")}` : "",
  ].filter((part) => part !== "").join(", ");
  if (omitted !== "") page.force(note(`not listed: ${omitted}`));
  const total = run.passed + run.failed + run.errors + run.skipped;
  return { text: page.text(), ...(fromStderr && { stderr: "" }), omitted, matchCount: total };
}

/** Failures that say the same but for their numbers: so many are shown in full, the others by name and message. */
const MAX_ALIKE = 3;
const MAX_MESSAGE_CHARACTERS = 100;

/** What a failure says, without its numbers and its name. */
function kindOf({ name, essence }: TestFailure): string {
  const own = name.split(/[\s.:(]+/).filter((part) => part.length > 2);
  return own.reduce((text, part) => text.replaceAll(part, ""), essence.join("\n")).replace(/\d+/g, "#");
}

function nameWithMessage(failure: TestFailure): string {
  const name = nameWithPlace(failure), { message } = failure;
  return message === "" || name.includes(message) ? name : `${name} ${cutLine(message, MAX_MESSAGE_CHARACTERS)}`;
}

/** Names every failure, and shows as much of each as there is room for. */
function addFailures(page: Page, failures: readonly TestFailure[]): { hidden: number; cut: number } {
  const names = failures.map(nameWithPlace);
  // What the names of those to come cost is kept back.
  let hidden = 0, cut = 0, reserved = blockCost(names);
  const alike = new Map<string, number>();
  for (const [i, failure] of failures.entries()) {
    const name = names[i] ?? failure.name;
    reserved -= lineTokens(name);
    const room = page.room - reserved;
    const kind = kindOf(failure), seen = alike.get(kind) ?? 0;
    alike.set(kind, seen + 1);
    const forms = [["", ...failure.block], ["", ...failure.essence], [nameWithMessage(failure)], [name]];
    const form = forms.findIndex((lines, at) =>
      (at >= 2 || seen < MAX_ALIKE) && blockCost(lines) <= (lines.length === 1 ? page.room : room * BLOCK_SHARE)
    );
    if (form < 0 || !page.addAll(forms[form] ?? [])) hidden++;
    else if (form > 0) cut++;
  }
  return { hidden, cut };
}
