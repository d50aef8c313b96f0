/** Condenses unified diffs: a summary per file first, then the hunks, with the budget shared between files. @module */
import { cutLine, note } from "../core/bound.ts";
import { blockCost, countOf, type Draft, makePage, type Page } from "./page.ts";

/** They repeat what the `diff --git` line says. */
const HEADER_NOTE = note("without index, --- and +++ lines");

/** A reviewer needs the hunks: more than other kinds get. */
const SOFT_TOKENS = 4_000;
const MAX_LINE_CHARACTERS = 400;
/** So many files are named in the summary; the rest is counted. */
const MAX_NAMED = 60;

/** Files that a program wrote: their hunks tell a reader nothing. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.lock|[^/]*\.min\.(?:js|css)|[^/]*\.map|[^/]*\.snap|go\.sum|dist\/.*|vendor\/.*)$/;

interface DiffFile {
  readonly path: string;
  /** Lines before the first hunk that say something beyond the path. */
  readonly header: readonly string[];
  readonly hunks: readonly (readonly string[])[];
  readonly added: number;
  readonly removed: number;
}

/** @returns null when the lines hold no diff. */
export function enrichDiff(lines: readonly string[], budgetTokens: number): Draft | null {
  const start = lines.findIndex(opensFile);
  if (start < 0 || lines.slice(0, start).some((line) => line.startsWith("@@"))) return null;
  const before = lines.slice(0, start);
  const files = parseFiles(lines.slice(start));
  const budget = Math.min(budgetTokens, SOFT_TOKENS) - blockCost(before);
  const draft = renderDiff(files, budget);
  return { ...draft, text: [...before, draft.text].join("\n"), matchCount: files.length };
}

function opensFile(line: string, at: number, lines: readonly string[]): boolean {
  if (line.startsWith("diff --")) return true;
  return line.startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ") &&
    (lines[at + 2] ?? "@@").startsWith("@@");
}

function parseFiles(lines: readonly string[]): DiffFile[] {
  const blocks: string[][] = [];
  let inGitHeader = false, left = 0;
  for (const [i, line] of lines.entries()) {
    // Inside a hunk "--- x" is a removed line "-- x": its header says how many lines belong to it.
    const opens = line.startsWith("diff --") || !inGitHeader && left <= 0 && opensFile(line, i, lines);
    if (opens) {
      blocks.push([]);
      inGitHeader = line.startsWith("diff --");
      left = 0;
    }
    blocks.at(-1)?.push(line);
    const hunk = /^@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      inGitHeader = false;
      left = Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1);
    } else if (!inGitHeader) left -= line.startsWith("-") || line.startsWith("+") ? 1 : line.startsWith("\\") ? 0 : 2;
  }
  return blocks.map(parseFile);
}

function parseFile(lines: readonly string[]): DiffFile {
  const first = lines.findIndex((line) => line.startsWith("@@"));
  const head = first < 0 ? lines : lines.slice(0, first);
  const hunks: string[][] = [];
  for (const line of first < 0 ? [] : lines.slice(first)) {
    if (line.startsWith("@@")) hunks.push([]);
    hunks.at(-1)?.push(line);
  }
  const body = hunks.flatMap((hunk) => hunk.slice(1));
  const git = head[0]?.startsWith("diff --git") ?? false;
  return {
    path: pathOf(head),
    header: git ? head.filter((line) => !/^index |^--- |^\+\+\+ /.test(line)) : head,
    hunks,
    added: body.filter((line) => line.startsWith("+")).length,
    removed: body.filter((line) => line.startsWith("-")).length,
  };
}

function pathOf(head: readonly string[]): string {
  for (const prefix of ["+++ ", "--- "]) {
    const line = head.find((each) => each.startsWith(prefix))?.slice(4).split("\t")[0];
    if (line !== undefined && line !== "/dev/null") return line.replace(/^[ab]\//, "");
  }
  return /^diff --git a\/.* b\/(.*)$/.exec(head[0] ?? "")?.[1] ?? head[0] ?? "";
}

/** Whole when it fits; else the summary and each file's share of the hunks. */
function renderDiff(files: readonly DiffFile[], budget: number): Draft {
  const whole = [HEADER_NOTE, ...files.flatMap((file) => [...file.header, ...file.hunks.flat()])];
  if (blockCost(whole) <= budget) return { text: whole.join("\n"), omitted: "" };
  const page = makePage(budget);
  page.force(HEADER_NOTE);
  page.force(note(cutLine(summary(files), 2_400)));
  let left = files.filter((file) => !GENERATED.test(file.path)).length;
  let hiddenHunks = 0, hiddenLines = 0;
  for (const file of files) {
    const generated = GENERATED.test(file.path);
    const share = generated ? 0 : page.room / Math.max(1, left--);
    const hidden = renderFile(page, file, share);
    hiddenHunks += hidden.hunks;
    hiddenLines += hidden.lines;
  }
  const parts = [
    hiddenHunks > 0 ? countOf(hiddenHunks, "hunk") : "",
    hiddenLines > 0 ? countOf(hiddenLines, "line") : "",
  ];
  return { text: page.text(), omitted: parts.filter((part) => part !== "").join(", ") };
}

function summary(files: readonly DiffFile[]): string {
  const named = files.slice(0, MAX_NAMED).map((file) => `${file.path} +${file.added} -${file.removed}`).join(", ");
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
  return `${countOf(files.length, "file")} +${added} -${removed}: ${named}${more}`;
}

/** Writes a file's hunks within its share. @returns what was left out. */
function renderFile(page: Page, file: DiffFile, share: number): { hunks: number; lines: number } {
  const floor = page.room - share;
  const all = { hunks: file.hunks.length, lines: file.hunks.flat().length };
  if (share < blockCost(file.header) + 24 || !page.addAll(file.header)) return all;
  let hunks = 0, lines = 0;
  for (const [i, hunk] of file.hunks.entries()) {
    const rows = hunk.map((line) => cutLine(line, MAX_LINE_CHARACTERS));
    if (hunks === 0 && page.room - blockCost(rows) >= floor && page.addAll(rows)) continue;
    if (i === 0) lines += rows.length - addPart(page, rows, floor);
    else {
      hunks++;
      lines += rows.length;
    }
  }
  if (lines > 0) {
    page.force(
      note(`${hunks > 0 ? `${countOf(hunks, "hunk")}, ` : ""}${countOf(lines, "line")} of ${file.path} left out`),
    );
  }
  return { hunks, lines };
}

/** Adds the beginning of a hunk that is too long. @returns how many lines were added. */
function addPart(page: Page, rows: readonly string[], floor: number): number {
  let added = 0;
  for (const row of rows) {
    if (page.room - 30 < floor || !page.add(row)) break;
    added++;
  }
  return added;
}
