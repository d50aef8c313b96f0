/** Escapes file names: bytes that are not UTF-8 stay distinguishable, and every name fits on one line. @module */

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes that are not UTF-8 stand as this plus the byte: lone surrogates, which no valid name contains. */
const RAW = 0xdc00;

/** A name from its bytes, without loss. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    return decodeMixed(bytes);
  }
}

function decodeMixed(bytes: Uint8Array): string {
  let name = "";
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    name += length === 0 ? String.fromCharCode(RAW + (bytes[at] ?? 0)) : STRICT.decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return name;
}

/** Bytes of the UTF-8 sequence at `at`; 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  try {
    STRICT.decode(bytes.subarray(at, at + length));
    return at + length <= bytes.length ? length : 0;
  } catch {
    return 0;
  }
}

/** What would break a row or could be read as another name: controls, separators, direction marks, edge blanks. */
const AMBIGUOUS =
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"\\]|^\s|\s$|\s\s| -> |^[[\u2026]|^\d+[:-]/;

/** Most paths by far, told in one cheap look: a listing asks for a hundred thousand. */
const PLAIN = /^[A-Za-z_.][\w./+@=,-]*$/;

const UNSHOWABLE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A name or path on one line, unambiguous: as it is where that is safe, else quoted and escaped like JSON. Bytes that
 * are not UTF-8 appear as `\xNN`, which JSON has no way to say.
 */
export function showName(name: string): string {
  if (PLAIN.test(name) || name !== "" && !AMBIGUOUS.test(name) && name.isWellFormed()) return name;
  return JSON.stringify(name)
    .replace(/(?<!\\)((?:\\\\)*)\\udc([89a-f][0-9a-f])/g, "$1\\x$2")
    .replace(UNSHOWABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A name for a JSON result: JSON escapes it by itself, unless it has bytes that JSON cannot carry. */
export function wireName(name: string): string {
  return name.isWellFormed() ? name : showName(name);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * The path that {@link showName} wrote, where it has bytes that are not UTF-8; null for every other text. Quotes may
 * stand around the whole or around single names, or be missing.
 */
export function readShownPath(text: string): string | null {
  return /\\x[89a-f][0-9a-f]/.test(text) ? withoutQuotes(text, text.includes('"')) : null;
}

/** The path that {@link showName} quoted, as a whole or name by name; null for every other text. */
export function readQuotedPath(text: string): string | null {
  const isQuoted = text.includes('"') && readShownPath(text) === null;
  return isQuoted ? withoutQuotes(text, true) : null;
}

function withoutQuotes(text: string, isQuoted: boolean): string {
  return text.split("/").map((part) => part.replace(/^"|"$/g, "")).join("/").replace(
    /\\x([89a-f][0-9a-f])|\\u([0-9a-f]{4})|\\(.)/g,
    (all, byte?: string, unit?: string, letter?: string) => {
      if (byte !== undefined) return String.fromCharCode(RAW + parseInt(byte, 16));
      if (!isQuoted) return all;
      return unit === undefined ? ESCAPES[letter ?? ""] ?? letter ?? "" : String.fromCharCode(parseInt(unit, 16));
    },
  );
}
