/** Extracts a window of lines from a byte stream in constant memory, and counts the lines. @module */
import { cutMark, MAX_LINE_CHARS } from "./bound.ts";
import { type LineBudget, makeLineBudget } from "./bound_lines.ts";
import { byteLength } from "./bytes.ts";

/** Which lines to keep. */
export interface LineWindow {
  /** Zero-based number of the first line. */
  readonly from: number;
  readonly count: number;
  /** Estimated tokens after which no more lines are kept, whatever `count` says; the first line always is. */
  readonly maxTokens: number;
  /** Byte at which lines end: line feed, or carriage return in files that have nothing else. */
  readonly separator: 10 | 13;
}

/** Bytes of a line that are kept: enough for the characters shown, and one more, in every script. */
const MAX_LINE_BYTES = (MAX_LINE_CHARS + 1) * 4;

/** One pass over UTF-8 bytes, in chunks of any size. */
export class LineScanner {
  /** Kept lines without their ends, long ones cut. */
  readonly lines: string[] = [];
  /** Lines that were cut. */
  cutLines = 0;
  /** Whether a kept line has bytes that are not UTF-8. */
  hasInvalid = false;
  /** Lines seen so far; complete after {@link end}. */
  totalLines = 0;
  /** Bytes seen so far. */
  totalBytes = 0;
  /** Whether something follows the window: the rest needs reading only for the count. */
  hasMore = false;

  readonly #window: LineWindow;
  readonly #budget: LineBudget;
  readonly #pending = new Uint8Array(MAX_LINE_BYTES);
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #pendingBytes = 0;
  /** Length of the line that is being read, kept or not. */
  #lineBytes = 0;
  /** Estimated tokens are used up. */
  #isSpent = false;

  constructor(window: LineWindow) {
    this.#window = window;
    this.#budget = makeLineBudget(window.maxTokens);
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    this.totalBytes += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      if (this.#isFull()) return this.#countAll(bytes, at);
      if (this.totalLines < this.#window.from) at = this.#skip(bytes, at);
      else at = this.#keep(bytes, at);
    }
  }

  /** Ends the last line when it has no end of its own. */
  end(): void {
    if (this.#lineBytes === 0) return;
    if (!this.#isFull() && this.totalLines >= this.#window.from) this.#finishLine();
    this.totalLines++;
    this.#lineBytes = 0;
  }

  #isFull(): boolean {
    return this.#isSpent || this.totalLines >= this.#window.from + this.#window.count;
  }

  #countAll(bytes: Uint8Array, from: number): void {
    this.hasMore = true;
    const separator = this.#window.separator;
    let lines = 0, last = -1;
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === separator) {
        lines++;
        last = at;
      }
    }
    this.totalLines += lines;
    this.#lineBytes = last < 0 ? this.#lineBytes + bytes.length - from : bytes.length - last - 1;
  }

  /** Passes over lines before the window; returns where the window begins, or the end. */
  #skip(bytes: Uint8Array, from: number): number {
    const { separator, from: first } = this.#window;
    let lines = this.totalLines, last = -1, at = from;
    for (; at < bytes.length && lines < first; at++) {
      if (bytes[at] === separator) {
        lines++;
        last = at;
      }
    }
    this.totalLines = lines;
    this.#lineBytes = last < 0 ? this.#lineBytes + at - from : at - last - 1;
    return at;
  }

  /** Takes bytes of one line of the window; returns where the next begins, or the end. */
  #keep(bytes: Uint8Array, from: number): number {
    const found = bytes.indexOf(this.#window.separator, from);
    const end = found < 0 ? bytes.length : found;
    const room = Math.min(end - from, MAX_LINE_BYTES - this.#pendingBytes);
    this.#pending.set(bytes.subarray(from, from + room), this.#pendingBytes);
    this.#pendingBytes += room;
    this.#lineBytes += end - from;
    if (found < 0) return end;
    this.#finishLine();
    this.totalLines++;
    this.#lineBytes = 0;
    return found + 1;
  }

  #finishLine(): void {
    const isWhole = this.#pendingBytes === this.#lineBytes;
    const endsInReturn = isWhole && this.#window.separator === 10 && this.#pending[this.#pendingBytes - 1] === 13;
    const bytes = this.#pending.subarray(0, this.#pendingBytes - (endsInReturn ? 1 : 0));
    let line = this.#decoder.decode(bytes);
    // An incomplete line may end in half a character; that lies past what is shown.
    const mayBeInvalid = line.slice(0, MAX_LINE_CHARS).includes("\ufffd");
    if (mayBeInvalid && !(isWhole && isUtf8(bytes))) this.hasInvalid = true;
    const isCut = line.length > MAX_LINE_CHARS || !isWhole;
    if (isCut) line = this.#cut(line);
    this.#pendingBytes = 0;
    if (!this.#budget.take(line) && this.lines.length > 0) {
      this.#isSpent = true;
      this.hasMore = true;
      return;
    }
    if (isCut) this.cutLines++;
    this.lines.push(line);
  }

  #cut(line: string): string {
    const shown = line.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, "");
    const invalid = this.hasInvalid ? shown.split("\ufffd").length - 1 : 0; // one byte each, shown as three
    return shown + cutMark(this.#lineBytes - byteLength(shown) + 2 * invalid);
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
