/** Condenses tables (ps, df, du, ss, docker …): no padding, and the most relevant rows when not all fit. @module */
import { cutLine, note } from "../core/bound.ts";
import { blockCost, countBy, countOf, type Draft, makePage, type Source, tally } from "./page.ts";

const SOFT_TOKENS = 800;
const MAX_ROW_CHARACTERS = 300;

/** Enriches tables whose first line names the columns, and du's two columns. */
export function enrichTable(source: Source, budgetTokens: number): Draft | null {
  const { lines, command } = source;
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  if (lines.length < 2) return null;
  const header = lines.findIndex(isHeader);
  if (command.program === "du") return enrichSizes(lines, budget, command.filters.includes("sort"));
  if (header < 0 || header > 3) return null;
  const before = lines.slice(0, header), rows = lines.slice(header + 1);
  const squeeze = command.program === "docker" || command.program === "kubectl" || command.program === "podman"
    ? keepAligned
    : makeSqueeze(lines[header] ?? "");
  const compact = [...before, squeeze(lines[header] ?? ""), ...rows.map(squeeze)];
  const sorted = command.filters.includes("sort") || command.args.some((arg) => arg.startsWith("--sort"));
  if (command.program === "ps") return enrichProcesses(compact, budget, sorted);
  return firstRows(compact, header + 1, budget, stateOf);
}

/** All words of a heading begin with a capital or a percent sign. */
function isHeader(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.length >= 2 &&
    words.every((word) => /^[%A-Z(]/.test(word) || /^(?:on|total|used|free|type)$/.test(word)) &&
    !/\d{2}/.test(line.replace(/1[KM]-blocks|\d+-blocks/, ""));
}

/** Every column but the last loses its padding; the last keeps its text. */
function makeSqueeze(header: string): (line: string) => string {
  const columns = header.trim().split(/\s+/).length;
  return (line) => {
    const words = line.trim().split(/\s+/);
    if (words.length <= columns) return words.join(" ");
    const last = new RegExp(`^\\s*(?:\\S+\\s+){${columns - 1}}`).exec(line)?.[0] ?? "";
    return `${last.trim().replace(/\s+/g, " ")} ${line.slice(last.length).trimEnd()}`;
  };
}

/** Cells may be empty or hold blanks: only the alignment tells them apart, and a run of blanks costs one token anyway. */
function keepAligned(line: string): string {
  return line.trimEnd();
}

/** As many rows as fit, then the rest by state where rows have one. */
function firstRows(
  lines: readonly string[],
  headerLines: number,
  budget: number,
  stateOf: (line: string) => string,
): Draft {
  const rows = lines.slice(headerLines).map((line) => cutLine(line, MAX_ROW_CHARACTERS));
  const matchCount = rows.length;
  const all = [...lines.slice(0, headerLines), ...rows];
  if (blockCost(all) <= budget) return { text: all.join("\n"), omitted: "", matchCount };
  const page = makePage(budget);
  lines.slice(0, headerLines).forEach((line) => page.force(line));
  const ordered = rows.toSorted((a, b) => Number(/LISTEN/.test(b)) - Number(/LISTEN/.test(a)));
  let shown = 0;
  while (shown < ordered.length && page.add(ordered[shown] ?? "")) shown++;
  const states = countBy(ordered.slice(shown).filter((row) => stateOf(row) !== ""), stateOf);
  const omitted = `${rows.length - shown} of ${countOf(rows.length, "row")}`;
  page.force(note(`${omitted} left out${states.size > 0 ? `: ${tally(states)}` : ""}`));
  return { text: page.text(), omitted, matchCount };
}

/** Connection or container state. */
function stateOf(line: string): string {
  return /\b(?:LISTEN|ESTAB(?:LISHED)?|TIME[-_]WAIT|CLOSE[-_]WAIT|SYN[-_]SENT|Running|Completed|Pending|Exited|Up)\b/
    .exec(line)?.[0] ?? "";
}

/** Kernel threads are counted; the rest is ordered by CPU and memory unless the command sorted it. */
function enrichProcesses(lines: readonly string[], budget: number, sorted: boolean): Draft {
  const [header = "", ...rows] = lines;
  const names = header.split(" ");
  const kernel = (row: string) => /(?:^| )\[[^\]]+\]$/.test(row);
  const own = rows.filter((row) => !kernel(row)).map((row) => cutLine(row, MAX_ROW_CHARACTERS));
  const threads = rows.length - own.length;
  const matchCount = rows.length;
  const page = makePage(budget);
  page.force(header);
  if (page.addAll(own)) {
    if (threads === 0) return { text: page.text(), omitted: "", matchCount };
    page.force(note(`${countOf(threads, "kernel thread")} left out`));
    return { text: page.text(), omitted: countOf(threads, "kernel thread"), matchCount };
  }
  const weight = (row: string) => {
    const cells = row.split(" ");
    const at = (name: string) => Number(cells[names.indexOf(name)] ?? 0) || 0;
    return at("%CPU") * 1e6 + at("C") * 1e6 + at("%MEM") * 1e3 + at("RSS") / 1e3;
  };
  const ordered = sorted ? own : own.toSorted((a, b) => weight(b) - weight(a));
  let shown = 0;
  while (shown < ordered.length && page.add(ordered[shown] ?? "")) shown++;
  const omitted = `${own.length - shown} of ${countOf(own.length, "process", "processes")}` +
    (threads > 0 ? `, ${countOf(threads, "kernel thread")}` : "");
  page.force(note(`${omitted} left out${sorted ? "" : "; busiest first"}`));
  return { text: page.text(), omitted, matchCount };
}

/** `du`: all when they fit, else the largest. */
function enrichSizes(lines: readonly string[], budget: number, sorted: boolean): Draft | null {
  const rows = lines.map((line) => /^([\d.,]+)([KMGTP]?)\s+(.*)$/.exec(line));
  if (rows.some((row) => row === null)) return null;
  const compact = rows.map((row) => `${row?.[1]}${row?.[2]} ${row?.[3]}`);
  const matchCount = lines.length;
  if (blockCost(compact) <= budget) return { text: compact.join("\n"), omitted: "", matchCount };
  const UNITS = " KMGTP";
  const weight = compact.map((_, i) =>
    Number(rows[i]?.[1]?.replace(",", ".")) * 1024 ** UNITS.indexOf(rows[i]?.[2] || " ")
  );
  const order = compact.map((_, i) => i);
  if (!sorted) order.sort((a, b) => (weight[b] ?? 0) - (weight[a] ?? 0));
  const page = makePage(budget);
  let shown = 0;
  while (shown < order.length && page.add(compact[order[shown] ?? 0] ?? "")) shown++;
  const omitted = `${lines.length - shown} of ${countOf(lines.length, "row")}`;
  page.force(note(`${omitted} left out${sorted ? "" : "; largest first"}`));
  return { text: page.text(), omitted, matchCount };
}
