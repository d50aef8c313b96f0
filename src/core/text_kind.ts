/** Detects text, its encoding and its line endings from the first bytes of a file. @module */
import { encodeText } from "./bytes.ts";

/** How a text is encoded; `8-bit` is some older encoding that is not UTF-8, shown with U+FFFD where it differs. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "8-bit";

/** How lines end; `mixed` splits at line feeds. */
export type LineEnds = "lf" | "crlf" | "cr" | "mixed";

/** What a file holds. */
export type TextKind =
  | { readonly text: true; readonly encoding: Encoding; readonly bomBytes: number; readonly lineEnds: LineEnds }
  | { readonly text: false; readonly type: string };

/** Share of bytes that may be invalid UTF-8 in what is still shown as text. */
const MAX_INVALID_SHARE = 0.3;
/** Share of control characters that no text has. */
const MAX_CONTROL_SHARE = 0.1;

/**
 * Looks at the start of a file.
 *
 * @param head The first bytes, 64 KiB of them when there are as many.
 * @param isWhole Whether `head` is all there is, so that its end cannot be the middle of a character.
 */
export function textKind(head: Uint8Array, isWhole: boolean): TextKind {
  const bom = byteOrderMark(head);
  if (bom !== null && bom.encoding !== "utf-8") {
    return { text: true, ...bom, lineEnds: wideLineEnds(head, bom.encoding) };
  }
  const type = magicType(head);
  if (type !== null) return { text: false, type };
  if (head.includes(0)) return { text: false, type: "application/octet-stream" };
  const { invalid, control } = oddities(head, isWhole);
  if (invalid > head.length * MAX_INVALID_SHARE || control > head.length * MAX_CONTROL_SHARE) {
    return { text: false, type: "application/octet-stream" };
  }
  return {
    text: true,
    encoding: invalid > 0 ? "8-bit" : "utf-8",
    bomBytes: bom?.bomBytes ?? 0,
    lineEnds: lineEndsOf(head),
  };
}

/** Whether a file is text but for some NULs: a log that was cut, a source with one in a string. */
export function isTextWithNuls(head: Uint8Array, isWhole: boolean): boolean {
  if (magicType(head) !== null) return false;
  const rest = head.filter((byte) => byte !== 0);
  return rest.length === 0 || textKind(rest, isWhole).text;
}

function byteOrderMark(head: Uint8Array): { encoding: Encoding; bomBytes: number } | null {
  const [a, b, c] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", bomBytes: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", bomBytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bomBytes: 2 };
  return null;
}

/** Counts bytes that are not UTF-8 and control characters that text does not use. */
function oddities(head: Uint8Array, isWhole: boolean): { invalid: number; control: number } {
  let invalid = 0, control = 0;
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
    if (good === length) at += length;
    else if (length > 0 && at + good >= head.length && !isWhole) break; // cut in the middle of a character
    else {
      invalid++;
      at++;
    }
  }
  return { invalid, control };
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

function wideLineEnds(head: Uint8Array, encoding: Encoding): LineEnds {
  const text = new TextDecoder(encoding).decode(head);
  return lineEndsOf(encodeText(text));
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
