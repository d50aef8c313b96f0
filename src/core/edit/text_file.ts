/**
 * Decodes a text file so that it encodes back to exactly the same bytes: encoding, BOM and invalid bytes are kept.
 * @module
 */
import { encodeText, joinBytes } from "../bytes.ts";
import { OpsError } from "../error.ts";

/**
 * How a file's bytes map to text. `mixed` is UTF-8 with bytes in between that are not: Latin-1 files, cut sequences.
 * Each such byte is one lone surrogate U+DC80..U+DCFF in the text, which no valid file can contain.
 */
export type FileEncoding = "utf-8" | "utf-16le" | "utf-16be" | "mixed";

/** A decoded file. */
export interface FileText {
  /** Without the byte order mark, line ends as they are. */
  readonly text: string;
  readonly encoding: FileEncoding;
  readonly bom: boolean;
}

/** Like git: a NUL this early makes a file binary. */
const BINARY_PROBE_BYTES = 8_000;
const STRAY_BASE = 0xdc00;
/** In `u` mode this never matches the half of a pair. */
const STRAY = /[\u{dc80}-\u{dcff}]+/gu;

const starts = (bytes: Uint8Array, ...mark: number[]) => mark.every((byte, at) => bytes[at] === byte);

/**
 * Decodes a file for editing.
 *
 * @param name How the error names the file.
 * @throws OpsError INVALID_ARGUMENT for binary files, UTF-32, and UTF-16 that is not well formed.
 */
export function decodeFile(bytes: Uint8Array, name: string): FileText {
  if (starts(bytes, 0xff, 0xfe, 0, 0) || starts(bytes, 0, 0, 0xfe, 0xff)) throw notText(name, "is UTF-32 text");
  if (starts(bytes, 0xff, 0xfe)) return decodeWide(bytes, "utf-16le", name);
  if (starts(bytes, 0xfe, 0xff)) return decodeWide(bytes, "utf-16be", name);
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    throw notText(name, "is binary, or UTF-16 without a byte order mark");
  }
  const bom = starts(bytes, 0xef, 0xbb, 0xbf);
  const body = bom ? bytes.subarray(3) : bytes;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body), encoding: "utf-8", bom };
  } catch {
    return { text: decodeMixed(body), encoding: "mixed", bom };
  }
}

/** The bytes of a text: the exact inverse of {@link decodeFile}. */
export function encodeFile({ text, encoding, bom }: FileText): Uint8Array {
  if (encoding === "utf-16le" || encoding === "utf-16be") return encodeWide(text, encoding);
  const body = encoding === "mixed" ? encodeMixed(text) : encodeText(text);
  return bom ? joinBytes([Uint8Array.of(0xef, 0xbb, 0xbf), body]) : body;
}

/** The text as a reader is shown it: every stray sequence is one U+FFFD, as a streaming decoder would print it. */
export function shownText(text: string): string {
  return text.replace(STRAY, (run) => "\ufffd".repeat(straySequences(run).length));
}

/** Cuts a run of stray bytes into the sequences that a reader sees as one U+FFFD each. */
export function straySequences(run: string): readonly string[] {
  const bytes = Uint8Array.from(run, (unit) => unit.charCodeAt(0) - STRAY_BASE);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const { length } = sequenceAt(bytes, at);
    parts.push(run.slice(at, at + length));
    at += length;
  }
  return parts;
}

/** The stray form of one byte from 0x80. */
export function strayByte(byte: number): string {
  return String.fromCharCode(STRAY_BASE + byte);
}

function notText(name: string, what: string): OpsError {
  return new OpsError(
    "INVALID_ARGUMENT",
    `${name} ${what}`,
    "Text edits work on UTF-8, Latin-1 and marked UTF-16 files.",
  );
}

function decodeWide(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be", name: string): FileText {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(2));
    return { text, encoding, bom: true };
  } catch {
    throw notText(name, "is marked as UTF-16 but is not well formed");
  }
}

function encodeWide(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  const little = encoding === "utf-16le";
  view.setUint16(0, 0xfeff, little);
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), little);
  return bytes;
}

/**
 * Length of the sequence at `at`: a valid character, or the longest start of one that a decoder replaces as a unit.
 * Ranges are those of the Unicode standard, table 3-7.
 */
function sequenceAt(bytes: Uint8Array, at: number): { readonly length: number; readonly valid: boolean } {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return { length: 1, valid: true };
  const following = lead >= 0xc2 && lead <= 0xdf
    ? 1
    : lead >= 0xe0 && lead <= 0xef
    ? 2
    : lead >= 0xf0 && lead <= 0xf4
    ? 3
    : 0;
  let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  let length = 1;
  for (; length <= following; length++, low = 0x80, high = 0xbf) {
    const byte = bytes[at + length] ?? 0;
    if (byte < low || byte > high) return { length, valid: false };
  }
  return { length, valid: following > 0 };
}

function decodeMixed(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const { length, valid } = sequenceAt(bytes, at);
    if (!valid) {
      parts.push(decoder.decode(bytes.subarray(start, at)));
      for (const byte of bytes.subarray(at, at + length)) parts.push(strayByte(byte));
      start = at + length;
    }
    at += length;
  }
  parts.push(decoder.decode(bytes.subarray(start)));
  return parts.join("");
}

function encodeMixed(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let start = 0;
  for (const { 0: run, index } of text.matchAll(STRAY)) {
    parts.push(encoder.encode(text.slice(start, index)));
    parts.push(Uint8Array.from(run, (unit) => unit.charCodeAt(0) - STRAY_BASE));
    start = index + run.length;
  }
  parts.push(encoder.encode(text.slice(start)));
  return joinBytes(parts);
}
