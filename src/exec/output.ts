/** Buffers a program's output: both streams in order of arrival, with absolute offsets, within a bound. @module */
import { joinBytes } from "../core/bytes.ts";

/** One of a program's two streams. */
export type StreamName = "stdout" | "stderr";

/** A stretch of output that is still held. */
export interface OutputSlice {
  /** Where it begins and ends, counted over both streams. */
  readonly offset: number;
  readonly end: number;
  readonly text: string;
  /** Bytes between the offset that was asked for and `offset` that are no longer held. */
  readonly lostBytes: number;
}

/** The beginning and the end of one stream. */
export interface Excerpt {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  /** Bytes between them. */
  readonly omittedBytes: number;
}

/** How much is held. */
export interface OutputBounds {
  /** The first bytes, which are never dropped. */
  readonly headBytes: number;
  /** The last bytes. */
  readonly tailBytes: number;
}

/** A bounded record of output. */
export interface Output {
  append(stream: StreamName, chunk: Uint8Array): void;
  /** No more will come; releases a character that was cut off. */
  finish(): void;
  /** Bytes written so far by both streams; those of a character that is not complete yet do not count. */
  readonly bytes: number;
  bytesOf(stream: StreamName): number;
  linesOf(stream: StreamName): number;
  /** At most `maxBytes` from an offset, cut between characters. Reading twice gives the same. */
  read(offset: number, maxBytes: number): OutputSlice;
  excerpt(stream: StreamName, headBytes: number, tailBytes: number): Excerpt;
  /** Resolves at the next output, and at the end. */
  changed(): Promise<void>;
}

/** One stretch of one stream. Always begins and ends between characters of valid UTF-8. */
interface Block {
  readonly stream: StreamName;
  readonly offset: number;
  readonly buffer: Uint8Array;
  length: number;
}

/** Small writes are gathered in blocks of this size. */
const BLOCK_BYTES = 16 * 1024;
const NEWLINE = 10;

/** Makes an empty record. */
export function makeOutput({ headBytes, tailBytes }: OutputBounds): Output {
  const head: Block[] = [], tail: Block[] = [];
  let tailHeld = 0, total = 0;
  const counts = { stdout: { bytes: 0, lines: 0 }, stderr: { bytes: 0, lines: 0 } };
  const cut: Record<StreamName, Uint8Array> = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  let waiting = Promise.withResolvers<void>();

  function wake(): void {
    waiting.resolve();
    waiting = Promise.withResolvers();
  }

  function store(stream: StreamName, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    counts[stream].bytes += bytes.length;
    counts[stream].lines += countNewlines(bytes);
    const inHead = total < headBytes;
    addTo(inHead ? head : tail, stream, total, bytes);
    total += bytes.length;
    if (!inHead) tailHeld += bytes.length;
    for (let first = tail[0]; first && tail.length > 1 && tailHeld - first.length >= tailBytes; first = tail[0]) {
      tailHeld -= first.length;
      tail.shift();
    }
  }

  /** Whether something between head and tail was dropped. */
  const hasGap = (): boolean => {
    const last = head.at(-1), first = tail[0];
    return first !== undefined && first.offset > (last ? last.offset + last.length : 0);
  };

  return {
    append(stream, chunk) {
      const bytes = joinBytes([cut[stream], chunk]);
      const end = completeEnd(bytes);
      cut[stream] = bytes.slice(end);
      // In pieces, because blocks are dropped whole: one large write must not keep all of itself.
      for (let at = 0; at < end;) {
        const next = Math.min(end, at + BLOCK_BYTES);
        const stop = next === end ? end : at + completeEnd(bytes.subarray(at, next));
        store(stream, bytes.subarray(at, stop));
        at = stop;
      }
      wake();
    },
    finish() {
      for (const stream of STREAMS) {
        store(stream, cut[stream]);
        cut[stream] = new Uint8Array();
      }
      wake();
    },
    get bytes() {
      return total;
    },
    bytesOf: (stream) => counts[stream].bytes,
    linesOf: (stream) => counts[stream].lines,
    read(offset, maxBytes) {
      const blocks = [...head, ...tail].filter((block) => block.offset + block.length > offset);
      const start = Math.min(total, Math.max(offset, blocks[0]?.offset ?? total));
      let at = start, text = "";
      for (const block of blocks) {
        if (block.offset > at) break; // what was dropped lies between: the next read starts behind it
        const from = at - block.offset;
        const room = Math.min(block.length, from + maxBytes - (at - start));
        const to = room === block.length ? room : from + completeEnd(block.buffer.subarray(from, room));
        text += decode(block.buffer.subarray(from, to));
        at += to - from;
        if (to < block.length) break;
      }
      return { offset: start, end: at, text, lostBytes: Math.max(0, start - Math.max(0, offset)) };
    },
    excerpt(stream, headMost, tailMost) {
      const ownHead = head.filter((block) => block.stream === stream),
        ownTail = tail.filter((block) => block.stream === stream);
      const gap = hasGap();
      const all = counts[stream].bytes;
      if (!gap && all <= headMost + tailMost) {
        return { head: joinBytes([...ownHead, ...ownTail].map(bytesOf)), tail: new Uint8Array(), omittedBytes: 0 };
      }
      const first = firstBytes(gap ? ownHead : [...ownHead, ...ownTail], headMost);
      const last = lastBytes(gap ? ownTail : [...ownHead, ...ownTail], tailMost);
      return { head: first, tail: last, omittedBytes: all - first.length - last.length };
    },
    changed: () => waiting.promise,
  };
}

const STREAMS = ["stdout", "stderr"] as const;

function addTo(blocks: Block[], stream: StreamName, offset: number, bytes: Uint8Array): void {
  const last = blocks.at(-1);
  const follows = last?.stream === stream && last.offset + last.length === offset;
  if (last && follows && last.buffer.length - last.length >= bytes.length) {
    last.buffer.set(bytes, last.length);
    last.length += bytes.length;
    return;
  }
  // A first small write gets a small block: most programs write a line and end.
  const size = bytes.length >= BLOCK_BYTES / 2 ? bytes.length : last ? BLOCK_BYTES : Math.max(1024, bytes.length * 2);
  const buffer = new Uint8Array(size);
  buffer.set(bytes);
  blocks.push({ stream, offset, buffer, length: bytes.length });
}

const bytesOf = (block: Block): Uint8Array => block.buffer.subarray(0, block.length);

function firstBytes(blocks: readonly Block[], most: number): Uint8Array {
  const taken: Uint8Array[] = [];
  let length = 0;
  for (const block of blocks) {
    if (length >= most) break;
    taken.push(bytesOf(block));
    length += block.length;
  }
  const bytes = joinBytes(taken);
  return bytes.length <= most ? bytes : bytes.subarray(0, completeEnd(bytes.subarray(0, most)));
}

function lastBytes(blocks: readonly Block[], most: number): Uint8Array {
  const taken: Uint8Array[] = [];
  let length = 0;
  for (let index = blocks.length - 1; index >= 0 && length < most; index--) {
    const block = blocks[index];
    if (block === undefined) break;
    taken.unshift(bytesOf(block));
    length += block.length;
  }
  const bytes = joinBytes(taken);
  return bytes.length <= most ? bytes : bytes.subarray(startOfCharacter(bytes, bytes.length - most));
}

/** Decodes bytes; what is not UTF-8 becomes U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** The length without a character at the end whose last bytes are still missing. */
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The first position from `index` on that is not inside a character. */
function startOfCharacter(bytes: Uint8Array, index: number): number {
  let at = index;
  while (at < index + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
