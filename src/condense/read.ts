/**
 * Condenses a long file printed by cat: its beginning in full and an outline of the rest, with line numbers.
 * @module
 */
import { cutLine, note } from "../core/bound.ts";
import { fitLines } from "../core/bound_lines.ts";
import { enrichDiff } from "./diff.ts";
import { enrichJson } from "./json.ts";
import { enrichLogLines, looksLikeLog } from "./log.ts";
import { outline } from "./outline.ts";
import { countOf, type Draft, makePage, type Source } from "./page.ts";

/** What fits in so much is shown as it is: a caller that prints a file wants to read it. */
const SOFT_TOKENS = 3_000;
/** Of a file that does not fit, the part that its beginning gets. */
const HEAD_SHARE = 0.45;
const MAX_OUTLINE_CHARACTERS = 160;

/** Enriches cat and its like; a window that was asked for (head, tail, sed -n) passes. */
export function enrichRead(source: Source, budgetTokens: number): Draft | null {
  const { lines, command } = source;
  const files = command.args.filter((arg) => !arg.startsWith("-"));
  const extension = /\.([a-z0-9]+)$/i.exec(files.at(-1) ?? "")?.[1]?.toLowerCase() ?? "";
  // A file that fits is shown unchanged: its reader may want to edit it, and quotes it for that.
  const page = makePage(Math.min(budgetTokens, SOFT_TOKENS));
  if (page.addAll(lines)) return { text: source.stdout, omitted: "" };
  if (extension === "json" || extension === "jsonl" || extension === "ndjson") return enrichJson(source, budgetTokens);
  if (extension === "diff" || extension === "patch") return enrichDiff(lines, budgetTokens);
  if (extension === "log" || looksLikeLog(lines)) return enrichLogLines(lines, budgetTokens);
  const window = /^(?:head|tail|sed)$/.test(command.program) ||
    command.filters.some((name) => /^(?:head|tail)$/.test(name));
  if (window || command.filters.some((name) => /grep|rg|sort|uniq/.test(name))) return null;
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  return enrichSourceText(lines, budget);
}

function enrichSourceText(lines: readonly string[], budget: number): Draft | null {
  const entries = outline(lines);
  if (entries.length < 5) return null;
  const top = makePage(budget);
  const floor = top.room * (1 - HEAD_SHARE);
  let head = 0;
  while (head < lines.length && top.room > floor && top.add(lines[head] ?? "")) head++;
  const rest = entries.filter((entry) => entry.line > head);
  top.force(note(`lines 1-${head} of ${lines.length}; below, only the lines that open something, with their numbers`));
  const depths = rest.map((entry) => /^\s*/.exec(entry.text)?.[0].length ?? 0);
  const shown = chooseEntries(
    rest.map((entry) => `${entry.line}: ${cutLine(entry.text.trim(), MAX_OUTLINE_CHARACTERS)}`),
    depths,
    top.room,
  );
  shown.forEach((row) => top.force(row));
  const hidden = rest.length - shown.length;
  if (hidden > 0) top.force(note(`${countOf(hidden, "deeper line")} of the outline left out`));
  return { text: top.text(), omitted: `${lines.length - head - shown.length} of ${countOf(lines.length, "line")}` };
}

/** The outermost levels that fit. */
function chooseEntries(rows: readonly string[], depths: readonly number[], room: number): string[] {
  const levels = [...new Set(depths)].sort((a, b) => a - b);
  for (let n = levels.length; n > 0; n--) {
    const deepest = levels[n - 1] ?? 0;
    const chosen = rows.filter((_, i) => (depths[i] ?? 0) <= deepest);
    const fitting = fitLines(chosen, room, 0);
    if (n === 1 || fitting === chosen.length) return chosen.slice(0, fitting);
  }
  return [];
}
