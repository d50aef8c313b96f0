/** Parses shell constructs that begin with a keyword: loops, conditions, `case`, functions, `[[`. @module */
import { type ScriptReader, type ShellCommand, skipBlanks, skipSpace, take } from "./reader.ts";
import { readWord, ShellSyntaxError, skipBalanced } from "./word.ts";

/** Keywords before which and after which another command begins. */
const TRANSPARENT = new Set("! { } then else elif fi do done if while until time coproc esac in".split(" "));
const HARMLESS = new Set("! { } time".split(" "));
/** Words with which a shell begins or continues a compound command. */
export const RESERVED: ReadonlySet<string> = new Set([...TRANSPARENT, ..."case for select function".split(" ")]);

/** Reads behind a keyword. @returns By how many the `case`s around the position change. */
export function readKeyword(reader: ScriptReader, keyword: string): number {
  const { found, source } = reader;
  reader.special(keyword);
  reader.at += keyword.length;
  if (!HARMLESS.has(keyword)) found.compound = true;
  if (keyword === "time") take(reader, /[ \t]+-p(?=\s)/y);
  if (keyword === "esac") return -1;
  if (TRANSPARENT.has(keyword)) return 0;
  skipBlanks(reader);
  if (keyword === "function") {
    found.functions.add(readWord(reader).text);
    take(reader, /\s*\(\s*\)/y);
    return 0;
  }
  if (keyword !== "case" && source.startsWith("((", reader.at)) {
    skipBalanced(reader, "(", ")");
    return 0;
  }
  readWord(reader);
  skipSpace(reader);
  if (take(reader, /in(?=[\s;]|$)/y) === null) return 0;
  if (keyword === "case") return readPattern(reader) ? 0 : 1;
  for (skipBlanks(reader); !/^(?:[;\n&]|$)/.test(source.slice(reader.at, reader.at + 1)); skipBlanks(reader)) {
    const before = reader.at;
    readWord(reader);
    if (reader.at === before) throw new ShellSyntaxError(`'${source.charAt(before)}' is not understood`);
  }
  return 0;
}

/** What comes before the commands of a `case`. @returns Whether it was the end: `esac`. */
export function readPattern(reader: ScriptReader): boolean {
  skipSpace(reader);
  if (take(reader, /esac(?=[\s;&|<>()]|$)/y)) return true;
  take(reader, /\(/y);
  for (;;) {
    skipSpace(reader);
    if (take(reader, /\)/y)) return false;
    if (take(reader, /\|/y)) continue;
    const before = reader.at;
    readWord(reader);
    if (reader.at === before) throw new ShellSyntaxError("a pattern of 'case' is not closed");
  }
}

/** `[[ … ]]`, in which operators are words. */
export function readTest(reader: ScriptReader, command: ShellCommand): number {
  command.words.push({ text: "[[", literal: true, single: true });
  reader.special("[");
  for (reader.at += 2;;) {
    skipSpace(reader);
    if (reader.at >= reader.source.length) throw new ShellSyntaxError("']]' is missing");
    if (take(reader, /\]\](?=[\s;&|<>()]|$)/y)) return 0;
    const before = reader.at, word = readWord(reader);
    if (reader.at > before) command.words.push(word);
    else reader.at++;
  }
}
