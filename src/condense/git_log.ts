/** Condenses `git log` and `git show`: one line per commit, its message, and its changes within the budget. @module */
import { note } from "../core/bound.ts";
import { enrichDiff } from "./diff.ts";
import { blockCost, countOf, type Draft, makePage } from "./page.ts";

interface Commit {
  readonly hash: string;
  readonly decoration: string;
  readonly author: string;
  readonly date: string;
  /** Merge lines and other headers. */
  readonly extra: readonly string[];
  readonly message: readonly string[];
  /** What follows the message: `--stat`, a diff, names. */
  readonly changes: readonly string[];
}

const HEAD = /^commit ([0-9a-f]{7,64})( \(.*\))?$/;
/** So much of a hash is unique in every usual repository, and git takes it. */
const HASH_CHARACTERS = 10;

/** @returns null when the output is not in the default format. */
export function enrichGitLog(lines: readonly string[], budgetTokens: number): Draft | null {
  if (!HEAD.test(lines[0] ?? "")) return null;
  const commits = splitCommits(lines).map(parseCommit);
  const author = commits.length > 2 && commits.every((commit) => commit.author === commits[0]?.author)
    ? commits[0]?.author
    : undefined;
  const lead = [note(`hashes cut to ten digits${author === undefined ? "" : `; author of all: ${author}`}`)];
  const whole = [...lead, ...commits.flatMap((commit) => [...header(commit, author), ...squeezeStat(commit.changes)])];
  const matchCount = commits.length;
  if (blockCost(whole) <= budgetTokens) return { text: whole.join("\n"), omitted: "", matchCount };
  return { ...renderWithin(commits, lead, author, budgetTokens), matchCount };
}

function splitCommits(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (const line of lines) {
    if (HEAD.test(line)) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks;
}

function parseCommit(lines: readonly string[]): Commit {
  const head = HEAD.exec(lines[0] ?? "");
  const blank = lines.indexOf("");
  const headers = lines.slice(1, blank < 0 ? undefined : blank);
  const rest = blank < 0 ? [] : lines.slice(blank + 1);
  const end = rest.findIndex((line) => line !== "" && !line.startsWith("    "));
  const message = (end < 0 ? rest : rest.slice(0, end)).map((line) => line.slice(4));
  const valueOf = (name: string) => headers.find((line) => line.startsWith(name))?.slice(name.length).trim() ?? "";
  return {
    hash: (head?.[1] ?? "").slice(0, HASH_CHARACTERS),
    decoration: head?.[2] ?? "",
    author: valueOf("Author:"),
    date: valueOf("Date:"),
    extra: headers.filter((line) => !/^(?:Author|Date):/.test(line)),
    message: message.filter((line, i) => line !== "" || i < message.findLastIndex((each) => each !== "")),
    changes: end < 0 ? [] : rest.slice(end).filter((line, i, all) => line !== "" || i < all.length - 1),
  };
}

function header(commit: Commit, commonAuthor: string | undefined, withBody = true): string[] {
  const author = commonAuthor === undefined ? ` ${commit.author}` : "";
  const [subject = "", ...body] = commit.message;
  const first = `${commit.hash}${commit.decoration} ${commit.date}${author}`.trimEnd();
  const bodyLines = body.filter((line) => line !== "").map((line) => `  ${line}`);
  return [first, ...commit.extra, ` ${subject}`, ...(withBody ? bodyLines : [])];
}

/** `--stat` aligns its columns with blanks. */
function squeezeStat(changes: readonly string[]): string[] {
  return changes.map((line) => /^ \S.* +\| +/.test(line) ? line.replace(/ {2,}/g, " ") : line);
}

/** Bodies go first, then the changes are cut, then the oldest commits go. */
function renderWithin(
  commits: readonly Commit[],
  lead: readonly string[],
  author: string | undefined,
  budget: number,
): Draft {
  const page = makePage(budget);
  lead.forEach((line) => page.force(line));
  const withBody = commits.length === 1;
  let shown = 0, cut = "";
  for (const commit of commits) {
    const rows = header(commit, author, withBody);
    if (!page.addAll(rows)) break;
    shown++;
    if (commit.changes.length === 0) continue;
    const share = page.room / Math.min(commits.length - shown + 1, 4);
    const part = enrichDiff(commit.changes, share);
    if (part !== null && blockCost(part.text.split("\n")) <= page.room) {
      page.force(part.text);
      if (/hunk|\d line/.test(part.omitted)) cut = "parts of the changes";
    } else if (!page.addAll(squeezeStat(commit.changes))) {
      page.force(note(`${countOf(commit.changes.length, "line")} of its changes left out`));
      cut = "parts of the changes";
    }
  }
  const rest = commits.length - shown;
  const bodies = withBody ? 0 : commits.slice(0, shown).filter((commit) => commit.message.length > 1).length;
  const omitted = [
    rest > 0 ? `the ${rest} oldest of ${countOf(commits.length, "commit")}` : "",
    bodies > 0 ? `${bodies} message bodies` : "",
    cut,
  ].filter((part) => part !== "").join(", ");
  if (omitted !== "") page.force(note(`${omitted} left out`));
  return { text: page.text(), omitted };
}
