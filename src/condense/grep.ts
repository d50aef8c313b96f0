/**
 * Condenses search hits: all of them grouped by file while they fit the budget; otherwise definitions before uses before
 * tests, and the rest counted by folder.
 * @module
 */
import { lineTokens } from "../core/tokens.ts";
import { cutLine, note } from "../core/bound.ts";
import { readGrepArgs } from "./grep_args.ts";
import { type GrepHit, parseGrep } from "./grep_lines.ts";
import { renderContext } from "./grep_context.ts";
import { makeRanker, RANK, type RankedFile, rankFiles } from "./grep_rank.ts";
import { enrichPaths } from "./listing.ts";
import { blockCost, countBy, countOf, type Draft, folderOf, groupBy, makePage, type Source, tally } from "./page.ts";

/** A longer line is cut. */
const MAX_LINE_CHARACTERS = 240;
/** A folder is the hot zone when it holds this share of at least so many hits. */
const HOT_SHARE = 0.5, HOT_HITS = 5;

/** Enriches grep, ripgrep, git grep and their like. */
export function enrichGrep(source: Source, budgetTokens: number): Draft | null {
  const { command, lines } = source;
  const args = readGrepArgs(command.program, command.args);
  if (args.prints === "paths") return enrichPaths(lines, budgetTokens);
  if (args.prints === "counts") return enrichCounts(lines, budgetTokens);
  const { hits, others } = parseGrep(lines, args);
  const found = hits.filter((hit) => !hit.context);
  if (found.length === 0 || others.length > hits.length / 4) return null;
  const files = rankFiles(hits, makeRanker(args.pattern));
  const hotZone = findHotZone(found);
  const draft = hits.length > found.length
    ? renderContext(files, found.length, budgetTokens)
    : renderHits(files, found, others, hotZone, budgetTokens);
  return { ...draft, matchCount: found.length, ...(hotZone !== undefined && { hotZone }) };
}

function renderHits(
  files: readonly RankedFile[],
  found: readonly GrepHit[],
  others: readonly string[],
  hotZone: string | undefined,
  budget: number,
): Draft {
  const whole = [...files.flatMap((file) => renderFile(file.path, file.hits, 0)), ...others];
  if (blockCost(whole, budget) > budget) return renderWithin(files, found, others, hotZone, budget);
  return { text: whole.join("\n"), omitted: cutNote(found) };
}

/** A file with one row takes one line, as grep prints it; more rows share one heading. */
function renderFile(path: string, hits: readonly GrepHit[], more: number): string[] {
  const rows = foldRows(hits);
  const [only] = rows;
  if (rows.length === 1 && more === 0 && only !== undefined && path !== "") return [`${path}:${only}`];
  return [...(path === "" ? [] : [path]), ...rows, ...(more > 0 ? [note(`${more} more here`)] : [])];
}

/** `12:text`; lines with the same text share a row: `12,19,26:text`. */
function foldRows(hits: readonly GrepHit[]): string[] {
  return [...groupBy(hits, (hit) => cutLine(hit.text.trim(), MAX_LINE_CHARACTERS))].map(([text, own]) => {
    if (own.every((hit) => hit.line === 0)) return own.length > 1 ? `${text} [×${own.length}]` : text;
    return `${own.map((hit) => hit.line).join(",")}:${text}`;
  });
}

/** Chooses hits by rank and spreads them over files, then prints them grouped. */
function renderWithin(
  files: readonly RankedFile[],
  found: readonly GrepHit[],
  others: readonly string[],
  hotZone: string | undefined,
  budget: number,
): Draft {
  const inFiles = files.every(({ path }) => path !== "") ? ` in ${countOf(files.length, "file")}` : ""; // -h names none
  const head = `${countOf(found.length, "match", "matches")}${inFiles}` +
    (hotZone === undefined ? "" : `, most in ${hotZone}`);
  const page = makePage(budget - 60);
  page.force(note(head));
  const chosen = chooseHits(files, page.room);
  const hidden = new Map<string, number>();
  let shown = 0;
  for (const file of files) {
    const own = file.hits.filter((hit) => chosen.has(hit));
    const more = file.hits.length - own.length;
    if (own.length > 0 && page.addAll(renderFile(file.path, own, more))) shown += own.length;
    else addTo(hidden, folderOf(file.path, 2), file.hits.length);
  }
  if (hidden.size > 0) page.force(note(`more in ${tally(hidden)}`));
  if (others.length > 0) page.force(note(countOf(others.length, "line") + " of another form"));
  return { text: page.text(), omitted: `${found.length - shown} of ${countOf(found.length, "match", "matches")}` };
}

/** Every definition, then the first hit of every file, then the second, and so on, while they fit. */
function chooseHits(files: readonly RankedFile[], room: number): Set<GrepHit> {
  const chosen = new Set<GrepHit>();
  const shownTexts = new Map<RankedFile, Set<string>>();
  const take = (file: RankedFile, hit: GrepHit) => {
    const texts = shownTexts.get(file);
    const text = cutLine(hit.text.trim(), MAX_LINE_CHARACTERS);
    const heading = texts === undefined ? lineTokens(file.path) + 8 : 0;
    const cost = heading + (texts?.has(text) ? 2 : lineTokens(text) + 3);
    if (cost > room) return false;
    room -= cost;
    shownTexts.set(file, (texts ?? new Set()).add(text));
    chosen.add(hit);
    return true;
  };
  for (const rank of [RANK.definition, RANK.use, RANK.test]) {
    const queues = files.map((file) => ({ file, hits: file.hits.filter((_, i) => file.ranks[i] === rank) }));
    const turns = rank === RANK.definition ? Infinity : MAX_TURNS;
    for (let turn = 0; turn < turns; turn++) {
      const due = queues.filter(({ hits }) => hits.length > turn);
      if (due.length === 0) break;
      for (const { file, hits } of due) {
        const hit = hits[turn];
        if (hit !== undefined) take(file, hit);
      }
    }
  }
  return chosen;
}

/** No file gets more than this many hits beyond its definitions when not all fit. */
const MAX_TURNS = 40;

function findHotZone(found: readonly GrepHit[]): string | undefined {
  if (found.length < HOT_HITS) return undefined;
  const [top] = [...countBy(found, (hit) => folderOf(hit.path, 2))].sort((a, b) => b[1] - a[1]);
  if (top === undefined || top[0] === "./" || top[1] < found.length * HOT_SHARE) return undefined;
  return `${top[0]} (${Math.round(top[1] / found.length * 100)}%)`;
}

function cutNote(hits: readonly GrepHit[]): string {
  const cut = hits.filter((hit) => hit.text.trim().length > MAX_LINE_CHARACTERS).length;
  return cut === 0 ? "" : `the ends of ${countOf(cut, "long line")}`;
}

/** `path:count` lines: grep prints a line for every file, also for none. */
function enrichCounts(lines: readonly string[], budgetTokens: number): Draft | null {
  const rows = lines.map((line) => /^(.*:)?(\d+)$/.exec(line));
  if (rows.some((row) => row === null)) return null;
  const matchCount = rows.reduce((sum, row) => sum + Number(row?.[2] ?? 0), 0);
  const filled = lines.filter((_, i) => rows[i]?.[2] !== "0");
  const page = makePage(budgetTokens);
  const sorted = filled.length > 60
    ? filled.toSorted((a, b) => Number(/\d+$/.exec(b)?.[0]) - Number(/\d+$/.exec(a)?.[0]))
    : filled;
  const shown = sorted.filter((line) => page.add(line)).length;
  const empty = lines.length - filled.length, rest = filled.length - shown;
  const omitted = [
    empty > 0 ? `${countOf(empty, "file")} with 0` : "",
    rest > 0 ? `${countOf(rest, "file")} with fewer` : "",
  ].filter((part) => part !== "").join(", ");
  if (omitted !== "") page.force(note(`${omitted} left out; ${matchCount} in all`));
  return { text: page.text(), omitted, matchCount };
}

function addTo(counts: Map<string, number>, key: string, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}
