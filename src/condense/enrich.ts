/** Condenses the output of a command: ranked, grouped and bounded, with a count of what was left out. @module */
import { linesOf } from "../core/bound_lines.ts";
import { note } from "../core/bound.ts";
import { estimateTokens } from "../core/tokens.ts";
import { settleLines, stripControls } from "./output_text.ts";
import { enrichDiagnostics } from "./diagnostics.ts";
import { enrichDiff } from "./diff.ts";
import { enrichGit } from "./git.ts";
import { enrichGrep } from "./grep.ts";
import { enrichJson } from "./json.ts";
import { enrichListing } from "./listing.ts";
import { enrichLog, looksLikeLog } from "./log.ts";
import { type Draft, type Enricher, type Source } from "./page.ts";
import { boundPlain } from "../core/bound_lines.ts";
import { enrichRead } from "./read.ts";
import { type Kind, recogniseCommand, type Recognised } from "./recognise.ts";
import { enrichTable } from "./table.ts";
import { enrichTests } from "./tests.ts";

/** A command that has ended, and what it printed. */
export interface EnrichInput {
  /** The program and its arguments; a shell command line is `["bash", "-c", line]`. */
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** What text and stderr of the result may cost together, by `estimateTokens`. */
  readonly budgetTokens: number;
  /** Bytes between the two ends of a stream that are not at hand: the line {@link unreadMark} is in their place. */
  readonly unreadBytes?: number;
  /** Working directory of the command: taken off the front of absolute paths. */
  readonly cwd?: string;
}

/** Output made lean. */
export interface Enriched {
  /** Stands for stdout. Equal to it when nothing was to be gained. */
  readonly text: string;
  /** Stands for stderr; "" when {@link text} tells it as well. */
  readonly stderr: string;
  /** The enricher that made it, e.g. "grep", "tests", "git". */
  readonly kind: string;
  /** Hits, entries, tests or diagnostics in the whole output, where the kind has such a count. */
  readonly matchCount?: number;
  /** What was left out, "" when nothing. The text says it as well. */
  readonly omitted: string;
  /** Whether anything was left out. */
  readonly truncated: boolean;
  /** The folder that holds most hits, e.g. "src/rag/ (73%)". */
  readonly hotZone?: string;
}

/** Output that costs less passes as it is: there is nothing to gain. */
const SMALL_TOKENS = 120;
/** Longer output is not looked through: a hundred thousand lines of a few letters each are no report of anything. */
const MAX_LINES = 60_000;
/** Output of an unknown program is looked through for test and compiler reports up to this length. */
const MAX_UNKNOWN_CHARACTERS = 256 * 1024;
/** What enrichment must save to be worth a changed form. */
const LEAST_SAVING = 0.9;
/** Of the budget, what stderr gets beside a stdout. */
const STDERR_SHARE = 0.25;

const ENRICHERS: Readonly<Record<Kind, readonly Enricher[]>> = {
  grep: [enrichGrep],
  read: [enrichRead],
  listing: [enrichListing],
  git: [enrichGit],
  table: [enrichTable],
  tests: [enrichTests, enrichDiagnostics],
  diagnostics: [enrichDiagnostics, enrichTests],
  json: [enrichJson],
  log: [enrichLog],
  build: [enrichTests, enrichDiagnostics],
  unknown: [enrichTests, enrichDiagnostics],
};

/**
 * Enriches the output of a known command, or output of a known shape.
 *
 * @returns null when neither is known: the caller then bounds head and tail with `boundPlain`.
 */
export function enrich(input: EnrichInput): Enriched | null {
  const command = recogniseCommand(input.argv) ?? MIXED;
  const shorten = makeShorten(command.kind, input.cwd);
  const textOf = (stream: string) => settleLines(stripControls(input.unreadBytes ? wholeLines(stream) : stream));
  const stdout = shorten(textOf(input.stdout)), stderr = shorten(textOf(input.stderr));
  const lines = linesOf(stdout);
  const source: Source = { command, stdout, stderr, lines, exitCode: input.exitCode };
  const plainTokens = estimateTokens(stdout) + estimateTokens(stderr);
  if (lines.length > MAX_LINES) return null;
  const tooLong = command.kind === "unknown" && stdout.length + stderr.length > MAX_UNKNOWN_CHARACTERS;
  const candidates = command === MIXED || tooLong ? [] : [...ENRICHERS[command.kind]];
  if (!candidates.some((each) => each === enrichRead)) candidates.push(...sniff(source));
  for (const enricher of candidates) {
    const draft = attempt(enricher, source, input.budgetTokens);
    if (draft === null) continue;
    const enriched = settle(draft, source, plainTokens, input.budgetTokens, nameOf(enricher, command));
    return input.unreadBytes ? ofPart(enriched, input.unreadBytes) : enriched;
  }
  return null;
}

/** The line in place of what lies between the two ends of a stream. */
export function unreadMark(bytes: number): string {
  return note(`${bytes} bytes left out`);
}

/** Both ends in whole lines: those that the gap cuts do not count. */
function wholeLines(stream: string): string {
  const lines = stream.split("\n"), gap = lines.findIndex((line) => /^\[… \d+ bytes left out\]$/.test(line));
  return gap < 0 ? stream : [...lines.slice(0, Math.max(0, gap - 1)), ...lines.slice(gap + 2)].join("\n");
}

/** Says what the counts cover; counters that a program printed at its end are of its whole run. */
function ofPart(enriched: Enriched, unreadBytes: number): Enriched {
  const unread = `${unreadBytes} bytes in the middle`,
    omitted = [enriched.omitted, unread].filter((part) => part !== "");
  return {
    ...enriched,
    text: `${enriched.text.replace(/\n$/, "")}\n${note(`${unread} were not looked at: counts are of the rest`)}`,
    omitted: omitted.join(", "),
    truncated: true,
  };
}

/** Output of several programs: only its shape can be looked at. */
const MIXED: Recognised = { kind: "unknown", program: "", subcommand: "", args: [], filters: [] };

function nameOf(enricher: Enricher, command: Recognised): string {
  const found = Object.entries(ENRICHERS).find(([, own]) => own[0] === enricher)?.[0];
  return found ?? command.kind;
}

/** Shapes that speak for themselves, whatever program printed them. */
function sniff(source: Source): Enricher[] {
  const start = source.stdout.slice(0, 400);
  if (/^\s*[[{]/.test(start)) return [enrichJson];
  if (/^diff --git |^--- \S.*\n\+\+\+ \S/m.test(start)) return [(each, budget) => enrichDiff(each.lines, budget)];
  return looksLikeLog(source.lines) ? [enrichLog] : [];
}

/** An enricher that fails must not lose the output. */
function attempt(enricher: Enricher, source: Source, budgetTokens: number): Draft | null {
  try {
    return enricher(source, budgetTokens);
  } catch {
    return null; // a shape that its author did not think of: the plain output is shown
  }
}

/** Takes the draft only if it is worth it, and holds the budget whatever the enricher did. */
function settle(draft: Draft, source: Source, plainTokens: number, budgetTokens: number, kind: string): Enriched {
  const stderr = draft.stderr ?? boundPlain(source.stderr, stderrBudget(source, budgetTokens)).text;
  const tokens = estimateTokens(draft.text) + estimateTokens(stderr);
  const counts = {
    kind,
    ...(draft.matchCount !== undefined && { matchCount: draft.matchCount }),
    ...(draft.hotZone !== undefined && { hotZone: draft.hotZone }),
  };
  const worthIt = plainTokens > SMALL_TOKENS && tokens < plainTokens * LEAST_SAVING;
  if (!worthIt && plainTokens <= budgetTokens) {
    return { ...counts, text: source.stdout, stderr: source.stderr, omitted: "", truncated: false };
  }
  const rest = Math.max(0, budgetTokens - estimateTokens(stderr));
  const fits = estimateTokens(draft.text) <= rest;
  const text = fits ? { text: draft.text, omitted: "" } : boundPlain(draft.text, rest);
  const omitted = [draft.omitted, text.omitted].filter((part) => part !== "").join(", ");
  return { ...counts, text: text.text, stderr, omitted, truncated: omitted !== "" };
}

function stderrBudget(source: Source, budgetTokens: number): number {
  return source.stdout === "" ? budgetTokens : Math.floor(budgetTokens * STDERR_SHARE);
}

/** Kinds whose paths are the program's own words, and not contents of a file that a reader may want to quote. */
const REPORTS: ReadonlySet<Kind> = new Set(["tests", "diagnostics", "build"]);
const PATH_LISTS: ReadonlySet<Kind> = new Set(["grep", "listing"]);

/** Takes the working directory off the front of paths, where it says nothing. */
function makeShorten(kind: Kind, cwd: string | undefined): (text: string) => string {
  if (cwd === undefined || cwd.length < 2 || !REPORTS.has(kind) && !PATH_LISTS.has(kind)) return (text) => text;
  const folder = RegExp.escape(`${cwd}/`);
  const front = PATH_LISTS.has(kind)
    ? new RegExp(`^${folder}`, "gm")
    : new RegExp(`(?<![\\w.~/-])(?:file://)?${folder}`, "g");
  return (text) => text.includes(cwd) ? text.replace(front, "") : text;
}
