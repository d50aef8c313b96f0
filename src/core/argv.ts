/**
 * Splits a command line into words as a POSIX shell would, or reports the character that only a shell can handle.
 * @module
 */

/** A command line taken apart. */
export type Split =
  /** Plain: these are the arguments, quotes removed. */
  | { readonly kind: "plain"; readonly words: readonly string[] }
  /** Only a shell can run it, because this means something to a shell. */
  | { readonly kind: "shell"; readonly token: string }
  /** No shell would accept it. */
  | { readonly kind: "broken"; readonly reason: string };

/** One word of shell source with its quotes removed. */
export interface ShellWord {
  /** The value; of a word that is not literal, what stands before its first expansion. */
  readonly text: string;
  /** Whether the shell takes it as it stands: no expansion, no pattern. */
  readonly literal: boolean;
  /** Whether it stays one word whatever its expansions give. */
  readonly single: boolean;
}

/** Operators, expansions and patterns, wherever they stand outside quotes. */
const SPECIAL = new Set(";&|<>()$`\n*?[");
/** Special at the start of a word only, so that `HEAD~1` and `a#b` stay plain. */
const SPECIAL_AT_START = new Set("~#");
/** `{a,b}` and `{1..9}`; `{}` and `HEAD@{1}` mean nothing to a shell. */
const BRACE_EXPANSION = /\{(?:[^\s{}"'\\]|\\.|"[^"]*"|'[^']*'|\{[^\s{}]*\})*(?:,|\.\.)[^\s]*\}/y;
/** In double quotes a backslash stays where it is before every other character. */
const ESCAPED_IN_DOUBLE = new Set('$`"\\');
const BLANK = new Set(" \t");
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** First words with which a shell begins a compound command. */
const RESERVED = new Set(
  ("! { } if then elif else fi case esac for select while until do done in function time coproc").split(" "),
);

/** One step of reading: the value of a character or of a quoted part, or why reading stops. */
type Part =
  | { readonly text: string; readonly end: number }
  | { readonly special: string; readonly text: string }
  | { readonly broken: string };

/** Splits a command line. Nothing is expanded; a line that needs a shell is not split at all. */
export function splitCommand(line: string): Split {
  if (line.includes("\0")) return { kind: "broken", reason: "it contains a NUL character" };
  const source = line.replace(/^[ \t\r\n]+/, "").replace(/[\r\n]+$/, "");
  const words: string[] = [];
  for (let index = 0; index < source.length;) {
    const blank = blankAt(source, index);
    if (blank > 0) {
      index += blank;
      continue;
    }
    const word = readWord(source, index, false);
    if ("broken" in word) return { kind: "broken", reason: word.broken };
    if ("special" in word) return { kind: "shell", token: word.special };
    const written = source.slice(index, word.end);
    if (words.length === 0 && (RESERVED.has(written) || ASSIGNMENT.test(written))) {
      return { kind: "shell", token: written };
    }
    words.push(word.text);
    index = word.end;
  }
  return words.length > 0 ? { kind: "plain", words } : { kind: "broken", reason: "it is empty" };
}

/** Reads one word that a parser of shell source has already delimited. A leading `~` stays: it names a home directory. */
export function readShellWord(source: string): ShellWord {
  const tilde = source.startsWith("~") ? "~" : "";
  const word = readWord(source, tilde.length, true);
  if ("broken" in word) return { text: "", literal: false, single: false };
  const literal = "end" in word && word.end === source.length;
  // One pair of quotes around all of it; "$@" and "${x[@]}" become many words all the same.
  const single = literal || /^"(?:[^"\\]|\\[\s\S])*"$/.test(source) && !source.includes("@");
  return { text: tilde + word.text, literal, single };
}

/** Length of what separates words at `index`: a blank, or a line that goes on. */
function blankAt(source: string, index: number): number {
  if (BLANK.has(source.charAt(index))) return 1;
  return source.startsWith("\\\n", index) ? 2 : 0;
}

/** @param ansi Whether `$'…'` is read as quotes, as bash does and POSIX does not. */
function readWord(source: string, start: number, ansi: boolean): Part {
  let text = "", index = start;
  while (index < source.length && !BLANK.has(source.charAt(index))) {
    const part = readPart(source, index, index === start, ansi);
    if ("broken" in part) return part;
    text += part.text;
    if ("special" in part) return { special: part.special, text };
    index = part.end;
  }
  return { text, end: index };
}

function readPart(source: string, index: number, atStart: boolean, ansi: boolean): Part {
  const character = source.charAt(index);
  const special = (token: string): Part => ({ special: token, text: "" });
  switch (character) {
    case "\\":
      if (index + 1 >= source.length) return { broken: "it ends in a backslash" };
      return { text: source.charAt(index + 1).replace("\n", ""), end: index + 2 };
    case "'": {
      const close = source.indexOf("'", index + 1);
      if (close < 0) return { broken: "a single quote is not closed" };
      return { text: source.slice(index + 1, close), end: close + 1 };
    }
    case '"':
      return readDoubleQuoted(source, index + 1);
    case "\r":
      return { broken: "it holds a carriage return outside quotes" };
    case "{": {
      BRACE_EXPANSION.lastIndex = index;
      const match = BRACE_EXPANSION.exec(source);
      return match ? special(match[0]) : { text: character, end: index + 1 };
    }
    case "$":
      if (ansi && source.charAt(index + 1) === "'") return readAnsiQuoted(source, index + 2);
  }
  if (SPECIAL.has(character) || atStart && SPECIAL_AT_START.has(character)) return special(character);
  return { text: character, end: index + 1 };
}

function readDoubleQuoted(source: string, start: number): Part {
  let text = "";
  for (let index = start; index < source.length; index++) {
    const character = source.charAt(index), next = source.charAt(index + 1);
    if (character === '"') return { text, end: index + 1 };
    if (character === "$" || character === "`") return { special: character, text };
    if (character === "\\" && next === "\n") index++;
    else if (character === "\\" && ESCAPED_IN_DOUBLE.has(next)) {
      text += next;
      index++;
    } else text += character;
  }
  return { broken: "a double quote is not closed" };
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

function readAnsiQuoted(source: string, start: number): Part {
  let text = "";
  for (let index = start; index < source.length;) {
    const character = source.charAt(index);
    if (character === "'") return { text, end: index + 1 };
    if (character !== "\\") {
      text += character;
      index++;
      continue;
    }
    ANSI_CODE.lastIndex = index;
    const match = ANSI_CODE.exec(source);
    if (!match) break;
    text += decodeAnsi(match);
    index = ANSI_CODE.lastIndex;
  }
  return { broken: "a quote $' is not closed" };
}

function decodeAnsi([written, x, u, wide, octal, control, single]: RegExpExecArray): string {
  const hex = x ?? u ?? wide;
  if (hex !== undefined) return String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff));
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
  if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
  return single !== undefined ? ANSI_ESCAPES[single] ?? written : written;
}
