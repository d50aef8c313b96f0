/** Formats search hits: grouped by file, as many as fit a budget. @module */
import { cutLine } from "../../core/bound.ts";
import { lineTokens } from "../../core/tokens.ts";
import { showWire } from "../fs/tree_text.ts";

/** A hit of the result. */
export interface ShownHit {
  readonly path: string;
  readonly line: number;
  /** Number of the snippet's first line. */
  readonly first_line: number;
  readonly snippet: string;
}

/** How much is shown. */
export interface HitTextOptions {
  /** Lines around the hits are shown as well. */
  readonly withContext: boolean;
  /** Lines of a file with the same text share a row: `14,22,30:text`. Not together with context. */
  readonly fold?: boolean;
  /** Estimated tokens; one hit is shown in any case. No bound when absent. */
  readonly maxTokens?: number;
}

/** Text, and how many hits are in it. */
export interface HitText {
  readonly lines: readonly string[];
  readonly shownHits: number;
}

/** Characters of a line that is shown without its surroundings: enough to judge it by. */
const MAX_BARE_CHARS = 160;
/** A further line number in front of a text that stands there already. */
const TOKENS_PER_NUMBER = 2;

/**
 * Sets hits out: a line with the path, then `number:text` for hits and `number-text` for what is around them.
 *
 * @param hits Those of one file together, lines ascending.
 */
export function hitText(
  hits: readonly ShownHit[],
  { withContext, fold = false, maxTokens = Infinity }: HitTextOptions,
): HitText {
  const lines: string[] = [];
  const hitLines = withContext ? new Set(hits.map(({ path, line }) => `${line} ${path}`)) : null;
  /** Where a text stands in `lines`, for the file that is being set out. */
  let alike = new Map<string, number>();
  let path: string | null = null, lastNumber = 0, tokens = 0;
  for (const [index, hit] of hits.entries()) {
    const block: string[] = [];
    if (hit.path !== path) {
      block.push(showWire(hit.path));
      alike = new Map();
    }
    const text = bareText(hit), row = fold && !hitLines ? alike.get(text) : undefined;
    const isFar = hit.path === path && withContext && hit.first_line > lastNumber + 1;
    if (isFar) block.push("--");
    const from = hit.path === path ? lastNumber : 0;
    if (row === undefined) block.push(...(hitLines ? contextRows(hit, from, hitLines) : [`${hit.line}:${text}`]));
    tokens += row === undefined ? lineTokens(block.join("\n")) : TOKENS_PER_NUMBER;
    if (tokens > maxTokens && index > 0) return { lines, shownHits: index };
    lines.push(...block);
    if (row === undefined) alike.set(text, lines.length - 1);
    else lines[row] = `${lines[row]?.slice(0, -text.length - 1)},${hit.line}:${text}`;
    path = hit.path;
    lastNumber = Math.max(lastNumber, hit.first_line + hit.snippet.split("\n").length - 1);
  }
  return { lines, shownHits: hits.length };
}

/** The matching line alone, with its indentation: an edit has to repeat it. */
function bareText({ line, first_line, snippet }: ShownHit): string {
  const text = snippet.split("\n")[line - first_line] ?? "";
  return cutLine(text.trimEnd(), MAX_BARE_CHARS);
}

/** The snippet with numbers, without what was shown already. */
function contextRows(
  { path, first_line, snippet }: ShownHit,
  shownTo: number,
  hitLines: ReadonlySet<string>,
): string[] {
  return snippet.split("\n").flatMap((text, index) => {
    const number = first_line + index;
    if (number <= shownTo) return [];
    return `${number}${hitLines.has(`${number} ${path}`) ? ":" : "-"}${text}`;
  });
}
