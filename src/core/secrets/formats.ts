/** Lists the formats of known secrets, from the rules of secretlint and others. @module */
import { type FormatSource, MORE_FORMATS } from "./more_formats.ts";
import ruleSet from "./rule_set.json" with { type: "json" };

/** A format that can be tried at a place. */
export interface Format extends FormatSource {
  readonly regexp: RegExp;
}

/** Where a secret is, and what its format is called. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Longest secret that is known by its format. */
const WINDOW = 8_192;
/** What a pattern may look at before the place. */
const BEFORE = 16;
const LEAST_SECRET = 16;
const WORD = /[\w+/=.~:-]*/y;

/** All formats, compiled. */
export function readFormats(): readonly Format[] {
  return [...ruleSet, ...MORE_FORMATS].map((source) => ({
    ...source,
    regexp: new RegExp(source.pattern, `${source.flags}y`),
  }));
}

/** Tries a format at the place of one of its anchors; a pattern never sees more than the window. */
export function matchFormat(text: string, at: number, { name, regexp }: Format): Match | null {
  const from = Math.max(0, at - BEFORE);
  regexp.lastIndex = at - from;
  const [whole, ...groups] = regexp.exec(text.slice(from, at + WINDOW)) ?? [];
  if (whole === undefined) return null;
  const value = groups.find((group) => group !== undefined && group.length >= LEAST_SECRET) ?? whole;
  const start = at + whole.lastIndexOf(value);
  return { start, end: start + value.length, name };
}

/** The end of the word that begins at a place, within the window. */
export function wordEnd(text: string, at: number): number {
  WORD.lastIndex = 0;
  const [word = ""] = WORD.exec(text.slice(at, at + WINDOW)) ?? [];
  return at + word.length;
}
