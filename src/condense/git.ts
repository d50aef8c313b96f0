/** Condenses git output: status without hints, log and show per commit, diffs per file, blame per commit. @module */
import { leftOut, note } from "../core/bound.ts";
import { enrichDiff } from "./diff.ts";
import { enrichGitLog } from "./git_log.ts";
import { countOf, type Draft, folderOf, groupBy, makePage, type Source } from "./page.ts";

const SOFT_TOKENS = 1_500;

/** Enriches the subcommands that print much; others pass. */
export function enrichGit(source: Source, budgetTokens: number): Draft | null {
  const { lines, command } = source;
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  const isFile = command.subcommand === "show" && command.args.some((arg) => /^[^-].*:./.test(arg));
  if (isFile) return null; // `show REVISION:FILE` prints a file
  switch (command.subcommand) {
    case "status":
      return enrichStatus(lines, budget);
    case "log":
    case "show":
    case "reflog":
    case "whatchanged":
      return enrichGitLog(lines, budgetTokens) ?? enrichDiff(lines, budgetTokens) ?? enrichNewestFirst(lines, budget);
    case "diff":
    case "stash":
    case "format-patch":
      return enrichDiff(lines, budgetTokens) ?? enrichStat(lines, budget, rowNoun(command.args));
    case "blame":
      return enrichBlame(lines, Math.min(budgetTokens, 4_000));
    default:
      return null;
  }
}

/** One line a commit: the newest are wanted. */
function enrichNewestFirst(lines: readonly string[], budget: number): Draft | null {
  if (!lines.every((line) => line === "" || line.length < 400)) return null;
  const page = makePage(budget);
  let shown = 0;
  while (shown < lines.length && page.add(lines[shown] ?? "")) shown++;
  const rest = lines.length - shown;
  if (rest > 0) page.force(leftOut(rest, countOf(lines.length, "line")));
  return { text: page.text(), omitted: rest > 0 ? countOf(rest, "line") : "", matchCount: lines.length };
}

const SHORT_STATUS = /^[ MADRCUT?!]{2} \S/;

function enrichStatus(lines: readonly string[], budget: number): Draft | null {
  // Advice how to go on is no part of the status.
  const advice = (line: string) => /^\s*\(use "git .*\)$/.test(line);
  const kept = lines.filter((line, i) => !advice(line) && !(line === "" && (lines[i - 1] === "" || i === 0)));
  const entries = kept.filter(isStatusEntry);
  const page = makePage(budget);
  if (page.addAll(kept)) return { text: page.text(), omitted: "", matchCount: entries.length };
  for (const line of kept) if (!isStatusEntry(line)) page.add(line);
  const groups = groupBy(entries, (line) => statusOf(line) + folderOf(line.trim().split(/\s+/).at(-1) ?? "", 2));
  let shown = 0;
  for (const group of groups.values()) {
    const rows = group.slice(0, 3);
    const more = group.length - rows.length;
    if (!page.addAll(more > 0 ? [...rows, note(`${more} more in ${folderOf(lastWord(rows[0]), 2)}`)] : rows)) break;
    shown += rows.length;
  }
  const omitted = `${entries.length - shown} of ${countOf(entries.length, "path")}`;
  page.force(note(`${omitted} left out`));
  return { text: page.text(), omitted, matchCount: entries.length };
}

function isStatusEntry(line: string): boolean {
  return line.startsWith("\t") || SHORT_STATUS.test(line);
}

function statusOf(line: string): string {
  return line.startsWith("\t") ? /^\t([a-z ]+:)?/.exec(line)?.[0] ?? "" : line.slice(0, 2);
}

function lastWord(line = ""): string {
  return line.trim().split(/\s+/).at(-1) ?? "";
}

/** Names the rows of output without a diff: `stash list` and the like list entries, not files. */
function rowNoun(args: readonly string[]): string {
  return args.some((arg) => /^--(?:(?:num|short|dir)?stat|name-)/.test(arg)) ? "file" : "line";
}

/** `--stat`, `--numstat`, `--name-status`: aligned with blanks. */
function enrichStat(lines: readonly string[], budget: number, noun: string): Draft | null {
  const rows = lines.map((line) => line.replace(/ {2,}/g, " "));
  const page = makePage(budget);
  const last = rows.at(-1) ?? "";
  const total = /^ \d+ files? changed/.test(last);
  if (total) page.force(last);
  const body = total ? rows.slice(0, -1) : rows;
  let shown = 0;
  while (shown < body.length && page.add(body[shown] ?? "")) shown++;
  const rest = body.length - shown;
  if (rest > 0) page.force(leftOut(rest, countOf(body.length, noun)));
  return { text: page.text(), omitted: rest > 0 ? countOf(rest, noun) : "", matchCount: body.length };
}

const BLAME = /^(\^?[0-9a-f]{7,40}(?: \S+)?) \((.*?)\s+(\d+)\) ?(.*)$/;

/** The commit once for all its lines. */
function enrichBlame(lines: readonly string[], budget: number): Draft | null {
  const rows = lines.map((line) => BLAME.exec(line));
  if (rows.some((row) => row === null)) return null;
  const page = makePage(budget);
  let previous = "", shown = 0;
  for (const row of rows) {
    const [, hash = "", who = "", line = "", text = ""] = row ?? [];
    const head = `${hash} ${who.replace(/\s+/g, " ")}`;
    if (head !== previous && !page.add(head)) break;
    previous = head;
    if (!page.add(`${line} ${text}`)) break;
    shown++;
  }
  const rest = rows.length - shown;
  if (rest > 0) page.force(leftOut(rest, countOf(rows.length, "line")));
  return { text: page.text(), omitted: rest > 0 ? countOf(rest, "line") : "", matchCount: rows.length };
}
