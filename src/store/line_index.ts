/** Sparse index of line offsets in a large payload, bounded in memory. @module */
import type { RandomAccess } from "../sys/files/blob_files.ts";

/** The byte that ends a line: line feed, or carriage return where a payload has nothing else. */
export type Separator = 10 | 13;

const BLOCK_BYTES = 256 * 1024;
const FIRST_STRIDE = 64;
/** 32 KiB of numbers for one handle; then every second mark goes and the stride doubles. */
const MAX_MARKS = 4_096;

/** The start of a line. */
export interface LinePosition {
  readonly line: number;
  readonly byte: number;
}

/** What is known of a payload's lines; grows as the payload is read. */
export interface LineIndex {
  readonly separator: Separator;
  /** Lines in the whole; null until the end was seen. */
  readonly total: number | null;
  /**
   * The start of a line, or the end of the payload when it has no such line: `line` is then the number of lines.
   * Reads from the nearest known place on.
   */
  locate(access: RandomAccess, line: number, signal?: AbortSignal): Promise<LinePosition>;
}

/** Counts the lines of a payload: a final separator ends the last line, it does not start another. */
export function countLines(bytes: Uint8Array, separator: Separator): number {
  let lines = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== separator ? lines + 1 : lines;
}

/** Goes `count` lines on from the start of a line, or to the end: an unfinished last line counts as one. */
export async function skipLines(
  access: RandomAccess,
  separator: Separator,
  from: number,
  count: number,
  signal?: AbortSignal,
): Promise<{ readonly lines: number; readonly byte: number }> {
  const buffer = new Uint8Array(BLOCK_BYTES);
  let lines = 0, byte = from, unfinished = false;
  while (lines < count) {
    signal?.throwIfAborted();
    const length = await access.read(byte, buffer);
    if (length === 0) break;
    const block = buffer.subarray(0, length);
    let at = block.indexOf(separator);
    while (at >= 0 && ++lines < count) at = block.indexOf(separator, at + 1);
    unfinished = block.at(-1) !== separator;
    byte += at >= 0 ? at + 1 : length;
  }
  return { lines: lines < count && unfinished ? lines + 1 : lines, byte };
}

/** Where the last `count` lines start, found from the end; 0 when there are not more. */
export async function findTail(
  access: RandomAccess,
  separator: Separator,
  count: number,
  signal?: AbortSignal,
): Promise<number> {
  const lastBefore = (at: number): number => at < 0 ? -1 : buffer.lastIndexOf(separator, at);
  const buffer = new Uint8Array(BLOCK_BYTES);
  let missing = count, end = access.sizeBytes;
  let ignoreFinal = true; // a separator at the very end ends the last line
  while (end > 0) {
    signal?.throwIfAborted();
    const start = Math.max(0, end - BLOCK_BYTES);
    const length = await access.read(start, buffer.subarray(0, end - start));
    let at = length - (ignoreFinal ? 2 : 1);
    ignoreFinal = false;
    for (at = lastBefore(at); at >= 0; at = lastBefore(at - 1)) {
      if (--missing === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** An index that knows nothing yet. */
export function makeLineIndex(separator: Separator): LineIndex {
  let marks: number[] = [0];
  let stride = FIRST_STRIDE;
  let scannedBytes = 0;
  let scannedLines = 0;
  let endsInSeparator = true;
  let total: number | null = null;

  const note = (lineStart: number): void => {
    scannedLines++;
    if (scannedLines % stride !== 0) return;
    marks.push(lineStart);
    if (marks.length < MAX_MARKS) return;
    marks = marks.filter((_, index) => index % 2 === 0);
    stride *= 2;
  };

  const learn = (block: Uint8Array): void => {
    for (let at = block.indexOf(separator); at >= 0; at = block.indexOf(separator, at + 1)) note(scannedBytes + at + 1);
    if (block.length > 0) endsInSeparator = block.at(-1) === separator;
    scannedBytes += block.length;
  };

  /** Learns until a line's start is known or the end was seen. */
  const learnUpTo = async (access: RandomAccess, line: number, signal?: AbortSignal): Promise<void> => {
    const buffer = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(1, access.sizeBytes - scannedBytes)));
    while (total === null && scannedLines < line) {
      signal?.throwIfAborted();
      const from = scannedBytes;
      const count = await access.read(from, buffer);
      if (from !== scannedBytes) continue; // another reader of the same handle learned this block meanwhile
      learn(buffer.subarray(0, count));
      if (count < buffer.length || scannedBytes >= access.sizeBytes) total = scannedLines + (endsInSeparator ? 0 : 1);
    }
  };

  return {
    separator,
    get total() {
      return total;
    },
    async locate(access, line, signal) {
      if (access.sizeBytes === 0) total = 0;
      await learnUpTo(access, line, signal);
      if (total !== null && line >= total) return { line: total, byte: scannedBytes };
      const mark = Math.min(Math.floor(line / stride), marks.length - 1);
      const { lines, byte } = await skipLines(access, separator, marks[mark] ?? 0, line - mark * stride, signal);
      return { line: mark * stride + lines, byte };
    },
  };
}
