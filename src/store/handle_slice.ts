/** Cuts the requested part of a payload: bounded, and never through a character. @module */
import { LineScanner, type LineWindow } from "../core/line_scanner.ts";
import type { RandomAccess } from "../sys/files/blob_files.ts";
import type { HandleRange, HandleSlice } from "./handles.ts";
import { findTail, type LineIndex, type LinePosition, skipLines } from "./line_index.ts";
import { splitCharacter } from "./utf8_border.ts";

/** The part of a {@link HandleSlice} that comes from the payload. */
export type Slice = Omit<HandleSlice, "unit" | "stale" | "kind" | "meta">;

/** No slice is longer. */
const SLICE_BYTES = 1024 * 1024;
/** Up to this size the first read counts all lines. */
const COUNT_BYTES = 64 * 1024 * 1024;
/** Bounds the memory of one read: lines are cut at some 2,000 characters. */
const MAX_LINES = 10_000;
const BLOCK_BYTES = 64 * 1024;
const LONGEST_CHARACTER = 4;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

async function readRange(access: RandomAccess, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, end - start));
  return bytes.subarray(0, await access.read(start, bytes));
}

/** Bytes of the payload; both ends move to the nearest character border. */
export async function sliceBytes(access: RandomAccess, { offset, limit }: HandleRange): Promise<Slice> {
  const size = access.sizeBytes;
  const from = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
  const to = Math.min(size, from + Math.min(limit, SLICE_BYTES));
  const base = Math.max(0, from - LONGEST_CHARACTER);
  const bytes = await readRange(access, base, Math.min(size, to + LONGEST_CHARACTER));
  const start = splitCharacter(bytes, from - base).start;
  const last = splitCharacter(bytes, to - base);
  const end = Math.min(bytes.length, last.start > start || to === from ? last.start : last.end);
  return {
    content: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
    offset: base + start,
    returned: Math.max(0, end - start),
    total: size,
    more: base + end < size,
    startByte: base + start,
    endByte: base + end,
    cutLines: 0,
  };
}

/** Lines of the payload, as the tools show them. */
export async function sliceLines(
  access: RandomAccess,
  index: LineIndex,
  { offset, limit, maxTokens = Infinity }: HandleRange,
  signal?: AbortSignal,
): Promise<Slice> {
  if (access.sizeBytes <= COUNT_BYTES) await index.locate(access, Infinity, signal);
  const start = await locateStart(access, index, offset, signal);
  const window = { from: 0, count: Math.min(limit, MAX_LINES), maxTokens, separator: index.separator };
  const scanner = await scanLines(access, start.byte, window, signal);
  const lines = scanner.lines.slice(0, fitting(scanner.lines));
  const endByte = start.line < 0
    ? (await skipLines(access, index.separator, start.byte, lines.length, signal)).byte
    : (await index.locate(access, start.line + lines.length, signal)).byte;
  return {
    content: lines.join("\n"),
    offset: start.line,
    returned: lines.length,
    total: index.total,
    more: endByte < access.sizeBytes,
    startByte: start.byte,
    endByte,
    cutLines: scanner.cutLines,
  };
}

/** How many of the lines fit a slice; the first does, because it was cut. */
function fitting(lines: readonly string[]): number {
  let room = SLICE_BYTES;
  for (const [index, line] of lines.entries()) {
    room -= 3 * line.length + 1; // no UTF-16 unit takes more bytes
    if (room < 0 && index > 0) return index;
  }
  return lines.length;
}

/** The start of the first line asked for; `line` stays negative when the lines were not counted. */
async function locateStart(
  access: RandomAccess,
  index: LineIndex,
  offset: number,
  signal?: AbortSignal,
): Promise<LinePosition> {
  if (offset >= 0) return await index.locate(access, offset, signal);
  if (index.total !== null) return await index.locate(access, Math.max(0, index.total + offset), signal);
  const byte = await findTail(access, index.separator, -offset, signal);
  return { line: byte === 0 ? 0 : offset, byte };
}

async function scanLines(
  access: RandomAccess,
  startByte: number,
  window: LineWindow,
  signal?: AbortSignal,
): Promise<LineScanner> {
  const scanner = new LineScanner(window);
  const block = new Uint8Array(BLOCK_BYTES);
  for (let byte = startByte; !scanner.hasMore;) {
    signal?.throwIfAborted();
    const count = await access.read(byte, block);
    const skipped = byte === 0 && startsWithByteOrderMark(block.subarray(0, count)) ? BYTE_ORDER_MARK.length : 0;
    scanner.push(block.subarray(skipped, count));
    byte += count;
    if (count < block.length) {
      scanner.end();
      break;
    }
  }
  return scanner;
}

function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
}
