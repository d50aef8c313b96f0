/**
 * Parses the `*** Begin Patch` format: `*** Update File:` sections, and hunks by `@@` context without line numbers.
 * @module
 */
import { OpsError } from "../error.ts";
import { nameChoices } from "./diff_names.ts";
import { type FilePatch, type Hunk, readHunkBody, readHunkHeader } from "./hunk.ts";

const FILE_LINE = /^\*\*\* (Add|Update|Delete) File: ?(.*)$/;
const MOVE_LINE = /^\*\*\* Move to: ?(.*)$/;

/** Whether the text is in this form. */
export function isEnvelope(lines: readonly string[]): boolean {
  return lines.some((line) => FILE_LINE.test(line.trimEnd()));
}

/** Reads the form. @throws OpsError INVALID_ARGUMENT when a file is not named. */
export function parseEnvelope(lines: readonly string[]): readonly FilePatch[] {
  const patches: FilePatch[] = [];
  for (let at = 0; at < lines.length;) {
    const { 1: verb, 2: written = "" } = lines[at]?.trimEnd().match(FILE_LINE) ?? [];
    if (verb === undefined) {
      at++;
      continue;
    }
    const name = written.trim().replace(/^`(.*)`$/, "$1");
    if (name === "") throw new OpsError("INVALID_ARGUMENT", `line ${at + 1} of 'diff_text' names no file`);
    const { patch, next } = readFile(lines, at, verb, nameChoices(name, null));
    patches.push(patch);
    at = next;
  }
  return patches;
}

function readFile(
  lines: readonly string[],
  start: number,
  verb: string,
  names: readonly string[],
): { readonly patch: FilePatch; readonly next: number } {
  const shared = { mode: null, mayBeAbsent: false, diffLine: start + 1 };
  if (verb === "Delete") {
    return { patch: { ...shared, action: "delete", source: names, target: names, hunks: [] }, next: start + 1 };
  }
  if (verb === "Add") {
    const { hunk, next } = readNewFile(lines, start + 1);
    return { patch: { ...shared, action: "create", source: [], target: names, hunks: [hunk] }, next };
  }
  const moved = lines[start + 1]?.trimEnd().match(MOVE_LINE)?.[1]?.trim();
  const { hunks, next } = readHunks(lines, moved === undefined ? start + 1 : start + 2);
  const target = moved === undefined || moved === "" ? names : nameChoices(moved, null);
  return { patch: { ...shared, action: target === names ? "modify" : "rename", source: names, target, hunks }, next };
}

function readNewFile(lines: readonly string[], start: number): { readonly hunk: Hunk; readonly next: number } {
  const isEnd = (index: number) => isSectionEnd(lines[index] ?? "") || isFileEnd(lines[index]);
  const body = readHunkBody(lines, start, null, isEnd);
  // Without a single sign the lines are the file itself.
  const signed = body.lines.some(({ op }) => op === "+");
  const raw = lines.slice(start, body.next);
  while (raw.at(-1) === "") raw.pop();
  const content = signed ? body.lines.map(({ text }) => text) : raw;
  const plus = content.map((text) => ({ op: "+" as const, text, ended: true }));
  return { hunk: { ...NO_HEADER, number: 1, diffLine: start + 1, lines: plus }, next: body.next };
}

const NO_HEADER = { oldStart: null, newCount: null, reliable: false, anchors: [], atEnd: false } as const;

function readHunks(
  lines: readonly string[],
  start: number,
): { readonly hunks: readonly Hunk[]; readonly next: number } {
  const hunks: Hunk[] = [];
  let at = start, anchors: string[] = [], oldStart: number | null = null;
  while (at < lines.length && !isSectionEnd(lines[at] ?? "")) {
    const line = lines[at] ?? "";
    const header = readHunkHeader(line);
    if (header !== null) {
      if (header.anchor !== "") anchors.push(header.anchor);
      oldStart = header.oldStart ?? oldStart;
      at++;
      continue;
    }
    if (/^(?:---|\+\+\+) [ab]\//.test(line) && hunks.length === 0) { // headers of the other form, put in by mistake
      at++;
      continue;
    }
    const isEnd = (index: number) =>
      isSectionEnd(lines[index] ?? "") || readHunkHeader(lines[index] ?? "") !== null || isFileEnd(lines[index]);
    const body = readHunkBody(lines, at, null, isEnd);
    const atEnd = isFileEnd(lines[body.next]);
    const hunk = {
      ...NO_HEADER,
      number: hunks.length + 1,
      diffLine: at + 1,
      oldStart,
      anchors,
      atEnd,
      lines: body.lines,
    };
    if (hunk.lines.some(({ op }) => op !== " ")) hunks.push(hunk);
    at = atEnd ? body.next + 1 : Math.max(body.next, at + 1);
    anchors = [];
    oldStart = null;
  }
  return { hunks, next: at };
}

function isFileEnd(line: string | undefined): boolean {
  return line !== undefined && /^\*\*\* End of File\s*$/.test(line);
}

function isSectionEnd(line: string): boolean {
  return /^\*\*\* (?:End Patch|Begin Patch|(?:Add|Update|Delete) File:)/.test(line) || /^```\s*$/.test(line);
}
