/** Bounds a program's output: head, tail, and the amount between them. @module */
import { textKind } from "../core/text_kind.ts";
import { estimateTokens } from "../core/tokens.ts";
import { cutLine, lineCost } from "../condense/page.ts";
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

/** Ends of outputs hold the verdict more often than beginnings. */
const HEAD_SHARE = 0.4;
const MAX_LINE_CHARACTERS = 2_000;
/** Bytes per token that are looked at, at either end; no text has so few tokens for so many bytes. */
const BYTES_PER_TOKEN = 16;
const SNIFFED_BYTES = 64 * 1024;

/** Shows one stream within a budget of tokens. */
export function boundOutput(output: Output, stream: StreamName, budgetTokens: number, keepControls: boolean): Shown {
  const total = output.bytesOf(stream);
  if (total === 0) return { text: "", cut: false, binary: null };
  const most = Math.max(SNIFFED_BYTES, budgetTokens * BYTES_PER_TOKEN);
  const { head, tail, omittedBytes } = output.excerpt(stream, most, most);
  const kind = textKind(head.subarray(0, SNIFFED_BYTES), head.length <= SNIFFED_BYTES && omittedBytes === 0);
  if (!kind.text) return { text: `[binary output: ${kind.type}, ${total} bytes]`, cut: true, binary: kind.type };
  const clean = (bytes: Uint8Array): string => keepControls ? decode(bytes) : stripControls(decode(bytes));
  const first = clean(head), last = clean(tail);
  if (omittedBytes === 0 && (first.length <= budgetTokens || estimateTokens(first) <= budgetTokens)) {
    return { text: first, cut: false, binary: null };
  }
  const lines = omittedBytes === 0 ? first.split("\n") : [];
  const text = omittedBytes === 0
    ? joinEnds(lines, lines, output.linesOf(stream), budgetTokens)
    : joinEnds(wholeLines(first, true), wholeLines(last, false), output.linesOf(stream), budgetTokens);
  return { text, cut: true, binary: null };
}

/** Without the line that was cut in the middle, unless it is the only one. */
function wholeLines(text: string, isHead: boolean): string[] {
  const lines = text.split("\n");
  if (lines.length < 2) return lines;
  return isHead ? lines.slice(0, -1) : lines.slice(1);
}

/** Head and tail in whole lines as far as the budget goes, with a line that says what is missing. */
function joinEnds(head: readonly string[], tail: readonly string[], totalLines: number, budgetTokens: number): string {
  const same = head === tail;
  const first = take(head, budgetTokens * HEAD_SHARE, same ? head.length - 1 : head.length);
  const last = take(
    tail.toReversed(),
    budgetTokens - first.tokens,
    same ? head.length - first.lines.length : tail.length,
  );
  last.lines.reverse();
  const missing = totalLines - first.lines.length - last.lines.length + (last.lines.at(-1) === "" ? 1 : 0);
  const note = missing > 0 ? `[… ${missing} of ${totalLines} lines left out]` : "[… long lines cut]";
  return [...first.lines, note, ...last.lines].join("\n");
}

function take(lines: readonly string[], budgetTokens: number, most: number): { lines: string[]; tokens: number } {
  const taken: string[] = [];
  let tokens = 0;
  for (const line of lines) {
    const shown = cutLine(line, MAX_LINE_CHARACTERS);
    const cost = lineCost(shown);
    if (taken.length >= most || tokens + cost > budgetTokens && taken.length > 0) break;
    taken.push(shown);
    tokens += cost;
  }
  return { lines: taken, tokens };
}
