/**
 * Condenses logs: errors first with their stack traces, similar lines folded with counts, the last lines verbatim.
 * @module
 */
import { lineTokens } from "../core/tokens.ts";
import { cutLine, note } from "../core/bound.ts";
import { beginsMessage, levelOf, type Severity, severityOf } from "./log_level.ts";
import { blockCost, countBy, countOf, type Draft, makePage, type Page, type Source } from "./page.ts";

const SOFT_TOKENS = 1_500;
const MAX_LINE_CHARACTERS = 400;
/** The newest messages are shown as they are. */
const LAST_MESSAGES = 8;
/** Of the budget: what errors may take, and what folded lines may take of the rest. */
const ERROR_SHARE = 0.55;
/** Lines of a trace that are shown. */
const MAX_TRACE_LINES = 14;

/** Whether most lines begin as log messages do. */
export function looksLikeLog(lines: readonly string[]): boolean {
  if (lines.length < 20) return false;
  const sample = lines.slice(0, 200);
  return sample.filter((line) => beginsMessage(line) || /^\[?[A-Z]{4,8}\b/.test(line) && levelOf(line) !== undefined)
    .length >
    sample.length * 0.6;
}

/** Condenses journalctl, dmesg, docker logs. */
export function enrichLog(source: Source, budgetTokens: number): Draft | null {
  return enrichLogLines(source.lines, budgetTokens);
}

/** One message: the line that begins it, and the lines that follow until the next. */
interface Message {
  readonly lines: readonly string[];
  readonly level: string | undefined;
  readonly severity: Severity;
  /** The message without times, numbers and identifiers. */
  readonly template: string;
}

/** Folds a log to its budget. */
export function enrichLogLines(lines: readonly string[], budgetTokens: number): Draft | null {
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  if (blockCost(lines) <= budget) return { text: lines.join("\n"), omitted: "", matchCount: lines.length };
  const messages = splitMessages(lines);
  const tail = messages.slice(-LAST_MESSAGES);
  const before = Map.groupBy(messages.slice(0, -LAST_MESSAGES), (message) => message.severity);
  const page = makePage(budget - blockCost(tail.map(firstLine)) - 60);
  page.force(note(`${summarise(lines, messages)}; [×n]: n similar messages, the first is shown`));
  const floor = page.room * (1 - ERROR_SHARE);
  const hidden = [
    ...addFolded(page, before.get("error") ?? [], floor),
    ...addFolded(page, before.get("warning") ?? [], floor / 2),
    ...addFolded(page, before.get("other") ?? [], 0),
  ];
  if (hidden.length > 0) page.force(note(`not shown: ${tallyLevels(hidden)}`));
  page.force(note(`the last ${tail.length}`));
  tail.forEach((message) => page.force(firstLine(message)));
  return { text: page.text(), omitted: omittedLines(lines, page), matchCount: lines.length };
}

/** Counts over the whole log, the shown messages included. */
function summarise(lines: readonly string[], messages: readonly Message[]): string {
  const levels = tallyLevels(messages);
  return messages.some((message) => message.level !== undefined)
    ? `${countOf(lines.length, "line")}: ${levels}`
    : countOf(lines.length, "line");
}

const SEVERITIES: readonly Severity[] = ["error", "warning", "other"];

/** `3 FATAL, 44 ERROR, 174 WARN, 2700 INFO, 12 without a level`. */
function tallyLevels(messages: readonly Message[]): string {
  const levels = [...countBy(messages, (message) => message.level ?? "")];
  const rank = (level: string) => level === "" ? SEVERITIES.length : SEVERITIES.indexOf(severityOf(level));
  levels.sort(([a, n], [b, m]) => rank(a) - rank(b) || m - n);
  return levels.map(([level, n]) => `${n} ${level === "" ? "without a level" : level}`).join(", ");
}

function omittedLines(lines: readonly string[], page: Page): string {
  const shown = page.text().split("\n").filter((line) => !line.startsWith("[… ")).length;
  return `${Math.max(0, lines.length - shown)} of ${countOf(lines.length, "line")}`;
}

function splitMessages(lines: readonly string[]): Message[] {
  const marked = lines.some(beginsMessage);
  const blocks: string[][] = [];
  for (const line of lines) {
    const begins = marked ? beginsMessage(line) : !/^\s/.test(line);
    if (begins || blocks.length === 0) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks.map((block) => {
    const first = block[0] ?? "", level = levelOf(first);
    return { lines: block, level, severity: severityOf(level), template: templateOf(first) };
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

/** Adds one example of each form with its count, the most frequent first. @returns the messages that have no place. */
function addFolded(page: Page, messages: readonly Message[], floor: number): Message[] {
  const groups = Map.groupBy(messages, (message) => message.template);
  const hidden: Message[] = [];
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const [example] = group;
    if (example === undefined) continue;
    const rows = [firstLine(example) + (group.length > 1 ? ` [×${group.length}]` : ""), ...traceOf(example)];
    if (page.room - blockCost(rows) >= floor && page.addAll(rows)) continue;
    const short = rows[0] ?? "";
    if (page.room - lineTokens(short) < floor || !page.add(short)) hidden.push(...group);
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
