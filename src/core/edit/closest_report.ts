/**
 * Reports how the closest block differs from the wanted one: a short line diff with the changed parts marked.
 * @module
 */
import { align } from "./align.ts";
import type { Closest } from "./closest_block.ts";
import { lineNumber } from "./line_ends.ts";

/** A short description for an error message. */
export interface ClosestReport {
  /** "41" or "40-43". */
  readonly lines: string;
  readonly alikePercent: number;
  /** Lines as `41: text{-wanted-}{+found+}text`; `-` led lines are only wanted, `+41` led ones only found. */
  readonly difference: string;
}

const MAX_ROWS = 8;
const MAX_ROW_CHARS = 200;
/** Text around a change in a row that is cut. */
const AROUND_CHARS = 30;
/** Longer pairs of lines are only shown, not compared. */
const MAX_MARKED_CHARS = 20_000;
/** Equal stretches shorter than this between two changes are shown as changed: fewer marks read better. */
const MIN_EQUAL_CHARS = 3;

/** Describes a closest block. Both texts have LF line ends. */
export function reportClosest(text: string, { start, end, alike }: Closest, wanted: string): ClosestReport {
  const first = lineNumber(text, start);
  const found = text.slice(start, end).split("\n");
  const last = first + found.length - 1;
  return {
    lines: first === last ? `${first}` : `${first}-${last}`,
    alikePercent: Math.min(99, Math.floor(alike * 100)),
    difference: compareLines(wanted.replace(/\n$/, "").split("\n"), found, first),
  };
}

/** Rows for the lines that differ, at most eight. `first` is the number of the first found line. */
export function compareLines(wanted: readonly string[], found: readonly string[], first: number): string {
  const rows: string[] = [];
  let x = 0, y = 0;
  for (const [pairX, pairY] of [...align(wanted, found), [wanted.length, found.length] as const]) {
    for (; x < pairX; x++) {
      // What is only counted need not be compared.
      const partner = rows.length > MAX_ROWS ? null : likeliest(wanted[x] ?? "", found, y, pairY);
      if (partner === null) rows.push(`- ${cut(wanted[x] ?? "")}`);
      else {
        for (; y < partner; y++) rows.push(`+${first + y} ${cut(found[y] ?? "")}`);
        rows.push(...compareLine(wanted[x] ?? "", found[y] ?? "", first + y++));
      }
    }
    for (; y < pairY; y++) rows.push(`+${first + y} ${cut(found[y] ?? "")}`);
    x = pairX + 1;
    y = pairY + 1;
  }
  if (rows.length <= MAX_ROWS) return rows.join("\n");
  return [...rows.slice(0, MAX_ROWS), `(${rows.length - MAX_ROWS} more lines differ)`].join("\n");
}

/** Index of the found line, in a range, that shares most with a wanted one; null when none shares a third. */
function likeliest(wanted: string, found: readonly string[], from: number, to: number): number | null {
  let best: number | null = null, most = 1 / 3;
  for (let at = from; at < Math.min(to, from + MAX_ROWS); at++) {
    const line = found[at] ?? "";
    if (wanted.length + line.length > MAX_MARKED_CHARS) continue;
    const share = align(wanted.trim(), line.trim()).length / Math.max(1, wanted.trim().length, line.trim().length);
    if (share > most) [best, most] = [at, share];
  }
  return best;
}

function compareLine(wanted: string, found: string, number: number): readonly string[] {
  const marked = wanted.length + found.length <= MAX_MARKED_CHARS ? markChanges([...wanted], [...found]) : undefined;
  return marked === undefined ? [`- ${cut(wanted)}`, `+${number} ${cut(found)}`] : [`${number}: ${marked}`];
}

/** One line for two; undefined when they have too little in common for that to be readable. */
function markChanges(wanted: readonly string[], found: readonly string[]): string | undefined {
  const pairs = align(wanted, found);
  if (pairs.length * 3 < Math.max(wanted.length, found.length)) return undefined;
  let row = "", x = 0, y = 0;
  const stretches = equalStretches(pairs, wanted.length, found.length);
  for (const { from, to, length } of stretches) {
    const gone = wanted.slice(x, from).join(""), come = found.slice(y, to).join("");
    row += (gone && `{-${visible(gone)}-}`) + (come && `{+${visible(come)}+}`);
    row += shorten(wanted.slice(from, from + length).join(""), from === 0, from + length === wanted.length);
    x = from + length;
    y = to + length;
  }
  return row.length > MAX_ROW_CHARS * 2 ? undefined : row;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Runs of paired characters: the first and last ones, and those in between that are long enough; ends with an empty one. */
function equalStretches(
  pairs: readonly (readonly [number, number])[],
  rows: number,
  columns: number,
): readonly Stretch[] {
  const runs: Stretch[] = [];
  for (let at = 0; at < pairs.length;) {
    const [from, to] = pairs[at] ?? [0, 0];
    let length = 1;
    for (
      let next = pairs[at + length];
      next?.[0] === from + length && next[1] === to + length;
      next = pairs[at + length]
    ) length++;
    at += length;
    const outer = (from === 0 && to === 0) || (from + length === rows && to + length === columns);
    if (outer || length >= MIN_EQUAL_CHARS) runs.push({ from, to, length });
  }
  return [...runs, { from: rows, to: columns, length: 0 }];
}

function shorten(equal: string, first: boolean, last: boolean): string {
  if (equal.length <= AROUND_CHARS * 2 + 1) return equal;
  const head = first ? "" : equal.slice(0, AROUND_CHARS), tail = last ? "" : equal.slice(-AROUND_CHARS);
  return `${head}…${tail}`;
}

/** White space inside a mark is what a reader would overlook. */
function visible(text: string): string {
  return cut(text).replaceAll("\t", "\\t").replaceAll("\r", "\\r");
}

function cut(text: string): string {
  return text.length <= MAX_ROW_CHARS ? text : `${text.slice(0, MAX_ROW_CHARS)}…`;
}
