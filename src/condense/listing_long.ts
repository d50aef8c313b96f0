/** Condenses `ls -l`: drops columns that are the same on every line and keeps the order. @module */
import { note } from "../core/bound.ts";
import { blockCost, countOf, type Draft, makePage } from "./page.ts";

interface Entry {
  readonly mode: string;
  readonly links: string;
  readonly owner: string;
  readonly size: string;
  readonly time: string;
  readonly name: string;
}

/** `Nov 27 23:10 name`, `Nov 27  2025 name` and `2026-01-01 10:00 name`. */
const TIMES = /^(?:(\w{3} [ \d]\d [ \d]\d[:\d]\d{2})|(\d{4}-\d\d-\d\d \d\d:\d\d)|(\d\d-\d\d \d\d:\d\d)) (.*)$/;

/**
 * All columns when they fit, else sizes and names, else names, else the first names.
 *
 * @returns null when the lines are not those of `ls -l`.
 */
export function enrichLong(lines: readonly string[], budget: number): Draft | null {
  const entries = lines.map(parseEntry);
  const found = entries.filter((entry) => entry !== null);
  const plain = lines.filter((line, i) => entries[i] === null && line !== "" && !/^total \S+$|:$/.test(line));
  if (found.length < 3 || plain.length > 0) return null;
  const rows = lines.map((line, i) => entries[i] ?? line).filter((row) =>
    row !== "" && !(typeof row === "string" && /^total /.test(row))
  );
  const matchCount = found.length;
  for (const form of [allColumns(found), SIZE_AND_NAME, NAME]) {
    const text = [note(form.note), ...form.join(rows.map((row) => typeof row === "string" ? row : form.render(row)))];
    if (blockCost(text) > budget) continue;
    return { text: text.join("\n"), omitted: form.leavesOut, matchCount };
  }
  return firstNames(rows, matchCount, budget);
}

/** How an entry is shown. */
interface Form {
  /** Said on the first line. */
  readonly note: string;
  /** What a reader may miss; "" for link counts and an owner that is the same everywhere. */
  readonly leavesOut: string;
  render(entry: Entry): string;
  /** Puts rows together. */
  join(rows: readonly string[]): readonly string[];
}

function allColumns(found: readonly Entry[]): Form {
  const sameOwner = found.every((entry) => entry.owner === found[0]?.owner);
  return {
    note: `without link counts${sameOwner ? `; owner of all: ${squeeze(found[0]?.owner ?? "")}` : ""}`,
    leavesOut: "",
    render: (entry) =>
      [entry.mode, ...(sameOwner ? [] : [squeeze(entry.owner)]), entry.size, squeeze(entry.time), entry.name].join(" "),
    join: (rows) => rows,
  };
}

const SIZE_AND_NAME: Form = {
  note: "size and name; folders end in /",
  leavesOut: "modes, owners and times",
  render: (entry) => entry.mode.startsWith("d") ? `${entry.name}/` : `${entry.size} ${entry.name}`,
  join: (rows) => rows,
};

const NAME: Form = {
  note: "names; folders end in /, links in @",
  leavesOut: "modes, owners, sizes, times and link targets",
  render: (entry) => {
    const name = entry.mode.startsWith("l") ? entry.name.replace(/ -> .*$/, "@") : entry.name;
    return entry.mode.startsWith("d") ? `${name}/` : name;
  },
  join: (rows) => rows.some((row) => /\s/.test(row)) ? rows : [rows.join(" ")],
};

function firstNames(rows: readonly (Entry | string)[], matchCount: number, budget: number): Draft {
  const page = makePage(budget);
  page.force(note(NAME.note));
  let shown = 0, full = false;
  for (const row of rows) {
    full ||= !page.add(typeof row === "string" ? row : NAME.render(row));
    if (!full && typeof row !== "string") shown++;
  }
  const omitted = `${matchCount - shown} of ${countOf(matchCount, "entry", "entries")}`;
  page.force(note(`${omitted} left out`));
  return { text: page.text(), omitted: `${omitted}, ${NAME.leavesOut}`, matchCount };
}

function parseEntry(line: string): Entry | null {
  const head = /^([bcdlps-][rwxsStT-]{9}[.+@]?)\s+(\d+)\s+(\S+\s+\S+)\s+(\d+,\s*\d+|[\d.,]+[KMGTP]?)\s(.*)$/.exec(line);
  const tail = TIMES.exec(head?.[5] ?? "");
  if (head === null || tail === null) return null;
  const [, mode = "", links = "", owner = "", size = ""] = head;
  return { mode, links, owner, size, time: tail[1] ?? tail[2] ?? tail[3] ?? "", name: tail[4] ?? "" };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
