/** Expands the alternatives of a glob: braces, and the extended forms `@(…)`, `?(…)` and `!(…)`. @module */
import { OpsError } from "./error.ts";

/** Patterns without alternatives: a text fits the glob when it fits one of `any` and none of `none`. */
export interface Alternatives {
  readonly any: readonly string[];
  readonly none: readonly string[];
}

const MAX_ALTERNATIVES = 512;
const RANGE = /^(?:(-?\d{1,6})\.\.(-?\d{1,6})|([A-Za-z])\.\.([A-Za-z]))$/;

/** Expands them. @throws OpsError INVALID_ARGUMENT where there are too many, or for a repetition `+(…)` or `*(…)` */
export function expandAlternatives(glob: string): Alternatives {
  const any: string[] = [], none: string[] = [];
  expand(glob, any, none);
  return { any, none };
}

function expand(glob: string, any: string[], none: string[]): void {
  const group = firstGroup(glob);
  if (group === null) return add(any, glob);
  const { before, kind, parts, after } = group;
  if (kind === "!") {
    // What fits with anything in that place, but not with one of the parts.
    expand(`${before}*${after}`, any, none);
    for (const part of parts) expand(`${before}${part}${after}`, none, []);
    return;
  }
  for (const part of kind === "?" ? ["", ...parts] : parts) expand(`${before}${part}${after}`, any, none);
}

function add(list: string[], glob: string): void {
  if (list.length >= MAX_ALTERNATIVES) {
    throw new OpsError(
      "INVALID_ARGUMENT",
      `the glob has more than ${MAX_ALTERNATIVES} alternatives`,
      "Use a simpler glob.",
    );
  }
  list.push(glob);
}

interface Group {
  readonly before: string;
  readonly kind: "{" | "@" | "?" | "!";
  readonly parts: readonly string[];
  readonly after: string;
}

/** The first group that is closed; null where there is none. Escaped characters and classes are passed over. */
function firstGroup(glob: string): Group | null {
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? "";
    if (character === "\\") at++;
    else if (character === "[") at = Math.max(at, glob.indexOf("]", at + 2));
    else if (character === "{") {
      const closed = splitGroup(glob, at, "{", "}", ",");
      const parts = closed && closed.parts.length === 1 ? rangeOf(closed.parts[0] ?? "") : closed?.parts;
      if (closed && parts) return { before: glob.slice(0, at), kind: "{", parts, after: glob.slice(closed.end + 1) };
    } else if (glob[at + 1] === "(" && /[@?!+*]/.test(character)) {
      const closed = splitGroup(glob, at + 1, "(", ")", "|");
      if (!closed) continue;
      if (character !== "@" && character !== "?" && character !== "!") {
        const hint = "Use * or @(a|b) instead.";
        throw new OpsError("INVALID_ARGUMENT", `the glob repeats a group: ${character}(…) is not supported`, hint);
      }
      return { before: glob.slice(0, at), kind: character, parts: closed.parts, after: glob.slice(closed.end + 1) };
    }
  }
  return null;
}

function splitGroup(glob: string, open: number, opener: string, closer: string, separator: string) {
  const parts: string[] = [];
  let depth = 0, from = open + 1;
  for (let at = open; at < glob.length; at++) {
    const character = glob[at];
    if (character === "\\") at++;
    else if (character === opener) depth++;
    else if (character === closer && --depth === 0) return { parts: [...parts, glob.slice(from, at)], end: at };
    else if (character === separator && depth === 1) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
  }
  return null;
}

/** `{1..9}` and `{a..f}`; null for braces that hold neither a list nor a range, which are literal. */
function rangeOf(text: string): string[] | null {
  const match = RANGE.exec(text);
  if (!match) return null;
  const [, fromNumber, toNumber, fromLetter = "", toLetter = ""] = match;
  const isNumber = fromNumber !== undefined;
  const from = isNumber ? Number(fromNumber) : fromLetter.charCodeAt(0);
  const to = isNumber ? Number(toNumber) : toLetter.charCodeAt(0);
  const count = Math.min(Math.abs(to - from) + 1, MAX_ALTERNATIVES + 1), step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => {
    const value = from + index * step;
    return isNumber ? `${value}` : String.fromCharCode(value);
  });
}
