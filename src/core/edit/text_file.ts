/**
 * Decodes a text file so that it encodes back to exactly the same bytes: encoding, BOM and invalid bytes are kept.
 * @module
 */
import { encodeText, joinBytes } from "../bytes.ts";
import {
  isOlder,
  isWide,
  type KnownEncoding,
  makeDecoder,
  type OlderEncoding,
  titleOf,
  type WideEncoding,
} from "../encodings.ts";
import { OpsError } from "../error.ts";
import { makeOlderEncoder, type OlderEncoder, Unstorable } from "../older_encoder.ts";
import { byteOrderMark, type EncodingDetector, MIN_CHARACTERS_PER_STRAY, textKind } from "../text_kind.ts";

/**
 * How a file's bytes map to text. `mixed` is UTF-8 with bytes in between that are not: cut sequences, or an encoding that
 * was not recognised. Each such byte is one lone surrogate U+DC80..U+DCFF in the text, which no valid file can contain.
 */
export type FileEncoding = KnownEncoding | "mixed";

/** A decoded file. */
export interface FileText {
  /** Without the byte order mark, line ends as they are. */
  readonly text: string;
  readonly encoding: FileEncoding;
  readonly bom: boolean;
  /** Of an older encoding. */
  readonly encoder?: OlderEncoder;
}

/** What is known of a file besides its bytes. */
export interface DecodeHints {
  /** Asked about what is not UTF-8. */
  readonly detect?: EncodingDetector;
  /** What the caller says it is; a byte order mark says more. */
  readonly encoding?: KnownEncoding | undefined;
}

/** Like git: a NUL this early makes a file binary. */
const BINARY_PROBE_BYTES = 8_000;
const STRAY_BASE = 0xdc00;
/** In `u` mode this never matches the half of a pair. */
const STRAY = /[\u{dc80}-\u{dcff}]+/gu;

/**
 * Decodes a file for editing.
 *
 * @param name How the error names the file.
 * @throws OpsError INVALID_ARGUMENT for binary files, and UTF-16 or UTF-32 that is not well formed.
 */
export function decodeFile(bytes: Uint8Array, name: string, { detect, encoding }: DecodeHints = {}): FileText {
  const mark = byteOrderMark(bytes), bom = mark !== null, body = bytes.subarray(mark?.bomBytes ?? 0);
  const wide = bom && mark.encoding !== "utf-8"
    ? mark.encoding
    : encoding !== undefined && isWide(encoding)
    ? encoding
    : null;
  if (wide !== null) return { text: decodeWide(body, wide, name), encoding: wide, bom };
  if (encoding !== undefined && isOlder(encoding)) return decodeOlder(body, encoding);
  const probed = bytes.subarray(0, BINARY_PROBE_BYTES);
  if (probed.includes(0)) {
    const kind = textKind(probed, { isWhole: probed.length === bytes.length });
    if (!kind.text || !isWide(kind.encoding)) throw notText(name, "is binary");
    return { text: decodeWide(body, kind.encoding, name), encoding: kind.encoding, bom };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body), encoding: "utf-8", bom };
  } catch {
    const mixed: FileText = { text: decodeMixed(body), encoding: "mixed", bom };
    if (encoding === "utf-8") return { ...mixed, encoding: "utf-8" };
    const older = bom || isMostlyUtf8(mixed.text) ? null : detect?.(body) ?? null;
    return older === null ? mixed : decodeOlder(body, older);
  }
}

/**
 * The bytes of a text: the exact inverse of {@link decodeFile}.
 *
 * @throws Unstorable for a character that an older encoding does not have.
 */
export function encodeFile({ text, encoding, bom, encoder }: FileText): Uint8Array {
  if (isWide(encoding)) return encodeWide(text, encoding, bom);
  const body = encodeStrays(text, isOlder(encoding) ? encoder ?? makeOlderEncoder(encoding) : UTF8);
  return bom ? joinBytes([Uint8Array.of(0xef, 0xbb, 0xbf), body]) : body;
}

/** @throws OpsError INVALID_ARGUMENT that names the character which a file's encoding does not have. */
export function requireStorable({ encoding, encoder }: Omit<FileText, "text">, insert: string, name: string): void {
  if (encoding === "mixed" || !isOlder(encoding)) return;
  try {
    encodeStrays(insert, encoder ?? makeOlderEncoder(encoding));
  } catch (error) {
    if (!(error instanceof Unstorable)) throw error;
    const code = error.character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    throw new OpsError(
      "INVALID_ARGUMENT",
      `${name} is ${titleOf(encoding)} text, which cannot store '${error.character}' (U+${code})`,
      "Write it without that character, or rewrite the whole file with encoding 'utf-8'.",
    );
  }
}

/** Whether what a text has beyond ASCII is UTF-8 but for a few bytes. */
export function isMostlyUtf8(text: string): boolean {
  const characters = text.match(/[\u{80}-\u{dc7f}\u{dd00}-\u{10ffff}]/gu)?.length ?? 0;
  const strays = [...text.matchAll(STRAY)].reduce((sum, [run]) => sum + straySequences(run).length, 0);
  return characters >= MIN_CHARACTERS_PER_STRAY * strays;
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
    "Text edits work on UTF-8, UTF-16, UTF-32 and older encodings.",
  );
}

function decodeWide(bytes: Uint8Array, encoding: WideEncoding, name: string): string {
  const text = makeDecoder(encoding).decode(bytes);
  const back = encodeWide(text, encoding, false);
  if (back.length === bytes.length && back.every((byte, at) => byte === bytes[at])) return text;
  throw notText(name, `is ${encoding.startsWith("utf-16") ? "UTF-16" : "UTF-32"} and not well formed`);
}

function encodeWide(text: string, encoding: WideEncoding, bom: boolean): Uint8Array {
  const isLittle = encoding.endsWith("le"), marked = bom ? `\ufeff${text}` : text;
  if (encoding.startsWith("utf-16")) {
    const view = new DataView(new ArrayBuffer(marked.length * 2));
    for (let at = 0; at < marked.length; at++) view.setUint16(at * 2, marked.charCodeAt(at), isLittle);
    return new Uint8Array(view.buffer);
  }
  const points = Array.from(marked, (character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(points.length * 4));
  points.forEach((point, at) => view.setUint32(at * 4, point, isLittle));
  return new Uint8Array(view.buffer);
}

/** Lines that do not encode back to their bytes keep these as stray ones; a line feed is part of no other character. */
function decodeOlder(bytes: Uint8Array, encoding: OlderEncoding): FileText {
  const encoder = makeOlderEncoder(encoding), decoder = makeDecoder(encoding);
  const text = decoder.decode(bytes);
  if (isSame(text, bytes, encoder)) return { text, encoding, bom: false, encoder };
  const parts: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(10, start), end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end), decoded = decoder.decode(line);
    parts.push(isSame(decoded, line, encoder) ? decoded : Array.from(line, strayOrAscii).join(""));
    start = end;
  }
  return { text: parts.join(""), encoding, bom: false, encoder };
}

function strayOrAscii(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : strayByte(byte);
}

function isSame(text: string, bytes: Uint8Array, encoder: OlderEncoder): boolean {
  try {
    const back = encoder.encode(text);
    return back.length === bytes.length && back.every((byte, at) => byte === bytes[at]);
  } catch {
    return false;
  }
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

const UTF8: OlderEncoder = { encode: encodeText };

function encodeStrays(text: string, encoder: OlderEncoder): Uint8Array {
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
