/** Formats log entries: secrets masked, repetitions folded, the date stated once. @module */
import type { LogEntry } from "../../sysinfo/log_text.ts";
import { maskSecrets } from "../../core/mask_secrets.ts";
import { fitLines } from "../../core/bound_lines.ts";

/** One entry, or several equal ones in a row. */
export interface ShownEntry {
  /** Of the first of them; null when the line has no time. */
  readonly time_iso: string | null;
  readonly text: string;
  readonly count: number;
}

/** Entries are cut behind this many characters: dumps belong to the program that made them. */
const MAX_TEXT = 1_000;
// deno-lint-ignore no-control-regex -- terminal sequences are what is looked for
const CONTROLS = /\x1b\[[0-9;?]*[ -\/]*[@-~]|[\x00-\x09\x0b-\x1f\x7f-\x9f]/g;

/** The entry without terminal sequences and secrets, cut. */
export function cleanEntry({ timeMs, text }: LogEntry): LogEntry {
  // Cut before it is masked, so that a hostile line costs no time, and after it, so that no half of a secret is left.
  const masked = maskSecrets(text.slice(0, MAX_TEXT * 2).replace(CONTROLS, " "));
  if (masked.length <= MAX_TEXT && text.length <= MAX_TEXT * 2) return { timeMs, text: masked };
  return { timeMs, text: masked.slice(0, MAX_TEXT).replace(/\S{0,200}$/, "") + "…" };
}

/** Joins equal entries in a row. */
export function foldEntries(entries: readonly LogEntry[]): ShownEntry[] {
  const folded: { time_iso: string | null; text: string; count: number }[] = [];
  for (const { timeMs, text } of entries) {
    const last = folded.at(-1);
    if (last?.text === text) last.count++;
    else folded.push({ time_iso: timeMs === null ? null : new Date(timeMs).toISOString(), text, count: 1 });
  }
  return folded;
}

/** The newest entries that fit a budget of tokens; one at least. */
export function newestWithin(entries: readonly ShownEntry[], maxTokens: number): ShownEntry[] {
  const lines = entries.map((entry) => entryLines([entry]).at(-1) ?? "").reverse();
  return entries.slice(entries.length - fitLines(lines, maxTokens, 1));
}

/** The day once, then one line for each entry, or more when its message has them. */
export function entryLines(entries: readonly ShownEntry[]): string[] {
  let day = "";
  return entries.flatMap(({ time_iso, text, count }) => {
    const [date = "", time = ""] = time_iso?.split("T") ?? [];
    const line = [time.slice(0, 8), text, count > 1 ? `[×${count}]` : ""].filter((part) => part !== "").join(" ");
    const lines = date === day || date === "" ? [line] : [`${date} UTC`, line];
    if (date !== "") day = date;
    return lines;
  });
}
