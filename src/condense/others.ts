/** Shows lines that a condenser did not recognise: what it does not understand may be what matters. @module */
import { fitLines, linesOf } from "../core/bound_lines.ts";
import { cutLine } from "../core/bound.ts";
import { blockCost, type Page } from "./page.ts";

/** What they may cost beside a report that was understood. */
const MOST_TOKENS = 600;
const MAX_LINE_CHARACTERS = 300;
/** Of the room, what the first lines get; the last ones get the rest. */
const HEAD_SHARE = 0.6;

/** Adds as many lines as there is room for, from both ends. @returns how many are left out. */
export function addOthers(page: Page, others: readonly string[]): number {
  if (others.length === 0) return 0;
  const lines = others.flatMap(linesOf).map((line) => cutLine(line, MAX_LINE_CHARACTERS));
  const room = Math.min(page.room, MOST_TOKENS);
  const head = fitLines(lines, room * (lines.length > 1 ? HEAD_SHARE : 1), 0);
  const tail = fitLines(lines.slice(head).reverse(), room - blockCost(lines.slice(0, head)), 0);
  const shown = [...lines.slice(0, head), ...lines.slice(lines.length - tail)];
  if (shown.length > 0) page.addAll(["", ...shown]);
  return lines.length - shown.length;
}
