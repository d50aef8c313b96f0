/** Bounds the size of an answer; the overflow goes behind a handle. @module */
import { besideNote, leftOut, restAt } from "../core/bound.ts";
import { type BoundHead, boundHead } from "../core/bound_lines.ts";
import { byteLength } from "../core/bytes.ts";
import { OpsError } from "../core/error.ts";
import { estimateTokens, lineTokens } from "../core/tokens.ts";

/** The bounds of one answer. */
export interface Bounds {
  readonly tokens: number;
  readonly bytes: number;
  /** Keeps the whole text and returns its handle. */
  keep(text: string): string;
}

/** Bytes kept free for the line that says what was left out. */
const NOTE_BYTES = 1024;

/**
 * The text, or its beginning in whole lines with one line that says where the rest is.
 *
 * Tools bound their own results with more sense than this; here is the net below them.
 */
export function boundText(text: string, bounds: Bounds): { text: string; truncated: boolean } {
  if (text.length <= bounds.tokens && text.length * 3 <= bounds.bytes) return { text, truncated: false };
  if (estimateTokens(text) <= bounds.tokens && byteLength(text) <= bounds.bytes) return { text, truncated: false };
  const room = besideNote(bounds.tokens), tokensPerByte = room / Math.max(1, bounds.bytes - NOTE_BYTES);
  const head = boundHead(text, room, (line) => Math.max(lineTokens(line), (byteLength(line) + 1) * tokensPerByte));
  const rest = whereIsTheRest(text, head, bounds);
  const note = leftOut(head.total - head.offset, `${head.total} ${head.unit}`, rest);
  return { text: `${head.text}\n${note}`, truncated: true };
}

function whereIsTheRest(text: string, { offset, unit }: BoundHead, bounds: Bounds): string {
  try {
    return restAt(bounds.keep(text), offset, unit);
  } catch (error) {
    if (error instanceof OpsError) return `the rest could not be kept: ${error.message}`;
    throw error;
  }
}
