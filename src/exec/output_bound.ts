/** Bounds a program's output: head, tail, and the amount between them. @module */
import { boundEnds } from "../condense/plain.ts";
import { textKind } from "../core/text_kind.ts";
import { estimateTokens } from "../core/tokens.ts";
import { linesOf } from "../condense/page.ts";
import { decode, type Output, type StreamName } from "./output.ts";
import { stripControls } from "../condense/output_text.ts";

/** What is shown of one stream. */
export interface Shown {
  readonly text: string;
  /** Something is left out. */
  readonly cut: boolean;
  /** Media type when it is not text; `text` then describes it. */
  readonly binary: string | null;
}

/** Bytes per token that are looked at, at either end; no text has so few tokens for so many bytes. */
const BYTES_PER_TOKEN = 16;
const SNIFFED_BYTES = 64 * 1024;

/** Shows one stream within a budget of tokens. */
export function boundOutput(output: Output, stream: StreamName, budgetTokens: number, keepControls: boolean): Shown {
  const total = output.bytesOf(stream);
  if (total === 0) return { text: "", cut: false, binary: null };
  const most = Math.max(SNIFFED_BYTES, budgetTokens * BYTES_PER_TOKEN);
  const { head, tail, omittedBytes } = output.excerpt(stream, most, most);
  const kind = textKind(head.subarray(0, SNIFFED_BYTES), {
    isWhole: head.length <= SNIFFED_BYTES && omittedBytes === 0,
  });
  if (!kind.text) return { text: `[binary output: ${kind.type}, ${total} bytes]`, cut: true, binary: kind.type };
  const clean = (bytes: Uint8Array): string => keepControls ? decode(bytes) : stripControls(decode(bytes));
  const first = clean(head), last = clean(tail);
  if (omittedBytes === 0 && (first.length <= budgetTokens || estimateTokens(first) <= budgetTokens)) {
    return { text: first, cut: false, binary: null };
  }
  const lineCount = output.linesOf(stream);
  if (omittedBytes === 0) {
    const lines = linesOf(first), { text } = boundEnds(lines, lines, lineCount, budgetTokens, { least: 1 });
    return { text: first.endsWith("\n") ? `${text}\n` : text, cut: true, binary: null };
  }
  const ends = [wholeLines(first, true), wholeLines(last, false)] as const;
  const { text } = boundEnds(...ends, lineCount, budgetTokens, { middle: `${omittedBytes} bytes`, least: 1 });
  return { text, cut: true, binary: null };
}

/** Without the line that was cut in the middle, unless it is the only one. */
function wholeLines(text: string, isHead: boolean): string[] {
  const lines = text.split("\n");
  if (lines.length < 2) return lines;
  return isHead ? lines.slice(0, -1) : lines.slice(1);
}
