/** Holds the parser's position in shell source and what it has found so far. @module */
import { ShellSyntaxError, type ShellWord, type WordReader } from "./word.ts";

/** One simple command. */
export interface ShellCommand {
  /** Name and arguments; empty where there are only assignments or redirections. */
  readonly words: ShellWord[];
  /** Variables that it sets; the value is null when it is known only at run time. */
  readonly assignments: { readonly name: string; readonly value: string | null }[];
  /** Files that it opens; the operator with the number of the descriptor: `2>`. */
  readonly redirects: { readonly operator: string; readonly file: ShellWord }[];
  /** What joins it to the command before it: "" for the first, else `;`, `&&`, `||`, `&`, `|` or `|&`. */
  readonly operator: string;
  /** Whether it is inside a substitution. */
  readonly nested: boolean;
}

/** What was found so far. */
export interface Found {
  readonly commands: ShellCommand[];
  /** Functions that are defined. */
  readonly functions: Set<string>;
  /** Whether commands are repeated or chosen at run time: loops, conditions, functions. */
  compound: boolean;
  /** How many lists are left in the background (`&`). */
  background: number;
  /** The first thing that only a shell understands; "" when there is none. */
  special: string;
  /** How many commands, redirections and substitutions were read. */
  parts: number;
}

/** Why a script of too many parts is not read to its end. */
export const TOO_LONG = "it has too many commands";
/** Commands, redirections and substitutions of one script: enough for what is written, and read within milliseconds. */
const MAX_PARTS = 5_000;

/** Counts one more part. @throws ShellSyntaxError with {@link TOO_LONG} */
export function countPart(found: Found): void {
  if (++found.parts > MAX_PARTS) throw new ShellSyntaxError(TOO_LONG);
}

/** The position. */
export interface ScriptReader extends WordReader {
  readonly found: Found;
  /** Here-documents whose text begins on the next line. */
  heredocs: { readonly end: string; readonly tabs: boolean; readonly quoted: boolean }[];
}

/** Matches a sticky pattern at the position and moves behind it. */
export function take(reader: ScriptReader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.source);
  if (match) reader.at += match[0].length;
  return match;
}

export const skipBlanks = (reader: ScriptReader): unknown => take(reader, /(?:[ \t]|\\\n)+/y);
export const skipSpace = (reader: ScriptReader): unknown => take(reader, /(?:\s|\\\n|#[^\n]*)+/y);
