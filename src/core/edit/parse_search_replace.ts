/**
 * Parses search-and-replace blocks: a file name, `<<<<<<< SEARCH`, old lines, `=======`, new lines, `>>>>>>> REPLACE`.
 * @module
 */
import { OpsError } from "../error.ts";
import { align } from "./align.ts";
import { nameChoices } from "./diff_names.ts";
import type { FilePatch, Hunk, HunkLine } from "./hunk.ts";

const OPEN = /^<{5,9} ?SEARCH\s*$/, MIDDLE = /^={5,9}\s*$/, CLOSE = /^>{5,9} ?REPLACE\s*$/;

/** A name is no longer than a path may be. */
const MAX_NAME_CHARS = 1_000;

/** Whether the text is in this form. */
export function isSearchReplace(lines: readonly string[]): boolean {
  return lines.some((line) => OPEN.test(line)) && lines.some((line) => CLOSE.test(line));
}

/** Reads the form. @throws OpsError INVALID_ARGUMENT when a block is not closed or names no file. */
export function parseSearchReplace(lines: readonly string[]): readonly FilePatch[] {
  const files = new Map<string, { readonly diffLine: number; readonly hunks: Hunk[] }>();
  let name: string | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!OPEN.test(line)) {
      name = readFileLine(line) ?? name;
      continue;
    }
    const middle = findLine(lines, at + 1, MIDDLE), close = findLine(lines, middle + 1, CLOSE);
    if (name === null || middle < 0 || close < 0) {
      throw broken(at + 1, name === null ? "names no file" : "is not closed");
    }
    const file = files.get(name) ?? { diffLine: at + 1, hunks: [] };
    files.set(name, file);
    const body = toHunkLines(lines.slice(at + 1, middle), lines.slice(middle + 1, close));
    const place = { oldStart: null, newCount: null, reliable: false, anchors: [], atEnd: false };
    file.hunks.push({ ...place, number: file.hunks.length + 1, diffLine: at + 1, lines: body });
    at = close;
  }
  return [...files].map(([file, { diffLine, hunks }]) => {
    const names = nameChoices(file, null);
    return { action: "modify", source: names, target: names, hunks, mode: null, mayBeAbsent: true, diffLine };
  });
}

/** A line that can only be a file name: no blanks, with a slash or a dot, perhaps marked up. */
function readFileLine(line: string): string | null {
  if (line.length > MAX_NAME_CHARS) return null;
  return line.trim().match(/^(?:#+ |\*\*)?`?([^\s`*:]*[./][^\s`*:]*)`?(?:\*\*)?:?$/)?.[1] ?? null;
}

function findLine(lines: readonly string[], from: number, wanted: RegExp): number {
  return from <= 0 ? -1 : lines.findIndex((line, index) => index >= from && wanted.test(line));
}

/** Lines that both sides share become context, so that the file keeps its own. */
function toHunkLines(before: readonly string[], after: readonly string[]): readonly HunkLine[] {
  const lines: HunkLine[] = [];
  const push = (op: HunkLine["op"], texts: readonly string[]) =>
    lines.push(...texts.map((text) => ({ op, text, ended: true })));
  let x = 0, y = 0;
  for (const [pairX, pairY] of [...align(before, after), [before.length, after.length] as const]) {
    push("-", before.slice(x, pairX));
    push("+", after.slice(y, pairY));
    push(" ", before.slice(pairX, pairX + 1));
    x = pairX + 1;
    y = pairY + 1;
  }
  return lines;
}

function broken(diffLine: number, what: string): OpsError {
  const hint = "Write the file's name on its own line, then <<<<<<< SEARCH, =======, >>>>>>> REPLACE.";
  return new OpsError("INVALID_ARGUMENT", `the block at line ${diffLine} of 'diff_text' ${what}`, hint);
}
