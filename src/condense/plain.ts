/** Bounds text of unknown format: head, tail, and a line that says how much is missing between them. @module */
import { cutLine, leftOut, MAX_LINE_CHARS } from "../core/bound.ts";
import { estimateTokens } from "../core/tokens.ts";
import { lineCost, linesOf } from "./page.ts";

/** Text within a budget. */
export interface Bounded {
  readonly text: string;
  /** What was left out, "" when nothing. */
  readonly omitted: string;
}

/** Of a bounded text, the part that its beginning gets; ends of outputs hold the verdict more often. */
const HEAD_SHARE = 0.4;

/** Kept back for the note. */
const NOTE_TOKENS = 24;

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
  const room = Math.max(0, budgetTokens - NOTE_TOKENS), isWhole = head === tail;
  const first = takeLines(head, isWhole ? Math.max(1, head.length - 1) : head.length, room * HEAD_SHARE, least);
  const most = isWhole ? head.length - first.shown.length : tail.length;
  const last = takeLines(tail.toReversed(), most, room - first.tokens, least);
  const missing = totalLines - first.shown.length - last.shown.length + (last.shown[0] === "" ? 1 : 0);
  const omitted = [
    missing > 0 ? `${missing} of ${totalLines} lines` : middle,
    first.cut + last.cut > 0 ? `${first.cut + last.cut} characters of long lines` : "",
  ].filter((part) => part !== "").join(", ");
  const note = missing > 0
    ? [leftOut(missing, `${totalLines} lines`)]
    : middle === ""
    ? []
    : [`[… ${middle} left out]`];
  return { text: [...first.shown, ...note, ...last.shown.reverse()].join("\n"), omitted };
}

/** Takes lines while they fit, and at least so many. */
function takeLines(lines: readonly string[], most: number, roomTokens: number, least: number) {
  const shown: string[] = [];
  let tokens = 0, cut = 0;
  for (const line of lines.slice(0, most)) {
    const kept = cutLine(line, MAX_LINE_CHARS), cost = lineCost(kept);
    if (tokens + cost > roomTokens && shown.length >= least) break;
    cut += Math.max(0, line.length - MAX_LINE_CHARS);
    tokens += cost;
    shown.push(kept);
  }
  return { shown, tokens, cut };
}
