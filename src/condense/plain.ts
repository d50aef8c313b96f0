/** Bounds text of unknown format: head, tail, and a line that says how much is missing between them. @module */
import { estimateTokens } from "../core/tokens.ts";
import { cutLine, lineCost } from "./page.ts";

/** Text within a budget. */
export interface Bounded {
  readonly text: string;
  /** What was left out, "" when nothing. */
  readonly omitted: string;
}

/** A single line longer than this is cut: minified files and base64 would eat the budget of everything else. */
const MAX_LINE_CHARACTERS = 2_000;
/** Of a bounded text, the part that its beginning gets; ends of outputs hold the verdict more often. */
const HEAD_SHARE = 0.4;
/** Kept back for the line that says what was left out. */
const NOTE_TOKENS = 24;

/**
 * Keeps head and tail of a text.
 *
 * @param budgetTokens What the result may cost by `estimateTokens`.
 */
export function boundPlain(text: string, budgetTokens: number): Bounded {
  if (estimateTokens(text) <= budgetTokens && !hasLongLine(text)) return { text, omitted: "" };
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const room = Math.max(0, budgetTokens - NOTE_TOKENS);
  const head = takeLines(lines, 0, 1, room * HEAD_SHARE);
  const tail = takeLines(lines, lines.length - 1, -1, room - head.tokens, lines.length - head.shown.length);
  const between = lines.length - head.shown.length - tail.shown.length;
  const cut = head.cut + tail.cut;
  const notes = [
    between > 0 ? `${between} of ${lines.length} lines left out` : "",
    cut > 0 ? `${cut} characters of long lines cut` : "",
  ].filter((note) => note !== "");
  const omitted = notes.join(", ");
  const shown = between > 0 || notes.length > 0
    ? [...head.shown, `[… ${omitted}]`, ...tail.shown.reverse()]
    : head.shown;
  return { text: shown.join("\n"), omitted };
}

function hasLongLine(text: string): boolean {
  if (text.length <= MAX_LINE_CHARACTERS) return false;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    if ((end < 0 ? text.length : end) - start > MAX_LINE_CHARACTERS) return true;
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

interface Taken {
  readonly shown: string[];
  readonly tokens: number;
  /** Characters cut from lines that are too long. */
  readonly cut: number;
}

/** Takes lines from `start` in steps of `step` while they fit into `roomTokens`. */
function takeLines(lines: readonly string[], start: number, step: 1 | -1, roomTokens: number, most = Infinity): Taken {
  const shown: string[] = [];
  let tokens = 0, cut = 0;
  for (let i = start; i >= 0 && i < lines.length && shown.length < most; i += step) {
    const line = lines[i] ?? "";
    const kept = cutLine(line, MAX_LINE_CHARACTERS);
    const cost = lineCost(kept);
    if (tokens + cost > roomTokens) break;
    if (kept !== line) cut += line.length - kept.length + 1; // the mark stands for one more
    tokens += cost;
    shown.push(kept);
  }
  return { shown, tokens, cut };
}
