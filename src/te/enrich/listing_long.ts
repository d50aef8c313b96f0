/** `ls -l`: columns that say the same on every line go, the rest stays in order. @module */
import { count, type Draft, makePage, note } from "./page.ts";

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

/** @returns null when the lines are not those of `ls -l`. */
export function enrichLong(lines: readonly string[], budget: number): Draft | null {
  const entries = lines.map(parseEntry);
  const found = entries.filter((entry) => entry !== null);
  const plain = lines.filter((line, i) => entries[i] === null && line !== "" && !/^total \S+$|:$/.test(line));
  if (found.length < 3 || plain.length > 0) return null;
  const sameOwner = found.every((entry) => entry.owner === found[0]?.owner);
  const page = makePage(budget);
  page.force(note(`without link counts${sameOwner ? `; owner on all: ${squeeze(found[0]?.owner ?? "")}` : ""}`));
  let shown = 0, full = true;
  for (const [i, line] of lines.entries()) {
    const entry = entries[i];
    if (entry === undefined || line === "") continue;
    if (entry === null) {
      if (line.endsWith(":") && full) full = page.add(line);
      continue;
    }
    full &&= page.add(renderEntry(entry, sameOwner));
    if (full) shown++;
  }
  const rest = found.slice(shown);
  if (rest.length > 0) {
    const folders = rest.filter((entry) => entry.mode.startsWith("d")).length;
    page.force(
      note(`${rest.length} of ${count(found.length, "entry", "entries")} left out, ${folders} of them folders`),
    );
  }
  const omitted = rest.length > 0 ? `${rest.length} of ${count(found.length, "entry", "entries")}` : "";
  return { text: page.text(), omitted, matchCount: found.length };
}

function parseEntry(line: string): Entry | null {
  const head = /^([bcdlps-][rwxsStT-]{9}[.+@]?)\s+(\d+)\s+(\S+\s+\S+)\s+(\d+,\s*\d+|[\d.,]+[KMGTP]?)\s(.*)$/.exec(line);
  const tail = TIMES.exec(head?.[5] ?? "");
  if (head === null || tail === null) return null;
  const [, mode = "", links = "", owner = "", size = ""] = head;
  return { mode, links, owner, size, time: tail[1] ?? tail[2] ?? tail[3] ?? "", name: tail[4] ?? "" };
}

function renderEntry(entry: Entry, sameOwner: boolean): string {
  return [entry.mode, ...(sameOwner ? [] : [squeeze(entry.owner)]), entry.size, squeeze(entry.time), entry.name].join(
    " ",
  );
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
