/**
 * Condenses logs: errors first with their stack traces, repeated lines folded with counts, the last lines verbatim.
 * @module
 */
import { blockCost, count, cutLine, type Draft, lineCost, makePage, note, type Page, type Source } from "./page.ts";

const SOFT_TOKENS = 1_500;
const MAX_LINE_CHARACTERS = 400;
/** The newest lines are shown as they are. */
const LAST_LINES = 8;
/** Of the budget: what errors may take, and what folded lines may take of the rest. */
const ERROR_SHARE = 0.55;
/** Lines of a trace that are shown. */
const MAX_TRACE_LINES = 14;

const STAMP =
  /^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\w{3} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[|\[ *\d+\.\d+\])/;
const ERROR =
  /\b(?:ERROR|FATAL|CRITICAL|PANIC|SEVERE|EMERG|ALERT|error|fatal|panic|Exception|Traceback|Error)\b|"level":"(?:error|fatal)"|" 5\d\d \d/;
const WARNING = /\b(?:WARN|WARNING|warn|warning)\b|"level":"warn/;

/** Whether most lines begin with a time. */
export function looksLikeLog(lines: readonly string[]): boolean {
  if (lines.length < 20) return false;
  const sample = lines.slice(0, 200);
  const stamped = sample.filter((line) => STAMP.test(line) || /^\{.*"(?:level|severity|ts|time)"/.test(line)).length;
  return stamped > sample.length * 0.6;
}

/** Enriches journalctl, dmesg, docker logs. */
export function enrichLog(source: Source, budgetTokens: number): Draft | null {
  return enrichLogLines(source.lines, budgetTokens);
}

/** One message: a line with a time, and the lines without one that follow it. */
interface Message {
  readonly lines: readonly string[];
  readonly severity: "error" | "warning" | "other";
  /** What is left of it without times, numbers and identifiers. */
  readonly template: string;
}

/** Folds a log to its budget. */
export function enrichLogLines(lines: readonly string[], budgetTokens: number): Draft | null {
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  if (blockCost(lines) <= budget) return { text: lines.join("\n"), omitted: "", matchCount: lines.length };
  const messages = splitMessages(lines);
  const tail = messages.slice(-LAST_LINES);
  const before = messages.slice(0, -LAST_LINES);
  const errors = before.filter((message) => message.severity === "error");
  const warnings = before.filter((message) => message.severity === "warning");
  const others = before.filter((message) => message.severity === "other");
  const page = makePage(budget - blockCost(tail.map(firstLine)) - 40);
  page.force(
    note(
      `${count(lines.length, "line")}: ${count(errors.length, "error")}, ${count(warnings.length, "warning")}` +
        `, ${others.length} others; [×n]: n alike, the first shown`,
    ),
  );
  const floor = page.room * (1 - ERROR_SHARE);
  const kinds = [addFolded(page, errors, floor), addFolded(page, warnings, floor / 2), addFolded(page, others, 0)];
  const hidden = kinds.reduce((sum, each) => sum + each, 0);
  if (hidden > 0) page.force(note(`${count(hidden, "message")} of rarer forms left out`));
  page.force(note(`the last ${tail.length}`));
  tail.forEach((message) => page.force(firstLine(message)));
  return { text: page.text(), omitted: foldedCount(lines, page), matchCount: lines.length };
}

function foldedCount(lines: readonly string[], page: Page): string {
  const shown = page.text().split("\n").filter((line) => !line.startsWith("[… ")).length;
  return `${Math.max(0, lines.length - shown)} of ${count(lines.length, "line")}`;
}

function splitMessages(lines: readonly string[]): Message[] {
  const stamped = lines.some((line) => STAMP.test(line));
  const blocks: string[][] = [];
  for (const line of lines) {
    if (blocks.length === 0 || !stamped && !/^\s/.test(line) || STAMP.test(line) || line.startsWith("{")) {
      blocks.push([]);
    }
    blocks.at(-1)?.push(line);
  }
  return blocks.map((block) => {
    const first = block[0] ?? "";
    const severity = ERROR.test(first) ? "error" : WARNING.test(first) ? "warning" : "other";
    return { lines: block, severity, template: templateOf(first) };
  });
}

function templateOf(line: string): string {
  return line
    .replace(/[0-9a-f]{8}-[0-9a-f-]{20,}/gi, "#")
    .replace(/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, "#")
    .replace(
      /"[^"]{0,200}"/g,
      (quoted) => /\d/.test(quoted) ? quoted.replace(/[\w./?=&-]*\d[\w./?=&-]*/g, "#") : quoted,
    )
    .replace(/\d+(?:[.:,]\d+)*/g, "#");
}

/** Adds one example of each form with its count, the most frequent first. @returns how many messages have no place. */
function addFolded(page: Page, messages: readonly Message[], floor: number): number {
  const groups = Map.groupBy(messages, (message) => message.template);
  let hidden = 0;
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const [example] = group;
    if (example === undefined) continue;
    const rows = [firstLine(example) + (group.length > 1 ? ` [×${group.length}]` : ""), ...traceOf(example)];
    if (page.room - blockCost(rows) >= floor && page.addAll(rows)) continue;
    const short = rows[0] ?? "";
    if (page.room - lineCost(short) < floor || !page.add(short)) hidden += group.length;
  }
  return hidden;
}

function firstLine(message: Message): string {
  return cutLine(message.lines[0] ?? "", MAX_LINE_CHARACTERS);
}

/** The lines below a message: the beginning and, because it names the cause, the end of a trace. */
function traceOf(message: Message): string[] {
  const trace = message.lines.slice(1).map((line) => cutLine(line, MAX_LINE_CHARACTERS));
  if (trace.length <= MAX_TRACE_LINES) return trace;
  const half = MAX_TRACE_LINES / 2;
  return [...trace.slice(0, half), note(`${trace.length - MAX_TRACE_LINES} lines of the trace`), ...trace.slice(-half)];
}
