/** Reads lines of a file whose name is not UTF-8, which only ripgrep can open. @module */
import { encodeText } from "../../core/bytes.ts";
import { OpsError } from "../../core/error.ts";
import { makeDecoder } from "../../core/encodings.ts";
import { LineScanner } from "../../core/line_scanner.ts";
import { textKind } from "../../core/text_kind.ts";
import { detectEncoding } from "./detect_encoding.ts";
import type { RawNames } from "./raw_names.ts";
import type { BinaryFile, PageRequest, TextPage } from "./read_page.ts";
import { isDecoded } from "./text_source.ts";

/** No more of such a file is read. */
const MAX_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/**
 * Reads lines as `readPage` does.
 *
 * @param root Real path of a directory.
 * @param below Path below it, in the form of `decodeName`.
 * @throws OpsError NOT_FOUND
 */
export async function readRawPage(
  raw: RawNames,
  root: string,
  below: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<TextPage | BinaryFile> {
  const file = await raw.read(root, below, MAX_BYTES, signal);
  if (file === null) throw new OpsError("NOT_FOUND", "there is no file of this name");
  const { bytes, truncated } = file, sizeBytes = bytes.length;
  const kind = textKind(bytes.subarray(0, HEAD_BYTES), {
    isWhole: bytes.length < HEAD_BYTES,
    detect: detectEncoding,
    encoding: request.encoding,
  });
  if (!kind.text) return { text: false, type: kind.type, sha256: null, sizeBytes };
  const body = bytes.subarray(kind.bomBytes);
  const text = isDecoded(kind) ? encodeText(makeDecoder(kind.encoding).decode(body)) : body;
  const separator = kind.lineEnds === "cr" ? 13 : 10;
  const counter = scan(text, new LineScanner({ from: 0, count: 0, maxTokens: 0, separator }));
  const from = request.offset < 0 ? Math.max(0, counter.totalLines + request.offset) : request.offset;
  const window = { from, count: request.maxLines, maxTokens: request.maxTokens, separator } as const;
  const { lines, cutLines, hasInvalid, hasMore } = scan(text, new LineScanner(window));
  return {
    text: true,
    lines,
    offset: from,
    totalLines: counter.totalLines,
    totalEstimated: truncated,
    more: hasMore || truncated,
    cutLines,
    encoding: hasInvalid && kind.encoding === "utf-8" ? "8-bit" : kind.encoding,
    hasBom: kind.bomBytes > 0,
    lineEnds: kind.lineEnds,
    sizeBytes,
    stamp: null,
    whole: null,
  };
}

function scan(bytes: Uint8Array, scanner: LineScanner): LineScanner {
  scanner.push(bytes);
  scanner.end();
  return scanner;
}
