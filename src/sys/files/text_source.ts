/** Streams a file as UTF-8, whatever its encoding, from any offset. @module */
import { isOlder, isWide as isWideEncoding, type KnownEncoding, makeDecoder } from "../../core/encodings.ts";
import { type TextKind, textKind } from "../../core/text_kind.ts";
import { detectEncoding } from "./detect_encoding.ts";
import type { OpenFile } from "./open_file.ts";
import { makePacer } from "../pacer.ts";
import type { RegularFile } from "./open_regular.ts";

/** Text as it was recognised. */
export type Text = Extract<TextKind, { text: true }>;

const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** The first bytes of a file: 64 KiB, or all there are. */
export interface Head {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
  readonly kind: TextKind;
}

/** Reads the first bytes and recognises what they are. @param encoding What the caller says it is. */
export function readHead(
  { file, sizeBytes }: Pick<RegularFile, "file" | "sizeBytes">,
  encoding?: KnownEncoding,
): Head {
  const block = new Uint8Array(HEAD_BYTES);
  const bytes = block.subarray(0, fill(file, block, sizeBytes));
  const isWhole = bytes.length < HEAD_BYTES;
  return { bytes, isWhole, kind: textKind(bytes, { isWhole, detect: detectEncoding, encoding }) };
}

/**
 * Fills a buffer as far as the file goes; returns the number of bytes.
 *
 * @param sizeBytes Where the file ended when it was opened: there no read is spent on being told so. Some file systems
 * give 0 for files that hold something.
 */
function fill(file: OpenFile, into: Uint8Array, sizeBytes: number): number {
  let filled = 0;
  while (filled < into.length && (filled < sizeBytes || filled === 0)) {
    const count = file.readSync(into.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return filled;
}

/** Whether line ends cannot be found byte by byte. */
export function isWide({ encoding }: Text): boolean {
  return isWideEncoding(encoding);
}

/** Whether the bytes are not those of UTF-8, so that text is made of them before it is shown. */
export function isDecoded({ encoding }: Pick<Text, "encoding">): boolean {
  return isWideEncoding(encoding) || isOlder(encoding);
}

/**
 * The text as UTF-8 without its byte order mark. A chunk is valid until the next one is asked for.
 *
 * @param position First byte; past the start only in encodings that are not wide.
 * @throws the reason of `signal` when that aborts.
 */
export async function* utf8From(
  { file, sizeBytes }: RegularFile,
  head: Head,
  text: Text,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const decoder = isDecoded(text) ? makeDecoder(text.encoding) : null;
  const encoder = new TextEncoder();
  const utf8 = (bytes: Uint8Array<ArrayBuffer>) =>
    decoder ? encoder.encode(decoder.decode(bytes, { stream: true })) : bytes;
  const { bytes, isWhole } = head;
  if (position < bytes.length) yield utf8(bytes.subarray(Math.max(position, text.bomBytes)));
  if (!isWhole || bytes.length < sizeBytes) { // saves the read that would only say that this is the end
    await file.seek(Math.max(position, bytes.length));
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let count = await file.read(chunk); count !== null; count = await file.read(chunk)) {
      signal.throwIfAborted();
      yield utf8(chunk.subarray(0, count));
    }
  }
  const rest = decoder?.decode(new Uint8Array()) ?? "";
  if (rest !== "") yield encoder.encode(rest); // a character that was cut
}

/**
 * Where the last lines of a file begin, found from behind.
 *
 * @param lines How many.
 * @returns Position of the first of them; 0 when the file has no more than these.
 */
export async function findFromEnd(
  { file, sizeBytes }: RegularFile,
  lines: number,
  separator: number,
  signal: AbortSignal,
): Promise<number> {
  const block = new Uint8Array(HEAD_BYTES), pacer = makePacer(signal);
  let missing = lines;
  for (let end = sizeBytes; end > 0;) {
    await pacer();
    const from = Math.max(0, end - block.length);
    await file.seek(from);
    const bytes = block.subarray(0, fill(file, block.subarray(0, end - from), end - from));
    // The separator that ends the file starts no line.
    for (let at = bytes.length - (end === sizeBytes ? 2 : 1); at >= 0; at--) {
      if (bytes[at] === separator && --missing === 0) return from + at + 1;
    }
    end = from;
  }
  return 0;
}
