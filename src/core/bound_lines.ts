/** Bounds text by tokens: whole lines of its head, of its tail, or of both with a note between them. @module */
import { besideNote, border, cutLine, leftOut, MAX_LINE_CHARS, note } from "./bound.ts";
import { byteLength } from "./bytes.ts";
import { estimateTokens, lineTokens } from "./tokens.ts";

/** Tokens that lines may still cost together. */
export interface LineBudget {
  readonly room: number;
  /** Pays for a line if there is room for it. */
  take(line: string): boolean;
  /** Pays for a line whatever it costs. */
  spend(line: string): void;
}

/** Starts with all of it. @param costOf Tokens of one line. */
export function makeLineBudget(maxTokens: number, costOf: (line: string) => number = lineTokens): LineBudget {
  let room = maxTokens;
  return {
    get room() {
      return room;
    },
    take(line) {
      const cost = costOf(line);
      if (cost > room) return false;
      room -= cost;
      return true;
    },
    spend(line) {
      room -= costOf(line);
    },
  };
}

/** Lines of a text, without an empty last one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * How many lines from the first on fit.
 *
 * @param least Counted whatever they cost; 1 where a reader must always get on.
 */
export function fitLines(
  lines: readonly string[],
  maxTokens: number,
  least: number,
  costOf: (line: string) => number = lineTokens,
): number {
  const budget = makeLineBudget(maxTokens, costOf);
  let count = 0;
  while (count < lines.length && budget.take(lines[count] ?? "")) count++;
  return Math.min(lines.length, Math.max(least, count));
}

/** The longest beginning of a text that fits, without half a character. @param costOf Tokens of a text. */
export function headWithin(
  text: string,
  maxTokens: number,
  costOf: (text: string) => number = estimateTokens,
): string {
  let low = 0, high = Math.min(text.length, Math.max(0, Math.ceil(maxTokens * MAX_CHARS_PER_TOKEN)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (costOf(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, border(text, low));
}

/** No text that anyone reads has more. */
const MAX_CHARS_PER_TOKEN = 16;

/** The beginning of a text, and where the rest begins. */
export interface BoundHead {
  readonly text: string;
  readonly offset: number;
  /** Bytes where not even the first line fits. */
  readonly unit: "lines" | "bytes";
  /** Lines or bytes of the whole text. */
  readonly total: number;
}

/** Whole lines from the start, or the beginning of a first line that is too long. */
export function boundHead(text: string, maxTokens: number, costOf: (line: string) => number = lineTokens): BoundHead {
  const lines = linesOf(text), offset = fitLines(lines, maxTokens, 0, costOf);
  if (offset > 0) return { text: lines.slice(0, offset).join("\n"), offset, unit: "lines", total: lines.length };
  const head = headWithin(text, maxTokens, costOf);
  return { text: head, offset: byteLength(head), unit: "bytes", total: byteLength(text) };
}

/** Text within a budget. */
export interface Bounded {
  readonly text: string;
  /** What was left out, "" when nothing. */
  readonly omitted: string;
}

/** Of a bounded text, the part that its beginning gets; ends of outputs hold the verdict more often. */
const HEAD_SHARE = 0.4;

/** The text when it fits, else both of its ends in whole lines. */
export function boundPlain(text: string, budgetTokens: number): Bounded {
  const lines = linesOf(text);
  if (estimateTokens(text) <= budgetTokens && lines.every((line) => line.length <= MAX_LINE_CHARS)) {
    return { text, omitted: "" };
  }
  return boundEnds(lines, lines, lines.length, budgetTokens);
}

/**
 * The first and the last lines as far as the budget goes, long ones cut, with a note between them.
 *
 * @param head Lines from the start of the text.
 * @param tail Lines up to its end; the same list when the whole text is at hand.
 * @param totalLines Lines of the whole text.
 * @param options middle: the note when lines do not tell what is missing, as of one endless line; least: lines at
 *   either end that are shown whatever they cost.
 */
export function boundEnds(
  head: readonly string[],
  tail: readonly string[],
  totalLines: number,
  budgetTokens: number,
  { middle = "", least = 0 }: { readonly middle?: string; readonly least?: number } = {},
): Bounded {
  const room = besideNote(budgetTokens), isWhole = head === tail;
  const first = takeLines(head, isWhole ? Math.max(1, head.length - 1) : head.length, room * HEAD_SHARE, least);
  const most = isWhole ? head.length - first.shown.length : tail.length;
  const last = takeLines(tail.toReversed(), most, room - first.tokens, least);
  const missing = totalLines - first.shown.length - last.shown.length + (last.shown[0] === "" ? 1 : 0);
  const omitted = [
    missing > 0 ? `${missing} of ${totalLines} lines` : middle,
    first.cut + last.cut > 0 ? `${first.cut + last.cut} characters of long lines` : "",
  ].filter((part) => part !== "").join(", ");
  const between = missing > 0
    ? [leftOut(missing, `${totalLines} lines`)]
    : middle === ""
    ? []
    : [note(`${middle} left out`)];
  return { text: [...first.shown, ...between, ...last.shown.reverse()].join("\n"), omitted };
}

/** Takes lines while they fit, and at least so many. */
function takeLines(lines: readonly string[], most: number, roomTokens: number, least: number) {
  const shown: string[] = [], budget = makeLineBudget(roomTokens);
  let cut = 0;
  for (const line of lines.slice(0, most)) {
    const kept = cutLine(line);
    if (!budget.take(kept)) {
      if (shown.length >= least) break;
      budget.spend(kept);
    }
    cut += Math.max(0, line.length - MAX_LINE_CHARS);
    shown.push(kept);
  }
  return { shown, tokens: roomTokens - budget.room, cut };
}
