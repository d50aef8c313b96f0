/** Reads a window of lines from a file of any size and encoding, in constant memory. @module */
import { LineScanner, type LineWindow } from "../../core/line_scanner.ts";
import type { Encoding, KnownEncoding } from "../../core/encodings.ts";
import type { LineEnds } from "../../core/text_kind.ts";
import { fileError } from "./file_error.ts";
import { hashOf } from "./hash_file.ts";
import { openRegular, type RegularFile } from "./open_regular.ts";
import { findFromEnd, type Head, isDecoded, isWide, readHead, type Text, utf8From } from "./text_source.ts";

/** Which lines to read. */
export interface PageRequest {
  /** Zero-based first line; a negative number counts from the end. */
  readonly offset: number;
  readonly maxLines: number;
  /** Estimated tokens that are not exceeded, except by a single line. */
  readonly maxTokens: number;
  /** What the caller says that the file is. */
  readonly encoding?: KnownEncoding | undefined;
}

/** What a file was when it was read; marks what was made from it as stale when it changes. */
export interface FileStamp {
  /** Real path. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** See {@link RegularFile.version}. */
  readonly version?: string;
}

/** A window of lines of a text file. */
export interface TextPage {
  readonly text: true;
  /** Without their ends; long ones cut, with a mark. */
  readonly lines: readonly string[];
  /** Zero-based number of the first line; negative, from the end, in a file too large for counting. */
  readonly offset: number;
  readonly totalLines: number;
  /** Whether the total is extrapolated from the part that was read. */
  readonly totalEstimated: boolean;
  /** Whether lines follow the window. */
  readonly more: boolean;
  readonly cutLines: number;
  readonly encoding: Encoding;
  readonly hasBom: boolean;
  readonly lineEnds: LineEnds;
  readonly sizeBytes: number;
  /** Null where the file cannot be found again by its path. */
  readonly stamp: FileStamp | null;
  /** The whole file as text, without its byte order mark, where it was small enough to be read at once. */
  readonly whole: (() => string) | null;
}

/** A file that is not text. */
export interface BinaryFile {
  readonly text: false;
  /** Media type, as far as the first bytes give it away. */
  readonly type: string;
  /** Hex; null past the size that is worth reading for it. */
  readonly sha256: string | null;
  readonly sizeBytes: number;
}

/** Files up to this size are read to the end for an exact number of lines, or for a hash. */
const EXACT_BYTES = 64 * 1024 * 1024;

/**
 * Reads lines, or says what a binary file is.
 *
 * @param path Real path.
 * @param shown The path as the caller knows it.
 * @throws OpsError as {@link openRegular}; the reason of `signal` when that aborts.
 */
export async function readPage(
  path: string,
  shown: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<TextPage | BinaryFile> {
  using opened = await openRegular(path, shown);
  const { sizeBytes, mtimeMs, version } = opened;
  try {
    const head = readHead(opened, request.encoding);
    if (head.kind.text) {
      const window = await readWindow(opened, head, head.kind, request, signal);
      return {
        ...window,
        sizeBytes,
        stamp: { path, sizeBytes, mtimeMs, ...(version === null ? {} : { version }) },
        whole: wholeText(head, head.kind, sizeBytes),
      };
    }
    const sha256 = sizeBytes > EXACT_BYTES ? null : await hashOf(opened.file, signal);
    return { text: false, type: head.kind.type, sha256, sizeBytes };
  } catch (error) {
    throw fileError(error, shown);
  }
}

function wholeText({ bytes, isWhole }: Head, text: Text, sizeBytes: number): TextPage["whole"] {
  if (!isWhole || bytes.length < sizeBytes || isDecoded(text)) return null;
  return () => new TextDecoder().decode(bytes.subarray(text.bomBytes));
}

async function readWindow(
  opened: RegularFile,
  head: Head,
  text: Text,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Omit<TextPage, "stamp" | "sizeBytes" | "whole">> {
  const start = await findStart(opened, head, text, request, signal);
  const mayStop = opened.sizeBytes > EXACT_BYTES || start.totalLines !== null;
  const scanner = new LineScanner(start.window);
  const isEnd = await scan(scanner, utf8From(opened, head, text, start.byte, signal), mayStop);
  const counted = request.offset < 0 ? start.totalLines : isEnd ? scanner.totalLines : null;
  return {
    text: true,
    lines: scanner.lines,
    offset: start.firstLine ?? request.offset,
    totalLines: counted ?? extrapolate(scanner, isWide(text) ? opened.sizeBytes / 2 : opened.sizeBytes),
    totalEstimated: counted === null,
    more: scanner.hasMore,
    cutLines: scanner.cutLines,
    encoding: scanner.hasInvalid && text.encoding === "utf-8" ? "8-bit" : text.encoding,
    hasBom: text.bomBytes > 0,
    lineEnds: text.lineEnds,
  };
}

function extrapolate({ totalLines, totalBytes }: LineScanner, fileBytes: number): number {
  return Math.max(totalLines, Math.round(totalLines * fileBytes / Math.max(1, totalBytes)));
}

interface Start {
  /** Where scanning begins. */
  readonly byte: number;
  /** The window, relative to that place. */
  readonly window: LineWindow;
  /** Number of the window's first line in the file; null when it was not counted. */
  readonly firstLine: number | null;
  /** Lines in the file, where that is known before the window is read. */
  readonly totalLines: number | null;
}

/** Decides where to begin: at the first byte, or, for the end of a file, at the window itself where that can be found. */
async function findStart(
  opened: RegularFile,
  head: Head,
  text: Text,
  { offset, maxLines, maxTokens }: PageRequest,
  signal: AbortSignal,
): Promise<Start> {
  const separator = text.lineEnds === "cr" ? 13 : 10;
  const window = { from: offset, count: maxLines, maxTokens, separator } as const;
  if (offset >= 0) return { byte: 0, window, firstLine: offset, totalLines: null };
  let totalLines: number | null = null;
  if (isWide(text) || opened.sizeBytes <= EXACT_BYTES) {
    const counter = new LineScanner({ ...window, from: 0, count: 0 });
    await scan(counter, utf8From(opened, head, text, 0, signal), false);
    totalLines = counter.totalLines;
  }
  const firstLine = totalLines === null ? null : Math.max(0, totalLines + offset);
  if (isWide(text)) return { byte: 0, window: { ...window, from: firstLine ?? 0 }, firstLine, totalLines };
  const byte = await findFromEnd(opened, -offset, separator, signal);
  return { byte, window: { ...window, from: 0 }, firstLine: byte === 0 ? 0 : firstLine, totalLines };
}

/** Feeds the scanner; returns whether it came to the end of the file. */
async function scan(scanner: LineScanner, source: AsyncIterable<Uint8Array>, mayStop: boolean): Promise<boolean> {
  for await (const bytes of source) {
    scanner.push(bytes);
    if (mayStop && scanner.hasMore) return false;
  }
  scanner.end();
  return true;
}
