/** Streams the lines of a file to a search: decoded, in batches, and nothing of a binary file. @module */
import { fileError } from "./file_error.ts";
import { byteOrderMark, isTextWithNuls } from "../../core/text_kind.ts";
import { openRegular } from "./open_regular.ts";
import { type Head, readHead, type Text, utf8From } from "./text_source.ts";

/** Characters that a line may have; a file with a longer one is given up. */
const MAX_LINE_CHARS = 16 * 1024 * 1024;

/** Larger files with NULs are not looked into. */
const MAX_NUL_TEXT_BYTES = 64 * 1024 * 1024;

/** A line is too long to be held. */
export class LineTooLong extends Error {}

/**
 * Lines without their ends, as ripgrep counts them: a line feed ends one, a carriage return before it belongs to the
 * end.
 *
 * @param path Real path.
 * @param binary Called when the file has NULs and is not text.
 * @throws OpsError as `openRegular`; LineTooLong; the reason of `signal` when that aborts.
 */
export async function* lineBatches(
  path: string,
  signal: AbortSignal,
  binary: () => void,
): AsyncGenerator<string[]> {
  using opened = await openRegular(path);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "", hasNuls = false;
  try {
    const head = readHead(opened);
    for await (const bytes of utf8From(opened, head, encodingOf(head), 0, signal)) {
      if (!hasNuls && bytes.includes(0)) {
        hasNuls = true;
        if (opened.sizeBytes > MAX_NUL_TEXT_BYTES || !isTextWithNuls(head.bytes, head.isWhole)) return binary();
      }
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE_CHARS) throw new LineTooLong(path);
      yield lines.map(withoutReturn);
    }
  } catch (error) {
    throw fileError(error, path);
  }
  rest += decoder.decode();
  if (rest !== "") yield [withoutReturn(rest)];
}

/** How a file is decoded; what is binary shows by its NULs. */
function encodingOf({ kind, bytes }: Head): Text {
  if (kind.text) return kind;
  return { text: true, encoding: "utf-8", bomBytes: byteOrderMark(bytes)?.bomBytes ?? 0, lineEnds: "lf" };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
