/** Writes the lines of a condensed output within a token budget. @module */
import { besideNote } from "../core/bound.ts";
import { makeLineBudget } from "../core/bound_lines.ts";
import { lineTokens } from "../core/tokens.ts";
import type { Recognised } from "./recognise.ts";

/** The output that an enricher works on, free of terminal sequences. */
export interface Source {
  readonly command: Recognised;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of stdout, without an empty last one. */
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** What an enricher makes of it. */
export interface Draft {
  readonly text: string;
  /** Stands for stderr; absent when the enricher did not look at it. */
  readonly stderr?: string;
  readonly matchCount?: number;
  readonly omitted: string;
  readonly hotZone?: string;
}

/**
 * One enricher. It may throw: its caller then shows the plain output, bounded.
 *
 * @returns null when the output does not have the shape that the command promised.
 */
export type Enricher = (source: Source, budgetTokens: number) => Draft | null;

/** A number with its noun: `1 line`, `2 lines`. */
export function countOf(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** Tokens of several lines. @param most Counting stops above this. */
export function blockCost(lines: Iterable<string>, most = Infinity): number {
  let total = 0;
  for (const line of lines) {
    total += lineTokens(line);
    if (total > most) break;
  }
  return total;
}

/** Lines with a budget. */
export interface Page {
  /** Tokens left. */
  readonly room: number;
  /** Adds a line if it fits. */
  add(line: string): boolean;
  /** Adds all lines or none. */
  addAll(lines: readonly string[]): boolean;
  /** Adds a line whatever it costs: for notes, which are short, and for which callers keep something back. */
  force(line: string): void;
  text(): string;
}

/** Starts an empty page. Something is kept back on each for the notes that end it. */
export function makePage(budgetTokens: number): Page {
  const lines: string[] = [], budget = makeLineBudget(besideNote(budgetTokens));
  const force = (line: string) => {
    lines.push(line);
    budget.spend(line);
  };
  return {
    get room() {
      return budget.room;
    },
    add(line) {
      if (!budget.take(line)) return false;
      lines.push(line);
      return true;
    },
    addAll(block) {
      if (blockCost(block, budget.room) > budget.room) return false;
      block.forEach(force);
      return true;
    },
    force,
    text: () => lines.join("\n"),
  };
}

/** Groups values by a key, in the order in which keys first appear. */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** The first `depth` folders of a path, with a slash at the end; "./" for a file without a folder. */
export function folderOf(path: string, depth = Infinity): string {
  const parts = path.replace(/^\.\//, "").split("/").slice(0, -1);
  return parts.length === 0 ? "./" : parts.slice(0, depth).join("/") + "/";
}

/** `src/rag/ 40, src/te/ 30 and 3 more folders`, largest first. */
export function tally(counts: ReadonlyMap<string, number>, most = 6): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, most).map(([key, n]) => `${key} ${n}`).join(", ");
  const rest = sorted.slice(most).reduce((sum, [, n]) => sum + n, 0);
  return rest > 0 ? `${shown}, ${sorted.length - most} others ${rest}` : shown;
}

/** Counts how often each key occurs. */
export function countBy<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  return counts;
}
