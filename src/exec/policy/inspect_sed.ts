/** Reads sed scripts far enough to find the commands that run programs or touch files. @module */

/** What a script does besides editing text. */
export interface SedScript {
  /** `e`, and `s///e`: runs a command. */
  readonly runs: boolean;
  /** `r`, `R`, `w`, `W`, `s///w`: files that are read or written. */
  readonly files: readonly string[];
  /** Only `p`, `q`, `d`, `=` and line numbers: it cannot do more than show. */
  readonly showsOnly: boolean;
}

/**
 * Reads a script; null when it cannot be understood.
 *
 * Implementations differ in whether a delimiter between brackets ends an expression: what either reading finds counts.
 */
export function readSedScript(script: string): SedScript | null {
  if (/^[0-9$,;~+\spqd=!Q]*$/.test(script)) return { runs: false, files: [], showsOnly: true };
  const readings = [true, false].flatMap((brackets) => readAs(script, brackets) ?? []);
  if (readings.length === 0) return null;
  return {
    runs: readings.some(({ runs }) => runs),
    files: [...new Set(readings.flatMap(({ files }) => files))],
    showsOnly: false,
  };
}

function readAs(script: string, brackets: boolean): Reader | null {
  const reader: Reader = { script, brackets, at: 0, runs: false, files: [] };
  while (skipBlank(reader)) {
    if (!readAddresses(reader) || !readCommand(reader)) return null;
  }
  return reader;
}

interface Reader {
  readonly script: string;
  readonly brackets: boolean;
  at: number;
  runs: boolean;
  readonly files: string[];
}

const peek = (reader: Reader): string => reader.script.charAt(reader.at);

/** Moves over blanks and separators; false at the end. */
function skipBlank(reader: Reader): boolean {
  while (/[\s;]/.test(peek(reader))) reader.at++;
  return reader.at < reader.script.length;
}

/** `1`, `$`, `1~2`, `/re/I`, `\,re,`, two of them with a comma, and `!`. */
function readAddresses(reader: Reader): boolean {
  for (let count = 0; count < 2; count++) {
    const start = peek(reader);
    if (start === "/" || start === "\\") {
      if (start === "\\") reader.at++;
      if (readDelimited(reader) === null) return false;
      while (/[IM]/.test(peek(reader))) reader.at++;
    } else {
      while (/[0-9$~+]/.test(peek(reader))) reader.at++;
    }
    while (/[ \t]/.test(peek(reader))) reader.at++;
    if (peek(reader) !== ",") break;
    reader.at++;
    while (/[ \t]/.test(peek(reader))) reader.at++;
  }
  while (/[ \t!]/.test(peek(reader))) reader.at++;
  return true;
}

/** From a delimiter to its next unescaped occurrence; leaves the position after it. */
function readDelimited(reader: Reader, isPattern = true): string | null {
  const delimiter = peek(reader);
  if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return null;
  const start = ++reader.at;
  for (let inBracket = false; reader.at < reader.script.length; reader.at++) {
    const character = peek(reader);
    if (character === "\\") reader.at++;
    else if (inBracket) inBracket = character !== "]";
    else if (character === delimiter) return reader.script.slice(start, reader.at++);
    else if (isPattern && reader.brackets && character === "[") inBracket = true;
  }
  return null;
}

function readCommand(reader: Reader): boolean {
  const command = peek(reader);
  reader.at++;
  switch (command) {
    case "": // an address without a command: sed itself refuses it
      return false;
    case "#":
      readLine(reader);
      return true;
    case "s":
      return readSubstitute(reader);
    case "y":
      return readPair(reader) !== null;
    case "e":
      reader.runs = true;
      readLine(reader);
      return true;
    case "r":
    case "R":
    case "w":
    case "W":
      reader.files.push(readLine(reader).trim());
      return true;
    case "a":
    case "i":
    case "c":
      readText(reader);
      return true;
    case ":":
    case "b":
    case "t":
    case "T":
    case "v":
      while (!/[;\n}]/.test(peek(reader)) && reader.at < reader.script.length) reader.at++;
      return true;
    case "{":
    case "}":
      return true;
    default:
      if (!/[=dDgGhHlnNpPqQxFz]/.test(command)) return false;
      while (/[0-9 \t]/.test(peek(reader))) reader.at++;
      return true;
  }
}

function readLine(reader: Reader): string {
  const end = reader.script.indexOf("\n", reader.at);
  const line = reader.script.slice(reader.at, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.script.length : end;
  return line;
}

/** Text goes on while lines end in a backslash. */
function readText(reader: Reader): void {
  for (;;) {
    const line = readLine(reader);
    if (!line.endsWith("\\") || reader.at >= reader.script.length) return;
    reader.at++;
  }
}

function readPair(reader: Reader): true | null {
  const delimiter = peek(reader);
  if (readDelimited(reader) === null) return null;
  reader.at--; // the middle delimiter begins the second half
  return peek(reader) === delimiter && readDelimited(reader, false) !== null ? true : null;
}

function readSubstitute(reader: Reader): boolean {
  if (readPair(reader) === null) return false;
  for (; reader.at < reader.script.length; reader.at++) {
    const flag = peek(reader);
    if (flag === "e") reader.runs = true;
    else if (flag === "w") {
      reader.at++;
      reader.files.push(readLine(reader).trim());
      return true;
    } else if (!/[0-9gpimIM]/.test(flag)) return true;
  }
  return true;
}
