/** Detects text, its encoding and its line endings from the first bytes of a file. @module */
import { encodeText } from "./bytes.ts";
import { type Encoding, type KnownEncoding, makeDecoder, type OlderEncoding, type WideEncoding } from "./encodings.ts";
import { wideWithoutMark } from "./wide_text.ts";

/** How lines end; `mixed` splits at line feeds. */
export type LineEnds = "lf" | "crlf" | "cr" | "mixed";

/** What a file holds. */
export type TextKind =
  | { readonly text: true; readonly encoding: Encoding; readonly bomBytes: number; readonly lineEnds: LineEnds }
  | { readonly text: false; readonly type: string };

/** Recognises an older encoding; null for bytes that are in none, or may be in several. */
export type EncodingDetector = (bytes: Uint8Array) => OlderEncoding | null;

/** Share of bytes that may be invalid UTF-8 in what is still shown as text, if its encoding is not known. */
const MAX_INVALID_SHARE = 0.3;
/** Share of control characters that no text has. */
const MAX_CONTROL_SHARE = 0.1;

/** Characters of UTF-8 for each invalid sequence: fewer are chance, as two bytes of an older encoding may form one. */
export const MIN_CHARACTERS_PER_STRAY = 4;

/** What is known of a file besides its bytes. */
export interface KindHints {
  /** Whether the bytes are all there is, so that their end cannot be the middle of a character. */
  readonly isWhole: boolean;
  /** Asked about what is not UTF-8. */
  readonly detect?: EncodingDetector;
  /** What the caller says it is; a byte order mark says more. */
  readonly encoding?: KnownEncoding | undefined;
}

/** Looks at the start of a file. @param head The first bytes, 64 KiB of them when there are as many. */
export function textKind(head: Uint8Array, { isWhole, detect, encoding: named }: KindHints): TextKind {
  const bom = byteOrderMark(head);
  const wide = bom !== null && bom.encoding !== "utf-8" ? bom : null;
  if (wide !== null) return { text: true, ...wide, lineEnds: decodedLineEnds(head, wide.encoding) };
  if (named !== undefined && named !== "utf-8") {
    return { text: true, encoding: named, bomBytes: 0, lineEnds: decodedLineEnds(head, named) };
  }
  const type = magicType(head);
  if (type !== null) return { text: false, type };
  if (head.includes(0)) {
    const wide = wideWithoutMark(head, () => isUtf8WithNuls(head, isWhole));
    if (wide === null) return { text: false, type: "application/octet-stream" };
    return { text: true, encoding: wide, bomBytes: 0, lineEnds: decodedLineEnds(head, wide) };
  }
  const { invalid, valid, control } = oddities(head, isWhole);
  const isOlder = invalid > 0 && valid < MIN_CHARACTERS_PER_STRAY * invalid && named === undefined;
  const older = isOlder && control <= head.length * MAX_CONTROL_SHARE ? detect?.(head) ?? null : null;
  const isForeign = invalid > head.length * MAX_INVALID_SHARE && control > 0; // no encoding of text needs these
  if (older === null && (isForeign || control > head.length * MAX_CONTROL_SHARE)) {
    return { text: false, type: "application/octet-stream" };
  }
  return {
    text: true,
    encoding: older ?? (invalid > 0 ? "8-bit" : "utf-8"),
    bomBytes: bom?.bomBytes ?? 0,
    lineEnds: lineEndsOf(head),
  };
}

/** Whether a file is text but for some NULs: a log that was cut, a source with one in a string. */
export function isTextWithNuls(head: Uint8Array, isWhole: boolean): boolean {
  if (magicType(head) !== null) return false;
  const rest = head.filter((byte) => byte !== 0);
  return rest.length === 0 || textKind(rest, { isWhole }).text;
}

function isUtf8WithNuls(head: Uint8Array, isWhole: boolean): boolean {
  const rest = textKind(head.filter((byte) => byte !== 0), { isWhole });
  return rest.text && rest.encoding === "utf-8";
}

/** The encoding that a byte order mark names. */
export function byteOrderMark(
  head: Uint8Array,
): { readonly encoding: "utf-8" | WideEncoding; readonly bomBytes: number } | null {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { encoding: "utf-32le", bomBytes: 4 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: "utf-32be", bomBytes: 4 };
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", bomBytes: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", bomBytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bomBytes: 2 };
  return null;
}

/** Counts sequences beyond ASCII that are UTF-8, bytes that are not, and control characters that text does not use. */
function oddities(head: Uint8Array, isWhole: boolean): { invalid: number; valid: number; control: number } {
  let invalid = 0, valid = 0, control = 0;
  for (let at = 0; at < head.length;) {
    const byte = head[at] ?? 0;
    if (byte < 0x80) {
      if (byte < 0x20 && (byte < 7 || byte > 13) && byte !== 0x1b) control++;
      at++;
      continue;
    }
    const length = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    let good = 1;
    while (good < length && ((head[at + good] ?? 0) & 0xc0) === 0x80) good++;
    if (good === length) {
      valid++;
      at += length;
    } else if (length > 0 && at + good >= head.length && !isWhole) break; // cut in the middle of a character
    else {
      invalid++;
      at++;
    }
  }
  return { invalid, valid, control };
}

function lineEndsOf(head: Uint8Array): LineEnds {
  let pairs = 0, feeds = 0, returns = 0;
  for (let at = head.indexOf(13); at >= 0; at = head.indexOf(13, at + 1)) {
    if (head[at + 1] === 10) pairs++;
    else if (at + 1 < head.length) returns++;
  }
  if (pairs + returns === 0) return "lf";
  for (let at = 0; at < head.length; at++) if (head[at] === 10) feeds++;
  if (feeds === 0) return returns > 0 ? "cr" : "lf";
  return pairs === feeds && returns === 0 ? "crlf" : "mixed";
}

function decodedLineEnds(head: Uint8Array, encoding: Encoding): LineEnds {
  return lineEndsOf(encodeText(makeDecoder(encoding).decode(head)));
}

const MAGIC: readonly (readonly [string, string, number?])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF8", "image/gif"],
  ["WEBP", "image/webp", 8],
  ["%PDF-", "application/pdf"],
  ["PK\x03\x04", "application/zip"],
  ["PK\x05\x06", "application/zip"],
  ["\x1f\x8b", "application/gzip"],
  ["BZh", "application/x-bzip2"],
  ["\xfd7zXZ\0", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["ustar", "application/x-tar", 257],
  ["\x7fELF", "application/x-elf"],
  ["\0asm", "application/wasm"],
  ["\xca\xfe\xba\xbe", "application/java-vm"],
  ["SQLite format 3\0", "application/vnd.sqlite3"],
  ["OggS", "audio/ogg"],
  ["ID3", "audio/mpeg"],
  ["fLaC", "audio/flac"],
  ["ftyp", "video/mp4", 4],
  ["wOF2", "font/woff2"],
  ["wOFF", "font/woff"],
];

/** Media type of a binary file that its first bytes give away; null for everything else. */
function magicType(head: Uint8Array): string | null {
  for (const [magic, type, at = 0] of MAGIC) {
    if (isAt(head, magic, at) && (head.includes(0) || !isAscii(magic) || type === "application/pdf")) return type;
  }
  return null;
}

function isAt(head: Uint8Array, magic: string, at: number): boolean {
  for (let index = 0; index < magic.length; index++) if (head[at + index] !== magic.charCodeAt(index)) return false;
  return true;
}

/** A text may well begin with letters such as `BZh`: those count only where a NUL shows that it is none. */
function isAscii(magic: string): boolean {
  return /^[ -~]+$/.test(magic);
}
