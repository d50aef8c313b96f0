/** Describes a file's content without showing it: hash, and line count for text. @module */
import { LineScanner } from "../../core/line_scanner.ts";
import { OpsError } from "../../core/error.ts";
import { fileError } from "./file_error.ts";
import { hashOf } from "./hash_file.ts";
import { openRegular } from "./open_regular.ts";
import { readHead, utf8From } from "./text_source.ts";

/** Facts of a file; absent where they would cost too much or mean nothing. */
export interface FileFacts {
  /** Hex. */
  readonly sha256?: string;
  readonly lines?: number;
}

/** Larger files are not read for it. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads a file for its facts; one that may not be read has none. @throws the reason of `signal` when that aborts. */
export async function fileFacts(path: string, shown: string, signal: AbortSignal): Promise<FileFacts> {
  try {
    using opened = await openRegular(path, shown);
    if (opened.sizeBytes > MAX_BYTES) return {};
    const head = readHead(opened);
    const sha256 = await hashOf(opened.file, signal);
    if (!head.kind.text) return { sha256 };
    const separator = head.kind.lineEnds === "cr" ? 13 : 10;
    const counter = new LineScanner({ from: 0, count: 0, maxTokens: 0, separator });
    for await (const bytes of utf8From(opened, head, head.kind, 0, signal)) counter.push(bytes);
    counter.end();
    return { sha256, lines: counter.totalLines };
  } catch (error) {
    const known = fileError(error, shown);
    if (known instanceof OpsError && known.code === "PERMISSION_DENIED") return {};
    throw known;
  }
}
