/** Bounds the size of an answer; the overflow goes behind a handle. @module */
import { headOf, restAt } from "../core/bound.ts";
import { byteLength } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import { estimateTokens } from "../core/tokens.ts";

/** The bounds of one answer. */
export interface Bounds {
  readonly tokens: number;
  readonly bytes: number;
  /** Keeps the whole text and returns its handle. */
  keep(text: string): string;
}

/** Room for the line that says what was left out. */
const META_TOKENS = 60;

/**
 * The text, or its beginning in whole lines with one line that says where the rest is.
 *
 * Tools bound their own results with more sense than this; here is the net below them.
 */
export function boundText(text: string, bounds: Bounds): { text: string; truncated: boolean } {
  if (text.length <= bounds.tokens && text.length * 3 <= bounds.bytes) return { text, truncated: false };
  const tokens = estimateTokens(text);
  const bytes = byteLength(text);
  if (tokens <= bounds.tokens && bytes <= bounds.bytes) return { text, truncated: false };
  const share = Math.min((bounds.tokens - META_TOKENS) / tokens, (bounds.bytes - 1024) / bytes);
  const head = headOf(text, Math.floor(text.length * Math.max(share, 0)));
  const lines = countLines(text), shown = countLines(head);
  return {
    text: `${head}\n[… ${lines - shown} of ${lines} lines left out · ${whereIsTheRest(text, shown, bounds)}]`,
    truncated: true,
  };
}

function whereIsTheRest(text: string, shown: number, bounds: Bounds): string {
  try {
    return restAt(bounds.keep(text), shown);
  } catch (error) {
    if (error instanceof OpsError) return `the rest could not be kept: ${error.message}`;
    throw error;
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines - 1 : lines;
}
