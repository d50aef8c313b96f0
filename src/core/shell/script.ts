/** Splits shell source into its simple commands, including those in substitutions, loops and functions. @module */
import { readKeyword, readPattern, readTest, RESERVED } from "./keywords.ts";
import { countPart, type Found, type ScriptReader, type ShellCommand, skipBlanks, take } from "./reader.ts";
import { expansion, MAX_DEPTH, readWord, ShellSyntaxError, skipBalanced } from "./word.ts";

export type { ShellCommand } from "./reader.ts";

/** A script taken apart. */
export interface Script extends Readonly<Found> {
  /** Why it cannot be read; null when it can. */
  readonly fault: string | null;
}

const KEYWORD = /[A-Za-z!{}]+(?=[\s;&|<>()]|$)/y;
/** A longer subscript is none: looking for its end behind each bracket would take long. */
const ASSIGNMENT = /([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]\s]{0,200}\])?\+?=/y;
const OPERATOR = /&>>|&>|&&|&|\|\||\|&|\||;;&|;;|;&|;|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|[()\n]/y;
const DESCRIPTOR = /(?:[0-9]+|\{[A-Za-z_]\w*\})(?=[<>])/y;

/** Takes source apart. Never throws: what was read before a fault is kept. */
export function readScript(source: string): Script {
  const found: Found = { commands: [], functions: new Set(), compound: false, background: 0, special: "", parts: 0 };
  try {
    if (source.includes("\0")) throw new ShellSyntaxError("it contains a NUL character");
    readCommands(readerOf(source, found, 0), false);
    return { ...found, fault: null };
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    return { ...found, fault: error.message };
  }
}

function readerOf(source: string, found: Found, depth: number): ScriptReader {
  if (depth > MAX_DEPTH) throw new ShellSyntaxError("substitutions are nested too deep");
  const reader: ScriptReader = {
    source,
    found,
    depth,
    at: 0,
    ends: new Map(),
    heredocs: [],
    special: (token) => {
      if (found.special === "") found.special = token;
    },
    commands: () => readCommands(reader, true),
    backquoted: (code) => readCommands(readerOf(code, found, reader.depth), false),
  };
  return reader;
}

/** @param closes Whether a closing parenthesis ends the commands; it is consumed. */
function readCommands(reader: ScriptReader, closes: boolean): void {
  const { found, source } = reader;
  let command = begin("", reader), groups = 0, cases = 0;
  const finish = (operator: string): void => {
    const isEmpty = command.words.length + command.assignments.length + command.redirects.length === 0;
    countPart(found);
    if (!isEmpty) found.commands.push(command);
    // A line that ends in an operator goes on.
    command = begin(operator !== "\n" ? operator : isEmpty ? command.operator : ";", reader);
  };
  for (;;) {
    skipBlanks(reader);
    if (reader.at >= source.length) break;
    if (source.charAt(reader.at) === "#") {
      reader.special("#");
      take(reader, /[^\n]*/y);
      continue;
    }
    const descriptor = take(reader, DESCRIPTOR)?.[0] ?? "";
    const isSubstitution = /^[<>]\(/.test(source.slice(reader.at, reader.at + 2));
    const operator = isSubstitution ? undefined : take(reader, OPERATOR)?.[0];
    if (operator === undefined) {
      cases += readCommandWord(reader, command);
      continue;
    }
    reader.special(operator.charAt(0));
    if (/[<>]/.test(operator)) readRedirect(reader, descriptor, operator, command);
    else if (operator === "(") {
      if (openParenthesis(reader, command)) groups++;
      else command = begin(command.operator, reader);
    } else if (operator === ")") {
      finish(";");
      if (groups > 0) groups--;
      else if (closes) return;
      else throw new ShellSyntaxError("')' has no '('");
    } else if (operator.startsWith(";") && operator.length > 1) {
      finish(";");
      if (cases > 0 && readPattern(reader)) cases--;
    } else {
      if (operator === "&" && reader.depth === 0) found.background++;
      finish(operator);
      if (operator === "\n") readHeredocs(reader);
    }
  }
  finish(";");
  if (closes || groups > 0) throw new ShellSyntaxError("')' is missing");
}

const begin = (operator: string, { depth }: ScriptReader): ShellCommand => ({
  words: [],
  assignments: [],
  redirects: [],
  operator,
  nested: depth > 0,
});

/** A keyword, an assignment, or a word of the command. @returns By how many the `case`s around the position change. */
function readCommandWord(reader: ScriptReader, command: ShellCommand): number {
  const { source } = reader;
  if (command.words.length === 0) {
    KEYWORD.lastIndex = reader.at;
    const keyword = KEYWORD.exec(source)?.[0] ?? "";
    if (RESERVED.has(keyword)) return readKeyword(reader, keyword);
    const start = reader.at, name = take(reader, ASSIGNMENT)?.[1];
    if (name !== undefined) {
      const value = source.charAt(reader.at) === "(" ? readArray(reader) : readWord(reader);
      reader.special(source.slice(start, reader.at));
      command.assignments.push({ name, value: value?.literal ? value.text : null });
      return 0;
    }
    if (/^\[\[\s/.test(source.slice(reader.at, reader.at + 3))) return readTest(reader, command);
  }
  const before = reader.at, word = readWord(reader);
  if (reader.at === before) throw new ShellSyntaxError(`'${source.charAt(before)}' is not understood`);
  if (source.charAt(reader.at) === "(" && /^[A-Za-z_]\w*\+?=$/.test(word.text)) readArray(reader); // declare x=(…)
  command.words.push(word);
  return 0;
}

/** @returns Whether a group begins; else it was arithmetic, or the brackets behind a function's name. */
function openParenthesis(reader: ScriptReader, command: ShellCommand): boolean {
  const { found, source } = reader, [name] = command.words;
  if (name === undefined) {
    if (source.charAt(reader.at) !== "(") return true;
    const inner = reader.at;
    reader.at--;
    skipBalanced(reader, "(", ")");
    if (source.slice(reader.at - 2, reader.at) === "))") return false;
    reader.at = inner; // `((a); b)`: a group in a group
    return true;
  }
  if (command.words.length > 1 || !take(reader, /[ \t]*\)/y)) throw new ShellSyntaxError("'(' is not understood");
  found.functions.add(name.text);
  found.compound = true;
  return false;
}

function readRedirect(reader: ScriptReader, descriptor: string, operator: string, command: ShellCommand): void {
  countPart(reader.found);
  skipBlanks(reader);
  const before = reader.at, file = readWord(reader), written = reader.source.slice(before, reader.at);
  if (written === "") throw new ShellSyntaxError(`a file is missing behind '${operator}'`);
  if (operator === "<<" || operator === "<<-") {
    // Nothing is expanded in the word that ends the text.
    const end = written.replace(/\\(.)|["']/g, "$1");
    reader.heredocs.push({ end, tabs: operator === "<<-", quoted: /["'\\]/.test(written) });
  } else if (!operator.endsWith("&") || !/^[0-9]*-?$/.test(written)) {
    command.redirects.push({ operator: descriptor + operator, file });
  }
}

/** The texts of the here-documents of the line that has just ended; a text that is not quoted can hold substitutions. */
function readHeredocs(reader: ScriptReader): void {
  const { source } = reader;
  for (const { end, tabs, quoted } of reader.heredocs.splice(0)) {
    const start = reader.at;
    let stop = source.length;
    for (let line = start; line <= source.length;) {
      const newline = source.indexOf("\n", line), next = newline < 0 ? source.length : newline;
      const text = source.slice(line, next);
      reader.at = Math.min(source.length, next + 1);
      if ((tabs ? text.replace(/^\t+/, "") : text) === end) {
        stop = line;
        break;
      }
      if (newline < 0) break;
      line = next + 1;
    }
    if (quoted) continue;
    const body = readerOf(source.slice(start, stop), reader.found, reader.depth);
    while (body.at < body.source.length) {
      const character = body.source.charAt(body.at);
      if (character === "$" || character === "`") expansion(body);
      else body.at += character === "\\" ? 2 : 1;
    }
  }
}

function readArray(reader: ScriptReader): null {
  reader.special("(");
  skipBalanced(reader, "(", ")");
  return null;
}
