/** Finds the lines of PEM private keys: complete or truncated, quoted or after line numbers. @module */
import type { Match } from "./formats.ts";

/** What begins every such block. */
export const KEY_START = "-----BEGIN ";

const HEADER = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const BODY = /[A-Za-z0-9+/=]{16,}/g;
const LAST = /(?:^|[^A-Za-z0-9+/=])([A-Za-z0-9+/]{2,15}={0,2})["',\\n]{0,4}\s*$/;
const BETWEEN = /^\W*(?:[^\s:]{1,200}[:-]\d+[:-])?\s*(?:[A-Za-z-]{3,20}: .*)?$/;
const END = "-----END";
const MOST_LINES = 600, MOST_LINE_CHARS = 64 * 1024;

/** The parts of a key that begins at a place: a match for each line, so that the number of lines stays. */
export function findKeyLines(text: string, at: number): readonly Match[] {
  HEADER.lastIndex = at;
  if (!HEADER.test(text)) return [];
  const found: Match[] = [];
  let from = HEADER.lastIndex;
  for (let lines = 0; lines < MOST_LINES && from < text.length; lines++) {
    const newline = text.indexOf("\n", from);
    const lineEnd = Math.min(newline < 0 ? text.length : newline, from + MOST_LINE_CHARS);
    const line = text.slice(from, lineEnd), endMark = line.indexOf(END);
    const shown = endMark < 0 ? line : line.slice(0, endMark), parts = bodyParts(shown, from, found.length > 0);
    found.push(...parts);
    if (endMark >= 0 || newline < 0) break;
    if (parts.length === 0 && !BETWEEN.test(shown)) break;
    from = lineEnd + 1;
  }
  return found;
}

function bodyParts(line: string, offset: number, isInside: boolean): Match[] {
  const match = (start: number, length: number): Match => ({
    start: offset + start,
    end: offset + start + length,
    name: "PRIVATE_KEY",
  });
  const whole = [...line.matchAll(BODY)].map(({ index, 0: { length } }) => match(index, length));
  if (whole.length > 0 || !isInside) return whole;
  const last = LAST.exec(line), value = last?.[1];
  return last && value !== undefined ? [match(last.index + last[0].indexOf(value), value.length)] : [];
}
