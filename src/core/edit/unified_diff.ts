/** Formats edits as a unified diff, for readers and for `git apply`. @module */
import { align } from "./align.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { type Line, splitLines } from "./line_ends.ts";

/** A run of lines that changes. */
interface Chunk {
  /** Index of the first old line. */
  readonly at: number;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

/**
 * Formats edits as hunks with three lines around each. Empty when nothing changes.
 *
 * Lines of CRLF files are shown without their CR, unless nothing but line ends changes.
 */
export function formatDiff(text: string, edits: readonly Edit[], oldName: string, newName = oldName): string {
  const lines = splitLines(text);
  const chunks = edits.length === 0 ? [] : refine(widen(text, lines, edits));
  if (chunks.length === 0) return "";
  const bare = chunks.every(({ before, after }) => before.map(textOf).join("\n") === after.map(textOf).join("\n"));
  const hunks = formatHunks(lines, chunks, bare ? (line) => line.text + line.end.replace("\n", "") : textOf);
  return [`--- ${oldName}`, `+++ ${newName}`, ...hunks, ""].join("\n");
}

const CONTEXT_LINES = 3;
const textOf = (line: Line): string => line.text;

/** Whole lines that the edits touch; edits of one line become one chunk. */
function widen(text: string, lines: readonly Line[], edits: readonly Edit[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < edits.length;) {
    const first = lineAt(lines, edits[at]?.start ?? 0);
    const group: Edit[] = [];
    let end = first + 1;
    for (
      let edit = edits[at];
      edit !== undefined && (group.length === 0 || lineAt(lines, edit.start) < end);
      edit = edits[++at]
    ) {
      group.push(edit);
      end = Math.max(end, lineAt(lines, edit.end) + 1);
    }
    const from = lines[first]?.start ?? text.length, to = lines[end]?.start ?? text.length;
    const local = group.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
    const after = splitLines(applyEdits(text.slice(from, to), local));
    chunks.push({ at: first, before: lines.slice(first, end), after });
  }
  return chunks;
}

/** Splits chunks at lines that stay the same. */
function refine(chunks: readonly Chunk[]): readonly Chunk[] {
  const whole = (line: Line) => line.text + line.end;
  return chunks.flatMap(({ at, before, after }) => {
    const parts: Chunk[] = [];
    let x = 0, y = 0;
    const pairs = align(before.map(whole), after.map(whole));
    for (const [pairX, pairY] of [...pairs, [before.length, after.length] as const]) {
      if (pairX > x || pairY > y) {
        parts.push({ at: at + x, before: before.slice(x, pairX), after: after.slice(y, pairY) });
      }
      x = pairX + 1;
      y = pairY + 1;
    }
    return parts;
  });
}

function formatHunks(
  lines: readonly Line[],
  chunks: readonly Chunk[],
  show: (line: Line) => string,
): readonly string[] {
  const rows: string[] = [];
  let shift = 0;
  for (let at = 0; at < chunks.length;) {
    const from = Math.max(0, (chunks[at]?.at ?? 0) - CONTEXT_LINES);
    const body: string[] = [];
    let next = from, added = 0, removed = 0;
    for (let chunk = chunks[at]; chunk !== undefined; chunk = chunks[++at]) {
      if (next > from && chunk.at - next > CONTEXT_LINES * 2) break;
      for (const line of lines.slice(next, chunk.at)) push(body, " ", line, show);
      for (const line of chunk.before) push(body, "-", line, show);
      for (const line of chunk.after) push(body, "+", line, show);
      next = chunk.at + chunk.before.length;
      removed += chunk.before.length;
      added += chunk.after.length;
    }
    const tail = lines.slice(next, next + CONTEXT_LINES);
    for (const line of tail) push(body, " ", line, show);
    const size = next + tail.length - from;
    rows.push(`@@ -${range(from, size)} +${range(from + shift, size + added - removed)} @@`, ...body);
    shift += added - removed;
  }
  return rows;
}

/** An empty range names the line before it. */
function range(from: number, size: number): string {
  return size === 1 ? `${from + 1}` : `${size === 0 ? from : from + 1},${size}`;
}

function push(rows: string[], sign: string, line: Line, show: (line: Line) => string): void {
  rows.push(sign + show(line));
  if (line.end === "") rows.push("\\ No newline at end of file");
}

/** Index of the line that holds an offset; one past the last for the end of a text that ends with a line end. */
function lineAt(lines: readonly Line[], offset: number): number {
  let low = 0, high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const last = lines[low - 1];
  return last !== undefined && offset < last.start + last.text.length + last.end.length || last?.end === ""
    ? low - 1
    : low;
}
