/** Finds the lines of PEM private keys: complete or truncated, quoted or after line numbers. @module */
import type { Match } from "./formats.ts";

/** What begins every such block. */
export const KEY_START = "-----BEGIN ";

const HEADER = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const BODY = /[A-Za-z0-9+/=]{16,}/g;
const LAST = /(?:^|[^A-Za-z0-9+/=])([A-Za-z0-9+/]{2,15}={0,2})["',\\n]{0,4}\s*$/;
const BETWEEN = /^\W*(?:[^\s:]{1,200}[:-]\d+[:-])?\s*(?:[A-Za-z-]{3,20}: .*)?$/;
const END = "-----END";
/** Longer than any key; one in JSON is in one line. */
const MOST_CHARS = 32 * 1024;

/** The parts of a key that begins at a place, a match for each line so that the number of lines stays; what was looked at. */
export function findKeyLines(
  text: string,
  at: number,
): { readonly matches: readonly Match[]; readonly looked: number } {
  HEADER.lastIndex = at;
  if (!HEADER.test(text)) return { matches: [], looked: 0 };
  const start = HEADER.lastIndex, block = text.slice(start, start + MOST_CHARS), found: Match[] = [];
  let from = 0;
  while (from < block.length) {
    const newline = block.indexOf("\n", from), line = block.slice(from, newline < 0 ? block.length : newline);
    const end = line.indexOf(END), shown = end < 0 ? line : line.slice(0, end);
    const parts = bodyParts(shown, start + from, found.length > 0);
    found.push(...parts);
    from += line.length + 1;
    if (end >= 0 || newline < 0 || parts.length === 0 && !BETWEEN.test(shown)) break;
  }
  return { matches: found, looked: from };
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
