/** Condenses the output of find, fd, ls, tree and git ls-files: names grouped by folder, the rest counted. @module */
import { note } from "../core/bound.ts";
import { enrichLong } from "./listing_long.ts";
import { enrichTree } from "./listing_tree.ts";
import { blockCost, countBy, countOf, type Draft, groupBy, makePage, type Source, tally } from "./page.ts";

const SOFT_TOKENS = 1_200;

/** Enriches find, fd, ls, tree, git ls-files, rg --files. */
export function enrichListing(source: Source, budgetTokens: number): Draft | null {
  const { command, lines } = source;
  if (command.args.some((arg) => /^-(?:exec|execdir|ok|printf|fprintf|x|X)$/.test(arg))) return null; // prints what it likes
  if (command.program === "tree") return enrichTree(lines, Math.min(budgetTokens, SOFT_TOKENS));
  const long = enrichLong(lines, Math.min(budgetTokens, SOFT_TOKENS));
  if (long !== null) return long;
  if (command.program === "ls") return enrichNames(lines, budgetTokens);
  if (lines.some((line) => /^\s|\t/.test(line))) return null; // find -ls or -printf: a table of its own
  return enrichPaths(lines, budgetTokens);
}

/** Paths, one a line: grouped by folder while all fit, then a few of every folder, then counts. */
export function enrichPaths(lines: readonly string[], budgetTokens: number): Draft | null {
  const paths = lines.filter((line) => line !== "");
  if (paths.length === 0) return null;
  const budget = Math.min(budgetTokens, SOFT_TOKENS);
  const groups = groupBy(paths, parentOf);
  for (const quota of [Infinity, 12, 6, 3]) {
    const rows = [...groups].map(([folder, members]) => groupRow(folder, members, quota));
    if (blockCost(rows, budget) > budget - 40) continue;
    const shown = [...groups.values()].reduce((sum, members) => sum + Math.min(members.length, quota), 0);
    const omitted = shown < paths.length ? `${paths.length - shown} of ${countOf(paths.length, "path")}` : "";
    const text = omitted === ""
      ? rows
      : [...rows, note(`${countOf(paths.length, "path")}; [+n]: n more in that folder`)];
    return { text: text.join("\n"), omitted, matchCount: paths.length };
  }
  return countFolders(paths, budget);
}

/** `src/rag/ a.ts b.ts [+3]`; a name with a blank keeps its line to itself. */
function groupRow(folder: string, members: readonly string[], quota: number): string {
  const names = members.map((path) => path.slice(folder.length));
  const shown = names.slice(0, quota);
  if (names.length === 1) return members[0] ?? "";
  const more = names.length > quota ? [`[+${names.length - quota}]`] : [];
  if (shown.some((name) => /\s/.test(name) || name === "")) return [...members.slice(0, quota), ...more].join("\n");
  return [folder, ...shown, ...more].join(" ").trimStart();
}

function parentOf(path: string): string {
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  return path.slice(0, trimmed.lastIndexOf("/") + 1);
}

/** Too many folders for names: the deepest level of folders whose counts fit. */
function countFolders(paths: readonly string[], budget: number): Draft {
  const page = makePage(budget);
  page.force(note(`${countOf(paths.length, "path")}, counted by folder`));
  for (let depth = 6; depth > 0; depth--) {
    const counts = countBy(paths, (path) => prefixOf(path, depth));
    const rows = [...counts].map(([folder, n]) => `${folder} [+${n}]`);
    if (depth > 1 && blockCost(rows, page.room) > page.room) continue;
    const missing = new Map([...counts].filter((_, i) => !page.add(rows[i] ?? "")));
    if (missing.size > 0) page.force(note(`and ${tally(missing, 3)}`));
    break;
  }
  return { text: page.text(), omitted: `the names of ${countOf(paths.length, "path")}`, matchCount: paths.length };
}

function prefixOf(path: string, depth: number): string {
  const lead = /^\.?\//.exec(path)?.[0] ?? "";
  const folders = path.slice(lead.length).split("/").slice(0, -1);
  return lead + folders.slice(0, depth).map((name) => name + "/").join("");
}

/** Names of `ls`, one a line, perhaps in sections `folder:`: joined to rows. */
function enrichNames(lines: readonly string[], budgetTokens: number): Draft | null {
  const sections = splitSections(lines);
  const total = sections.reduce((sum, section) => sum + section.names.length, 0);
  for (const quota of [Infinity, 40, 12, 4, 0]) {
    const rows = sections.flatMap(({ title, names }) => sectionRows(title, names, quota));
    if (quota > 0 && blockCost(rows, SOFT_TOKENS) > Math.min(budgetTokens, SOFT_TOKENS) - 40) continue;
    const shown = sections.reduce((sum, { names }) => sum + Math.min(names.length, quota), 0);
    const omitted = shown < total ? `${total - shown} of ${countOf(total, "name")}` : "";
    const text = omitted === "" ? rows : [...rows, note(`${countOf(total, "name")}; [+n]: n more`)];
    return { text: text.join("\n"), omitted, matchCount: total };
  }
  return null;
}

function sectionRows(title: string, names: readonly string[], quota: number): string[] {
  const shown = names.slice(0, quota);
  const more = names.length > shown.length ? [`[+${names.length - shown.length}]`] : [];
  const heading = title === "" ? [] : [title];
  if (shown.some((name) => /\s/.test(name))) return [...heading, ...shown, ...more];
  return [[...heading, ...shown, ...more].join(" ")];
}

/** Sections of `ls -R` and of `ls a b`. */
function splitSections(lines: readonly string[]): { title: string; names: string[] }[] {
  const sections: { title: string; names: string[] }[] = [];
  for (const [i, line] of lines.entries()) {
    const opens = line.endsWith(":") && (i === 0 || lines[i - 1] === "");
    if (opens || sections.length === 0) sections.push({ title: opens ? line : "", names: [] });
    if (!opens && line !== "") sections.at(-1)?.names.push(line);
  }
  return sections;
}
