/** Shows lines that a condenser did not recognise: what it does not understand may be what matters. @module */
import { cutLine } from "../core/bound.ts";
import { lineCost, linesOf, type Page } from "./page.ts";

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
  const head = countFitting(lines, room * (lines.length > 1 ? HEAD_SHARE : 1));
  const headCost = lines.slice(0, head).reduce((sum, line) => sum + lineCost(line), 0);
  const tail = countFitting(lines.slice(head).reverse(), room - headCost);
  const shown = [...lines.slice(0, head), ...lines.slice(lines.length - tail)];
  if (shown.length > 0) page.addAll(["", ...shown]);
  return lines.length - shown.length;
}

function countFitting(lines: readonly string[], room: number): number {
  let cost = 0;
  const end = lines.findIndex((line) => (cost += lineCost(line)) > room);
  return end < 0 ? lines.length : end;
}
