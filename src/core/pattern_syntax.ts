/** Parses regular expression syntax into a tree, and rejects what cannot be matched in linear time. @module */
import { OpsError } from "./error.ts";

/** Whether a character (its code point) belongs to a class. */
export type CharacterTest = (code: number) => boolean;

/** A place between two characters. */
export type Assertion = "start" | "end" | "word" | "notWord";

/** A pattern as a tree. */
export type Pattern =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "assertion"; readonly what: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly parts: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly part: Pattern; readonly min: number; readonly max: number };

const MAX_PATTERN = 500, MAX_REPEAT = 1_000;
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };

/** Letters of ASCII, digits and the underscore. */
export function isWord(code: number): boolean {
  return code >= 48 && code <= 57 || code >= 65 && code <= 90 || code === 95 || code >= 97 && code <= 122;
}

const isDigit: CharacterTest = (code) => code >= 48 && code <= 57;
const isSpace: CharacterTest = (code) =>
  code === 32 || code >= 9 && code <= 13 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
const not = (test: CharacterTest): CharacterTest => (code) => !test(code);
const CLASSES: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};

/** What is wrong with a pattern. */
export function patternFault(reason: string): OpsError {
  const hint = "Use a plain regular expression, without look-around and back-references.";
  return new OpsError("INVALID_ARGUMENT", `unsupported pattern: ${reason}`, hint);
}

/** Reads a pattern. `(?i)` at its start ignores case. @throws OpsError INVALID_ARGUMENT */
export function readPatternTree(source: string): Pattern {
  if (source.length > MAX_PATTERN) throw patternFault(`it is longer than ${MAX_PATTERN} characters`);
  const ignoreCase = source.startsWith("(?i)");
  const reader: Reader = { characters: [...source.slice(ignoreCase ? 4 : 0)], at: 0, ignoreCase };
  const pattern = readChoice(reader);
  if (reader.at < reader.characters.length) throw patternFault("a ')' has no '('");
  return pattern;
}

interface Reader {
  readonly characters: readonly string[];
  readonly ignoreCase: boolean;
  at: number;
}

const peek = (reader: Reader): string | undefined => reader.characters[reader.at];

function take(reader: Reader, text: string): boolean {
  const letters = [...text];
  if (letters.some((letter, index) => reader.characters[reader.at + index] !== letter)) return false;
  reader.at += letters.length;
  return true;
}

function readChoice(reader: Reader): Pattern {
  const parts = [readSequence(reader)];
  while (take(reader, "|")) parts.push(readSequence(reader));
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: "choice", parts };
}

function readSequence(reader: Reader): Pattern {
  const parts: Pattern[] = [];
  for (let next = peek(reader); next !== undefined && next !== "|" && next !== ")"; next = peek(reader)) {
    parts.push(readRepeats(reader, readAtom(reader)));
  }
  return { kind: "sequence", parts };
}

function readRepeats(reader: Reader, part: Pattern): Pattern {
  const bounds = readBounds(reader);
  if (bounds === null) return part;
  if (part.kind === "assertion") throw patternFault("an anchor cannot be repeated");
  take(reader, "?"); // lazy or not makes no difference to whether it matches
  if (readBounds(reader) !== null) throw patternFault("two quantifiers follow each other");
  return { kind: "repeat", part, ...bounds };
}

function readBounds(reader: Reader): { min: number; max: number } | null {
  if (take(reader, "*")) return { min: 0, max: Infinity };
  if (take(reader, "+")) return { min: 1, max: Infinity };
  if (take(reader, "?")) return { min: 0, max: 1 };
  const match = reader.characters.slice(reader.at, reader.at + 12).join("").match(/^\{(\d+)(,?)(\d*)\}/);
  if (!match) return null;
  reader.at += match[0].length;
  const min = Number(match[1]), max = match[2] === "" ? min : match[3] === "" ? Infinity : Number(match[3]);
  if (max < min) throw patternFault("a range is out of order");
  if (min > MAX_REPEAT || max !== Infinity && max > MAX_REPEAT) {
    throw patternFault(`it repeats more than ${MAX_REPEAT} times`);
  }
  return { min, max };
}

function readAtom(reader: Reader): Pattern {
  const character = peek(reader) ?? "";
  reader.at++;
  switch (character) {
    case "(":
      return readGroup(reader);
    case "[":
      return single(readClass(reader), reader);
    case ".":
      return single((code) => code !== 10 && code !== 13, reader);
    case "^":
      return { kind: "assertion", what: "start" };
    case "$":
      return { kind: "assertion", what: "end" };
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
      throw patternFault(`there is nothing to repeat before '${character}'`);
    default:
      return single(isCode(character.codePointAt(0) ?? 0), reader);
  }
}

function readGroup(reader: Reader): Pattern {
  if (take(reader, "?")) {
    const named = take(reader, "<") && peek(reader) !== "=" && peek(reader) !== "!";
    if (named) {
      while (peek(reader) !== undefined && peek(reader) !== ">") reader.at++;
      reader.at++;
    } else if (!take(reader, ":")) throw patternFault("look-around is not supported");
  }
  const body = readChoice(reader);
  if (!take(reader, ")")) throw patternFault("a '(' is not closed");
  return body;
}

function readEscape(reader: Reader): Pattern {
  const character = peek(reader);
  if (character === "b" || character === "B") {
    reader.at++;
    return { kind: "assertion", what: character === "b" ? "word" : "notWord" };
  }
  if (character !== undefined && /[1-9k]/.test(character)) throw patternFault("back-references are not supported");
  const escaped = readEscaped(reader);
  return single(typeof escaped === "number" ? isCode(escaped) : escaped, reader);
}

/** What stands after a backslash, inside or outside a class: a class of characters, or the code of one. */
function readEscaped(reader: Reader): CharacterTest | number {
  const character = peek(reader);
  if (character === undefined) throw patternFault("it ends in a backslash");
  reader.at++;
  const test = CLASSES[character];
  if (test) return test;
  if (character === "x" || character === "u") return readHex(reader, character === "x" ? 2 : 4);
  if (character === "c") throw patternFault("control escapes are not supported");
  return ESCAPES[character] ?? character.codePointAt(0) ?? 0;
}

function readHex(reader: Reader, length: number): number {
  const braces = take(reader, "{");
  const digits: string[] = [];
  for (
    let next = peek(reader);
    next !== undefined && /[0-9a-fA-F]/.test(next) && (braces || digits.length < length);
    next = peek(reader)
  ) {
    digits.push(next);
    reader.at++;
  }
  if (digits.length === 0 || braces && !take(reader, "}") || !braces && digits.length < length) {
    throw patternFault("a character code is incomplete");
  }
  return parseInt(digits.join(""), 16);
}

function readClass(reader: Reader): CharacterTest {
  const negated = take(reader, "^");
  const tests: CharacterTest[] = [];
  for (let first = true; first || peek(reader) !== "]"; first = false) {
    if (peek(reader) === undefined) throw patternFault("a '[' is not closed");
    if (first && peek(reader) === "]") break;
    tests.push(readClassItem(reader));
  }
  reader.at++;
  const any: CharacterTest = (code) => tests.some((test) => test(code));
  return negated ? not(any) : any;
}

function readClassItem(reader: Reader): CharacterTest {
  const from = readClassCode(reader);
  if (typeof from !== "number") return from;
  const next = reader.characters[reader.at + 1];
  if (peek(reader) !== "-" || next === "]" || next === undefined) return isCode(from);
  reader.at++;
  const to = readClassCode(reader);
  if (typeof to !== "number" || to < from) throw patternFault("a range in a class is out of order");
  return (code) => code >= from && code <= to;
}

function readClassCode(reader: Reader): number | CharacterTest {
  const character = peek(reader) ?? "";
  reader.at++;
  if (character !== "\\") return character.codePointAt(0) ?? 0;
  return take(reader, "b") ? 8 : readEscaped(reader);
}

function isCode(code: number): CharacterTest {
  return (other) => other === code;
}

function single(test: CharacterTest, { ignoreCase }: Reader): Pattern {
  if (!ignoreCase) return { kind: "character", test };
  const inCase = (code: number, change: "toLowerCase" | "toUpperCase"): number =>
    String.fromCodePoint(code)[change]().codePointAt(0) ?? 0;
  return {
    kind: "character",
    test: (code) => test(code) || test(inCase(code, "toLowerCase")) || test(inCase(code, "toUpperCase")),
  };
}
