/** Applies the hunks of one file to its text, or explains why they do not apply. @module */
import { OpsError } from "../error.ts";
import { applyEdits, type Edit, refuseReplacementCharacters } from "./edits.ts";
import type { Hunk } from "./hunk.ts";
import { hunkEdits } from "./hunk_edits.ts";
import { endsWithCr, type Line, makeEndFinder, splitLines } from "./line_ends.ts";
import { indexLines, type LineLookup, TooManyComparisons } from "./line_lookup.ts";
import { type HunkPlace, locateHunk, type NoPlace, placesOf } from "./locate_hunk.ts";
import { refuseUnstorable } from "./stray_match.ts";
import type { FileText } from "./text_file.ts";

/** How one hunk was applied. */
export interface AppliedHunk {
  readonly number: number;
  /** First line (from 1) that it was applied to, in the text before. */
  readonly line: number;
  readonly offset: number;
  readonly fuzz: number;
}

/** A hunk that does not fit. */
export interface FailedHunk {
  readonly hunk: Hunk;
  readonly reason: NoPlace | { readonly why: "overlap" } | { readonly why: "done"; readonly line: number };
}

/** The outcome: a whole new text, or every hunk that stands in its way. */
export type HunksResult =
  | {
    readonly ok: true;
    readonly text: string;
    readonly edits: readonly Edit[];
    readonly hunks: readonly AppliedHunk[];
  }
  | { readonly ok: false; readonly failed: readonly FailedHunk[] };

/** One hunk after the other means to split the text again each time; not for many hunks in a long text. */
const MAX_STEPWISE_CHARS = 5_000_000;

/**
 * Applies hunks. All are placed in the text as it is; if that does not work, one after the other, because some diffs
 * are written as if the hunks before had been applied.
 *
 * @param name How errors name the file.
 * @throws OpsError INVALID_ARGUMENT when new lines cannot be stored in the file's encoding; DIFF_REJECTED when hunks fit
 *   nearly everywhere.
 */
export function applyHunks(file: FileText, hunks: readonly Hunk[], name: string): HunksResult {
  const result = withinBounds(() => applyToText(file.text, hunks), name);
  if (!result.ok) return result;
  for (const { start, end, insert } of result.edits) {
    refuseReplacementCharacters(file.text.slice(start, end), insert, "diff_text");
    refuseUnstorable(file, insert, name);
  }
  return result;
}

function withinBounds<T>(work: () => T, name: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TooManyComparisons)) throw error;
    const message = `the hunks for ${name} fit nearly everywhere, so finding where each belongs takes too long`;
    const hint = "Give the right line numbers in the @@ lines, more context lines, or fewer hunks at a time.";
    throw new OpsError("DIFF_REJECTED", `${message}. Nothing was changed`, hint);
  }
}

function applyToText(text: string, hunks: readonly Hunk[]): HunksResult {
  // Programs know no line end but LF: for them a text with CR only is one line.
  const asOne = endsWithCr(text) ? applyTogether(text, [{ text, end: "", start: 0 }], hunks, true) : null;
  if (asOne?.ok) return asOne;
  const together = applyTogether(text, splitLines(text), hunks);
  if (together.ok || hunks.length === 1 || hunks.length * text.length > MAX_STEPWISE_CHARS) return together;
  const oneByOne = applyOneByOne(text, hunks);
  return oneByOne.ok ? oneByOne : together;
}

function applyTogether(text: string, lines: readonly Line[], hunks: readonly Hunk[], bytesOnly = false): HunksResult {
  const index = indexLines(lines);
  const literal = spellsCr(hunks), endAt = makeEndFinder(text);
  const failed: FailedHunk[] = [];
  const placed: { readonly hunk: Hunk; readonly edits: readonly Edit[]; readonly applied: AppliedHunk }[] = [];
  let drift = 0, after = 0;
  for (const hunk of hunks) {
    const place = locateHunk(index, hunk, drift, after);
    if (!("why" in place) && bytesOnly && place.exactness !== "bytes") return { ok: false, failed: [] };
    if ("why" in place) {
      failed.push({ hunk, reason: isDone(index, hunk) ?? place });
      continue;
    }
    const edits = hunkEdits(text, lines, hunk, place, literal, endAt);
    placed.push({ hunk, edits, applied: describe(hunk, place) });
    drift = place.offset;
    after = place.at + hunk.lines.filter(({ op }) => op !== "+").length - place.lead - place.tail;
  }
  const all = placed.flatMap(({ hunk, edits }) => edits.map((edit) => ({ hunk, edit })));
  all.sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end);
  for (const [at, { hunk, edit }] of all.entries()) {
    const before = all[at - 1];
    if (before !== undefined && before.edit.end > edit.start) failed.push({ hunk, reason: { why: "overlap" } });
  }
  if (failed.length > 0) return { ok: false, failed };
  const edits = all.map(({ edit }) => edit);
  return { ok: true, text: applyEdits(text, edits), edits, hunks: placed.map(({ applied }) => applied) };
}

function applyOneByOne(text: string, hunks: readonly Hunk[]): HunksResult {
  const applied: AppliedHunk[] = [];
  let current = text, shift = 0;
  for (const hunk of hunks) {
    const moved = hunk.oldStart === null ? hunk : { ...hunk, oldStart: Math.max(0, hunk.oldStart + shift) };
    const result = applyTogether(current, splitLines(current), [moved]);
    if (!result.ok) return result;
    current = result.text;
    applied.push(...result.hunks);
    shift += hunk.lines.filter(({ op }) => op === "+").length - hunk.lines.filter(({ op }) => op === "-").length;
  }
  return { ok: true, text: current, edits: [{ start: 0, end: text.length, insert: current }], hunks: applied };
}

function describe(hunk: Hunk, { at, lead, fuzz, offset }: HunkPlace): AppliedHunk {
  return { number: hunk.number, line: Math.max(1, at - lead + 1), offset, fuzz };
}

/** Whether the diff was made by a program from a file with CRLF: CR stands at the end of some lines. */
function spellsCr(hunks: readonly Hunk[]): boolean {
  return hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith("\r")));
}

/** Whether the new lines of a hunk stand in the text already. */
function isDone(index: LineLookup, hunk: Hunk): FailedHunk["reason"] | null {
  const wanted = hunk.lines.filter(({ op }) => op !== "-");
  if (!wanted.some(({ op, text }) => op === "+" && /\w/.test(text))) return null;
  const [at] = placesOf(index, wanted, "lines", null);
  return at === undefined ? null : { why: "done", line: at + 1 };
}
