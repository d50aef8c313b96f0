/** Parses one word of shell source: quotes, escapes, expansions, patterns. @module */

/** One word with its quotes removed. */
export interface ShellWord {
  /** The value; of a word that is not literal, what precedes its first expansion. */
  readonly text: string;
  /** Whether the shell takes it as it is: no expansion, no pattern. */
  readonly literal: boolean;
  /** Whether it stays one word whatever its expansions give. */
  readonly single: boolean;
}

/** A position in shell source, and what is done with the code inside a word. */
export interface WordReader {
  readonly source: string;
  at: number;
  /** Called for each thing that only a shell can handle. */
  special(token: string): void;
  /** How many substitutions are around the position. */
  depth: number;
  /** Where brackets and expansions that were passed once end, by where they begin: none is passed twice. */
  readonly ends: Map<number, number>;
  /** Reads the commands of a substitution, up to and with its closing parenthesis. */
  commands(): void;
  /** Reads the commands between backquotes. */
  backquoted(source: string): void;
}

/** The source ends inside a quote or a substitution. */
export class ShellSyntaxError extends Error {}

const ENDS_WORD = new Set(" \t\n;&|<>()");
/** Deeper source is refused: each level takes a place on the stack. */
export const MAX_DEPTH = 64;
const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;
/** In double quotes a backslash stays where it is before every other character. */
const ESCAPED_IN_DOUBLE = new Set('$`"\\');

/** Reads the word at the reader's position, and moves behind it. @throws ShellSyntaxError */
export function readWord(reader: WordReader): ShellWord {
  const { source } = reader, start = reader.at;
  let text = "", literal = true, braces: BraceRun | null = null;
  const expand = (token: string): void => {
    literal = false;
    reader.special(token);
  };
  const add = (more: string): void => {
    if (literal) text += more;
  };
  if (source.charAt(start) === "~") {
    reader.special("~");
    add("~");
    reader.at++;
  }
  while (reader.at < source.length) {
    const character = source.charAt(reader.at), next = source.charAt(reader.at + 1);
    if (character === "\r") throw new ShellSyntaxError("it contains a carriage return outside quotes");
    if (character === "\\") {
      if (next === "") throw new ShellSyntaxError("it ends in a backslash");
      add(next === "\n" ? "" : next);
      reader.at += 2;
    } else if (character === "'") add(singleQuoted(reader));
    else if (character === '"') doubleQuoted(reader, add, expand);
    else if (character === "$" && next === "'") {
      reader.special("$");
      add(ansiQuoted(reader));
    } else if (character === "$" || character === "`") {
      expand(character);
      expansion(reader);
    } else if ((character === "<" || character === ">") && next === "(") {
      expand(character);
      reader.at += 2;
      nest(reader, () => reader.commands());
    } else if (character === "(" && reader.at > start && /[?*+@!]/.test(source.charAt(reader.at - 1))) {
      expand("(");
      skipBalanced(reader, "(", ")");
    } else if (ENDS_WORD.has(character)) break;
    else if (character === "[" && (next === "" || ENDS_WORD.has(next))) {
      reader.special("["); // the command `[`, or text: nothing closes it
      add("[");
      reader.at++;
    } else if (character === "*" || character === "?" || character === "[") {
      expand(character);
      reader.at++;
    } else if (character === "{") {
      if (braces === null || reader.at >= braces.end) braces = readBraces(source, reader.at);
      if (reader.at < braces.comma) expand(source.slice(reader.at, braces.close + 1));
      else add(character);
      reader.at++;
    } else {
      add(character);
      reader.at++;
    }
  }
  const written = source.slice(start, reader.at);
  // One pair of quotes around all of it; "$@" and "${x[@]}" become many words all the same.
  const single = literal || /^"(?:[^"\\]|\\[\s\S])*"$/.test(written) && !written.includes("@");
  return { text, literal, single };
}

/** A stretch of a word without expansions: a brace in it expands when a comma or two dots and a closing brace follow. */
interface BraceRun {
  readonly end: number;
  /** The last comma, or pair of dots, that a closing brace follows; -1 when there is none. */
  readonly comma: number;
  /** The last closing brace behind one. */
  readonly close: number;
}

/** Looks for `{a,b}` and `{1..9}`; `{}` and `HEAD@{1}` mean nothing to a shell. */
function readBraces(source: string, start: number): BraceRun {
  let at = start, last = -1, comma = -1, close = -1;
  for (; at < source.length && !ENDS_WORD.has(source.charAt(at)); at++) {
    const character = source.charAt(at);
    if (character === "\\") at++;
    else if (character === '"' || character === "'") {
      const end = source.indexOf(character, at + 1);
      if (end < 0) break;
      at = end;
    } else if (character === "," || source.startsWith("..", at)) last = at;
    else if (character === "}" && last >= 0) [comma, close] = [last, at];
  }
  return { end: at, comma, close };
}

function singleQuoted(reader: WordReader): string {
  const close = reader.source.indexOf("'", reader.at + 1);
  if (close < 0) throw new ShellSyntaxError("a single quote is not closed");
  const text = reader.source.slice(reader.at + 1, close);
  reader.at = close + 1;
  return text;
}

function doubleQuoted(reader: WordReader, add: (text: string) => void, expand: (token: string) => void): void {
  const { source } = reader;
  for (reader.at++; reader.at < source.length;) {
    const character = source.charAt(reader.at), next = source.charAt(reader.at + 1);
    if (character === '"') return void reader.at++;
    if (character === "$" || character === "`") {
      expand(character);
      expansion(reader);
    } else if (character === "\\" && (next === "\n" || ESCAPED_IN_DOUBLE.has(next))) {
      add(next === "\n" ? "" : next);
      reader.at += 2;
    } else {
      add(character);
      reader.at++;
    }
  }
  throw new ShellSyntaxError("a double quote is not closed");
}

/** `$x`, `${…}`, `$(…)`, `$((…))`, `` `…` ``; a dollar alone is text to the shell, which changes nothing here. */
export function expansion(reader: WordReader): void {
  const { source, at: start, ends } = reader, known = ends.get(start);
  if (known !== undefined) return void (reader.at = known); // its commands were read with the brackets around it
  if (source.charAt(start) !== "`" && !/[({]/.test(source.charAt(start + 1))) {
    NAME.lastIndex = start + 1;
    reader.at += 1 + (NAME.exec(source)?.[0].length ?? 0);
    return;
  }
  nest(reader, () => bracketed(reader));
  ends.set(start, reader.at);
}

function nest(reader: WordReader, read: () => void): void {
  if (++reader.depth > MAX_DEPTH) throw new ShellSyntaxError("substitutions are nested too deep");
  read();
  reader.depth--;
}

function bracketed(reader: WordReader): void {
  const { source } = reader;
  if (source.charAt(reader.at) === "`") return backquotes(reader);
  if (source.startsWith("$((", reader.at)) {
    const before = reader.at;
    reader.at++;
    skipBalanced(reader, "(", ")");
    if (source.slice(reader.at - 2, reader.at) === "))") return;
    reader.at = before; // `$((a); b)`: a subshell in a substitution
  }
  if (source.startsWith("$(", reader.at)) {
    reader.at += 2;
    return reader.commands();
  }
  reader.at++;
  skipBalanced(reader, "{", "}");
}

function backquotes(reader: WordReader): void {
  const start = ++reader.at, { source } = reader;
  for (; reader.at < source.length; reader.at++) {
    if (source.charAt(reader.at) === "\\") reader.at++;
    else if (source.charAt(reader.at) === "`") {
      const code = source.slice(start, reader.at++).replace(/\\([\\`$])/g, "$1");
      return reader.backquoted(code);
    }
  }
  throw new ShellSyntaxError("a backquote is not closed");
}

/** Moves behind the bracket that closes the one at the reader's position; what is expanded on the way is read. */
export function skipBalanced(reader: WordReader, open: string, close: string): void {
  const { source, ends } = reader, known = ends.get(reader.at), opened: number[] = [];
  if (known !== undefined) return void (reader.at = known);
  while (reader.at < source.length) {
    const character = source.charAt(reader.at);
    if (character === "\\") reader.at += 2;
    else if (character === "'" && open === "(") singleQuoted(reader);
    else if (character === '"') doubleQuoted(reader, () => {}, () => {});
    else if (character === "`" || character === "$" && /[({]/.test(source.charAt(reader.at + 1))) expansion(reader);
    else {
      if (character === open) opened.push(reader.at);
      reader.at++;
      if (character !== close) continue;
      const begin = opened.pop();
      if (begin !== undefined) ends.set(begin, reader.at);
      if (opened.length === 0) return;
    }
  }
  throw new ShellSyntaxError(`'${close}' is missing`);
}

const ANSI_ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
const ANSI_CODE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/y;

function ansiQuoted(reader: WordReader): string {
  const { source } = reader;
  let text = "";
  for (reader.at += 2; reader.at < source.length;) {
    const character = source.charAt(reader.at);
    if (character === "'") {
      reader.at++;
      return text;
    }
    ANSI_CODE.lastIndex = reader.at;
    const match = character === "\\" ? ANSI_CODE.exec(source) : null;
    text += match ? decodeAnsi(match) : character;
    reader.at += match ? match[0].length : 1;
  }
  throw new ShellSyntaxError("a quote $' is not closed");
}

function decodeAnsi([written, x, u, wide, octal, control, single]: RegExpExecArray): string {
  const hex = x ?? u ?? wide;
  if (hex !== undefined) return String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff));
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
  return single !== undefined ? ANSI_ESCAPES[single] ?? written : written;
}
