/** Converts a placed hunk to splices: context keeps its bytes, new lines take the surrounding line endings. @module */
import type { Edit } from "./edits.ts";
import type { Hunk, HunkLine } from "./hunk.ts";
import type { EndFinder, Line, LineEnd } from "./line_ends.ts";
import type { HunkPlace } from "./locate_hunk.ts";
import { restoreStray } from "./stray_match.ts";

/** A stretch of removed lines and what comes for them. */
interface Run {
  /** Index of the first removed line, or of the line before which the new ones go. */
  readonly at: number;
  readonly removed: number;
  readonly added: readonly HunkLine[];
}

/**
 * The edits of a hunk.
 *
 * @param literal The diff spells CR where it means it. A hunk that fits to the byte proves the same for itself; one
 *   without old lines cannot.
 */
export function hunkEdits(
  text: string,
  lines: readonly Line[],
  hunk: Hunk,
  place: HunkPlace,
  literal: boolean,
  endAt: EndFinder,
): readonly Edit[] {
  const marked = hunk.lines.some(({ ended }) => !ended);
  const spelled = place.exactness === "bytes" || (literal && hunk.lines.every(({ op }) => op === "+"));
  return runsOf(hunk, place).map((run) => {
    const start = lines[run.at]?.start ?? text.length, end = lines[run.at + run.removed]?.start ?? text.length;
    const written = spelled
      ? run.added.map((line) => line.text + (line.ended ? "\n" : "")).join("")
      : adapt(text, lines, run, marked, endAt);
    return { start, end, insert: restoreStray(text.slice(start, end), written) };
  });
}

function runsOf(hunk: Hunk, { at, lead, tail }: HunkPlace): readonly Run[] {
  const runs: Run[] = [];
  let position = at;
  let open: { at: number; removed: number; added: HunkLine[] } | null = null;
  for (const line of hunk.lines.slice(lead, hunk.lines.length - tail)) {
    if (line.op === " ") {
      if (open !== null) runs.push(open);
      open = null;
      position++;
      continue;
    }
    open ??= { at: position, removed: 0, added: [] };
    if (line.op === "+") open.added.push(line);
    else {
      open.removed++;
      position++;
    }
  }
  return open === null ? runs : [...runs, open];
}

/** New lines with ends: each takes that of the line it replaces, else that of the one before it. */
function adapt(
  text: string,
  lines: readonly Line[],
  { at, removed, added }: Run,
  marked: boolean,
  endAt: EndFinder,
): string {
  const before = lines[at - 1], last = lines.at(-1);
  const fallback = endAt(lines[at]?.start ?? text.length);
  const usable = (end: LineEnd | undefined) => end === undefined || end === "" ? undefined : end;
  let style = usable(before?.end) ?? fallback;
  const reachesEnd = at + removed >= lines.length;
  const opensLine = reachesEnd && removed === 0 && last?.end === "" && added.length > 0;
  const endsOpen = reachesEnd && (marked ? added.at(-1)?.ended === false : last?.end === "");
  const written = added.map((line, offset) => {
    style = (offset < removed ? usable(lines[at + offset]?.end) : undefined) ?? style;
    return line.text.replace(/\r$/, "") + (endsOpen && offset === added.length - 1 ? "" : style);
  });
  return (opensLine ? style : "") + written.join("");
}
