/** Defines the chunk, the unit of search: a piece of a file with separately weighted fields. @module */
import type { DefinitionKind } from "./definition_queries.ts";

/** A definition, loose code between definitions, a section of prose, or a window of anything else. */
export type ChunkKind = DefinitionKind | "module" | "section" | "window";

/** One piece of a file; lines count from 1, both inclusive. */
export interface Chunk {
  readonly kind: ChunkKind;
  /** Names that it defines, or its heading; empty for loose code. */
  readonly names: readonly string[];
  /** Names of what it lies in, outermost first. */
  readonly container: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  /** The line on which the definition itself begins, below its comment. */
  readonly nameLine: number;
  readonly signature: string;
  readonly doc: string;
  /** Its own text: without comment, signature, and definitions inside that are chunks themselves. */
  readonly body: string;
  /** Names of other modules that it passes on. */
  readonly reexports?: readonly string[];
}

/** Longer pieces are cut: a model wants to see less than this at once. */
const LONGEST_LINES = 70;

/** Rows from 0, both inclusive. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

const BLANK = /^\s*$/;

/** How deep a line is indented, in characters; a blank line counts as less than any other. */
function depth(line: string): number {
  return BLANK.test(line) ? -1 : line.length - line.trimStart().length;
}

/**
 * Cuts rows into runs of at most `longest`, where the text is thinnest: at blank lines, else at the least indented line of
 * the last third.
 */
export function cutRows(lines: readonly string[], rows: Rows, longest = LONGEST_LINES): Rows[] {
  const runs: Rows[] = [];
  let from = rows.from;
  while (rows.to - from + 1 > longest) {
    let best = from + longest - 1, least = Number.POSITIVE_INFINITY;
    for (let row = from + longest - 1; row > from + Math.floor(longest * 0.6); row--) {
      const thickness = depth(lines[row] ?? "");
      if (thickness < least) [least, best] = [thickness, row];
    }
    // a blank line ends the run before it, any other line begins the next one
    const to = least < 0 ? best : best - 1;
    runs.push({ from, to });
    from = to + 1;
  }
  if (from <= rows.to) runs.push({ from, to: rows.to });
  return runs;
}

/** Rows without the blank ones at both ends; undefined when nothing is left. */
export function trimRows(lines: readonly string[], rows: Rows): Rows | undefined {
  let { from, to } = rows;
  while (from <= to && BLANK.test(lines[from] ?? "")) from++;
  while (to >= from && BLANK.test(lines[to] ?? "")) to--;
  return from > to ? undefined : { from, to };
}
