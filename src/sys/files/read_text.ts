/** Reads a whole text file of bounded size. @module */
import type { KnownEncoding } from "../../core/encodings.ts";
import { fileError } from "./file_error.ts";
import { openRegular } from "./open_regular.ts";
import { isDecoded, readHead, utf8From } from "./text_source.ts";

/** The text, or that the file is none. */
export interface WholeText {
  /** Without byte order mark; null when the file is binary. */
  readonly text: string | null;
  /** Whether the file is longer than was asked for; `text` is then its start, cut at a line end where there is one. */
  readonly truncated: boolean;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/**
 * Reads a text file.
 *
 * @param path Real path.
 * @param shown The path as the caller knows it.
 * @param maxBytes Bytes of UTF-8 to keep.
 * @param encoding What the caller says it is.
 * @throws OpsError as `openRegular`; the reason of `signal` when that aborts.
 */
export async function readText(
  path: string,
  shown: string,
  maxBytes: number,
  signal: AbortSignal,
  encoding?: KnownEncoding,
): Promise<WholeText> {
  using opened = await openRegular(path, shown);
  const { sizeBytes, mtimeMs } = opened;
  try {
    const head = readHead(opened, encoding);
    if (!head.kind.text) return { text: null, truncated: false, sizeBytes, mtimeMs };
    const growth = isDecoded(head.kind) ? 3 : 2; // Thai takes three bytes for one
    const bytes = new Uint8Array(Math.min(maxBytes, Math.max(sizeBytes * growth, head.bytes.length)) + 1);
    let length = 0;
    for await (const chunk of utf8From(opened, head, head.kind, 0, signal)) {
      const part = chunk.subarray(0, bytes.length - length);
      bytes.set(part, length);
      length += part.length;
      if (length === bytes.length) break;
    }
    const truncated = length > maxBytes;
    const text = new TextDecoder().decode(bytes.subarray(0, truncated ? lastBorder(bytes, maxBytes) : length));
    return { text, truncated, sizeBytes, mtimeMs };
  } catch (error) {
    throw fileError(error, shown);
  }
}

/** The last line end before `end`, or else the last border of a character. */
function lastBorder(bytes: Uint8Array, end: number): number {
  const newline = bytes.lastIndexOf(10, end - 1);
  if (newline > 0) return newline + 1;
  let border = end;
  while (border > 0 && ((bytes[border] ?? 0) & 0xc0) === 0x80) border--;
  return border;
}
