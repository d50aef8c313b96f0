/** Cuts answers out of files: whole definitions where they fit, else their head and the matching part. @module */
import { estimateTokens } from "../core/tokens.ts";

/** A piece of a file that is to be shown; lines count from 1, both inclusive. */
export interface Hit {
  /** As it is shown. */
  readonly path: string;
  /** Of the file, as it is now. */
  readonly lines: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  /** Lines on which a definition's name stands. */
  readonly nameLines: readonly number[];
  readonly symbols: readonly string[];
  readonly score: number;
}

/** A piece of a file, verbatim. Wire form. */
export interface Snippet {
  /** The lines of `src`; a line of `…` alone stands for left-out ones, and ends one that is cut. */
  readonly text: string;
  /** `path#L3-L17`, lines from 1, both inclusive. */
  readonly src: string;
  /** Name with its container, `Foo.bar`; a heading path in prose; empty where the text has no name. */
  readonly symbol: string;
  /** How well it fits, 0 to 1. */
  readonly score: number;
}

/** Stands for left-out lines, and at the end of a cut line for its rest. */
const LEFT_OUT = "…";
/** Pieces of one file this close are shown as one. */
const CLOSE_LINES = 3;
/** Pieces that would be longer together stay apart: one part is not worth so much reading. */
const LONGEST_JOINED_LINES = 110;
const LONGEST_LINE = 240;
const MOST_SYMBOLS = 3;
/** Below this a snippet says nothing. */
const LEAST_TOKENS = 24;
/** Fewer snippets are better than many of less than this. */
const USEFUL_TOKENS = 50;
/** What one snippet may take of its share when others need less. */
const GENEROSITY = 1.4;
/** Lines of a signature that are shown before anything else. */
const HEAD_LINES = 4;

/** Joins pieces of the same file that touch, in the order of the best of each. */
export function mergeHits(hits: readonly Hit[], most: number): Hit[] {
  const merged: Hit[] = [];
  for (const hit of hits) {
    const at = merged.findIndex((other) =>
      other.path === hit.path && hit.startLine <= other.endLine + CLOSE_LINES &&
      other.startLine <= hit.endLine + CLOSE_LINES &&
      Math.max(hit.endLine, other.endLine) - Math.min(hit.startLine, other.startLine) < LONGEST_JOINED_LINES
    );
    const other = merged[at];
    if (other === undefined) {
      if (merged.length < most) merged.push(hit);
      continue;
    }
    merged[at] = {
      ...other,
      startLine: Math.min(other.startLine, hit.startLine),
      endLine: Math.max(other.endLine, hit.endLine),
      nameLines: [...new Set([...other.nameLines, ...hit.nameLines])],
      symbols: [...new Set([...other.symbols, ...hit.symbols])].slice(0, MOST_SYMBOLS),
      score: Math.max(other.score, hit.score),
    };
  }
  return merged;
}

function shorten(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const end = LONGEST_LINE - (/[\ud800-\udbff]/.test(line[LONGEST_LINE - 1] ?? "") ? 1 : 0);
  return line.slice(0, end) + LEFT_OUT;
}

/** Lines in the order in which they are worth their tokens: head, best lines, then what surrounds either. */
function byWorth(hit: Hit, worth: (line: string) => number): number[] {
  const order: number[] = [];
  const put = (line: number) => {
    if (line >= hit.startLine && line <= hit.endLine && !order.includes(line)) order.push(line);
  };
  const scored = [];
  for (let line = hit.startLine; line <= hit.endLine; line++) {
    scored.push({ line, value: worth(hit.lines[line - 1] ?? "") });
  }
  const best = scored.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value || a.line - b.line);
  const [name] = hit.nameLines;
  put(name ?? hit.startLine);
  put(best[0]?.line ?? hit.startLine);
  for (let step = 1; step < HEAD_LINES; step++) put((name ?? hit.startLine) + step);
  for (const { line } of best.slice(0, 3)) for (const near of [0, 1, -1, 2]) put(line + near);
  put(hit.startLine);
  for (const { line } of best.slice(0, 1)) for (let step = 1; step <= 80; step++) [put(line + step), put(line - step)];
  for (let line = hit.startLine; line <= hit.endLine; line++) put(line);
  return order;
}

/** Shows chosen lines; each gap is one mark. Blank lines at a gap go with it. */
function show(hit: Hit, chosen: ReadonlySet<number>): { text: string; first: number; last: number } {
  const isBlank = (line: number) => /^\s*$/.test(hit.lines[line - 1] ?? "");
  const shown = [...chosen].sort((a, b) => a - b).filter((line, at, all) =>
    !isBlank(line) || (all[at - 1] === line - 1 && all[at + 1] === line + 1)
  );
  const parts: string[] = [];
  for (const [at, line] of shown.entries()) {
    const before = shown[at - 1];
    const onlyBlank = before !== undefined && line - before === 2 && isBlank(line - 1);
    if (before !== undefined && line > before + 1) parts.push(onlyBlank ? (hit.lines[line - 2] ?? "") : LEFT_OUT);
    parts.push(shorten(hit.lines[line - 1] ?? ""));
  }
  return { text: parts.join("\n"), first: shown[0] ?? hit.startLine, last: shown.at(-1) ?? hit.startLine };
}

/** The best of a hit that a budget allows; undefined when not one line fits. */
function cut(hit: Hit, tokens: number, worth: (line: string) => number): Omit<Snippet, "symbol" | "score"> | undefined {
  const order = byWorth(hit, worth);
  const full = show(hit, new Set(order));
  const result = ({ text, first, last }: typeof full) => ({ text, src: `${hit.path}#L${first}-L${last}` });
  if (costOf(result(full)) <= tokens) return result(full);
  let low = 1, high = order.length - 1, best: typeof full | undefined;
  while (low <= high) { // the text grows with the number of lines, near enough
    const middle = (low + high) >> 1;
    const shown = show(hit, new Set(order.slice(0, middle)));
    if (costOf(result(shown)) <= tokens) {
      best = shown;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best && best.text.trim() !== "" ? result(best) : undefined;
}

/** Tokens of a snippet with its head line. */
function costOf({ text, src }: { readonly text: string; readonly src: string }): number {
  return estimateTokens(src) + estimateTokens(text) + HEADER_TOKENS;
}

/** Symbol, score and line ends around the text. */
const HEADER_TOKENS = 8;

/**
 * Makes snippets that together cost no more than the budget, better ones first.
 *
 * @param worth How much of the question a line holds.
 */
export function makeSnippets(hits: readonly Hit[], budgetTokens: number, worth: (line: string) => number): Snippet[] {
  const snippets: Snippet[] = [];
  const count = Math.min(hits.length, Math.max(1, Math.floor(budgetTokens / USEFUL_TOKENS)));
  let left = budgetTokens;
  for (const hit of hits) {
    if (snippets.length === count) break;
    const symbol = hit.symbols.join(", ");
    const share = Math.min(left, (left / (count - snippets.length)) * GENEROSITY) - estimateTokens(symbol);
    if (share < LEAST_TOKENS) break;
    const made = cut(hit, share, worth);
    if (made === undefined) continue;
    left -= costOf(made) + estimateTokens(symbol);
    snippets.push({ ...made, symbol, score: Math.round(hit.score * 1000) / 1000 });
  }
  return snippets;
}
