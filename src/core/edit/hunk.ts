/**
 * Parses one hunk of a diff: its header in every common form, and its body even when the header counts are wrong.
 * @module
 */

/** What a diff does to one file. */
export interface FilePatch {
  readonly action: "modify" | "create" | "delete" | "rename" | "copy";
  /** Names that the existing file may have, the likeliest first; empty for a new file. */
  readonly source: readonly string[];
  /** Names that the file may have afterwards. */
  readonly target: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Permission bits that the diff sets. */
  readonly mode: number | null;
  /** A file that is not there may be made, or one that is emptied may go: only GNU diff's time stamps say so. */
  readonly mayBeAbsent: boolean;
  /** Line of the diff (from 1) where it starts. */
  readonly diffLine: number;
}

/** A line of a hunk. */
export interface HunkLine {
  readonly op: " " | "-" | "+";
  /** Without the line end; a CR that was written stays. */
  readonly text: string;
  /** False when the diff says that no line end follows. */
  readonly ended: boolean;
}

/** A hunk. */
export interface Hunk {
  /** From 1, in its file. */
  readonly number: number;
  /** Line of the diff (from 1) where it starts. */
  readonly diffLine: number;
  /** Number of the first old line; of the line before when there are no old lines. Null when the header has none. */
  readonly oldStart: number | null;
  /** Number of lines that the header gives the new side; null when it has none. */
  readonly newCount: number | null;
  /** The header's counts fit the body: its numbers come from a program rather than from a guess. */
  readonly reliable: boolean;
  /** Lines above the hunk, outermost first: the function or class that it is in. */
  readonly anchors: readonly string[];
  /** The hunk ends where the file ends. */
  readonly atEnd: boolean;
  readonly lines: readonly HunkLine[];
}

/** What a `@@` line says. */
export interface HunkHeader {
  readonly oldStart: number | null;
  readonly oldCount: number | null;
  readonly newCount: number | null;
  readonly anchor: string;
}

/** Reads a line that begins with `@@`; null for any other. */
export function readHunkHeader(line: string): HunkHeader | null {
  if (!/^@@(?!@)/.test(line)) return null;
  const full = line.match(/^@@\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?(?:\s*@@)?(.*)$/s);
  if (full !== null) {
    const [, start, oldCount = "1", , newCount = "1", anchor = ""] = full;
    return { oldStart: Number(start), oldCount: Number(oldCount), newCount: Number(newCount), anchor: anchor.trim() };
  }
  const anchor = line.replace(/^@@/, "").replace(/@@/, "").replace(/^[.…\s]+/, "").trim();
  const onlyLine = anchor.match(/^(?:line\s+|-)(\d+)(?:,\d+)?$/i);
  const oldStart = onlyLine?.[1] === undefined ? null : Number(onlyLine[1]);
  return { oldStart, oldCount: null, newCount: null, anchor: onlyLine === null ? anchor : "" };
}

/** A body and the index of the first line after it. */
export interface HunkBody {
  readonly lines: readonly HunkLine[];
  readonly next: number;
  readonly reliable: boolean;
}

/**
 * Reads the lines of a hunk. The header's counts are believed when they end at something that ends a hunk;
 * else the body goes on as long as lines look like it.
 *
 * @param isEnd Whether a new hunk or file, or something else than a hunk, starts at an index.
 */
export function readHunkBody(
  lines: readonly string[],
  start: number,
  header: HunkHeader | null,
  isEnd: (index: number) => boolean,
): HunkBody {
  const counted = header?.oldCount == null || header.newCount === null
    ? null
    : readCounted(lines, start, header.oldCount, header.newCount, isEnd);
  return counted ?? readUncounted(lines, start, isEnd);
}

const isMarker = (line: string) => line.startsWith("\\ ");

function readCounted(
  lines: readonly string[],
  start: number,
  oldCount: number,
  newCount: number,
  isEnd: (index: number) => boolean,
): HunkBody | null {
  const body: HunkLine[] = [];
  let oldLeft = oldCount, newLeft = newCount, next = start;
  for (; oldLeft > 0 || newLeft > 0; next++) {
    const line = lines[next];
    if (line === undefined) return null;
    if (isMarker(line)) unend(body);
    else {
      const read = readLine(line);
      if (read === null) return null;
      if (read.op !== "+") oldLeft--;
      if (read.op !== "-") newLeft--;
      if (oldLeft < 0 || newLeft < 0) return null;
      body.push(read);
    }
  }
  if (isMarker(lines[next] ?? "")) {
    unend(body);
    next++;
  }
  return changesFollow(lines, next, isEnd) ? null : { lines: body, next, reliable: true };
}

/** Whether lines to add or remove come before the next hunk or file: then the counts were too small. */
function changesFollow(lines: readonly string[], start: number, isEnd: (index: number) => boolean): boolean {
  for (let at = start; at < lines.length && !isEnd(at); at++) if (/^[-+]/.test(lines[at] ?? "")) return true;
  return false;
}

function readUncounted(lines: readonly string[], start: number, isEnd: (index: number) => boolean): HunkBody {
  const body: HunkLine[] = [];
  let next = start, solid = 0;
  for (let line = lines[next]; line !== undefined && !isEnd(next); line = lines[++next]) {
    if (isMarker(line)) {
      unend(body);
      continue;
    }
    const read = line === "" ? null : readLine(line);
    // Without a sign: a context line whose blank was lost, if signs follow; prose after the diff, if none do.
    body.push(read ?? { op: " ", text: line, ended: true });
    if (read !== null) solid = body.length;
  }
  return { lines: body.slice(0, solid), next, reliable: false };
}

function readLine(line: string): HunkLine | null {
  if (line === "" || line === "\r") return { op: " ", text: line, ended: true };
  const [op] = line;
  return op === " " || op === "-" || op === "+" ? { op, text: line.slice(1), ended: true } : null;
}

function unend(body: HunkLine[]): void {
  const last = body.pop();
  if (last !== undefined) body.push({ ...last, ended: false });
}
