/** `linux_fs_read`: reads lines of a text file from the start or the end, and identifies binary files. @module */
import { restAt } from "../../core/bound.ts";
import { shortSize } from "../../core/bytes.ts";
import * as z from "zod";
import { type Encoding, titleOf } from "../../core/encodings.ts";
import { readShownPath } from "../../core/escape_name.ts";
import { requireDirectory } from "../../sys/files/entry_info.ts";
import { readRawPage } from "../../sys/files/raw_page.ts";
import {
  type BinaryFile,
  type FileStamp,
  type PageRequest,
  readPage,
  type TextPage,
} from "../../sys/files/read_page.ts";
import { entryKind } from "../../sys/files/real_path.ts";
import { readText } from "../../sys/files/read_text.ts";
import { isDecoded } from "../../sys/files/text_source.ts";
import { readWhole } from "../../sys/files/read_whole.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";
import { bodyTokens, keepRest, metaLine } from "../keep_rest.ts";
import { encodingArgument, encodingOf } from "./encoding_argument.ts";

/** Files up to this size are kept as they were when they were read; larger ones are read again where they lie. */
const SNAPSHOT_BYTES = 1024 * 1024;
/** Files in wide encodings cannot be read in place by lines: up to this size a decoded copy is kept. */
const DECODED_BYTES = 16 * 1024 * 1024;

/** Images that models take; an SVG is text. */
const SHOWN_IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Base64 makes a third more of it, and clients stop at 1 MB. */
const MAX_IMAGE_BYTES = 512 * 1024;

const output = () =>
  z.object({
    content: z.string(),
    handle: z.string().nullable(),
    meta: z.object({
      path: z.string(),
      total_lines: z.int(),
      truncated: z.boolean(),
      total_lines_estimated: z.boolean(),
      offset_lines: z.int(),
      returned_lines: z.int(),
      cut_lines: z.int().optional(),
      size_bytes: z.int(),
      encoding: z.string(),
      bom: z.boolean().optional(),
      line_ends: z.enum(["lf", "crlf", "cr", "mixed"]).optional(),
      type: z.string().optional(),
      sha256: z.string().nullable().optional(),
    }),
  });

type Result = z.output<ReturnType<typeof output>>;

/** See the summary. */
export const fsRead = defineTool({
  name: "linux_fs_read",
  title: "Read file",
  summary: "Read lines of a text file or see an image; a negative offset_lines counts from the end.",
  toolset: "fs",
  effect: "read",
  core: true,
  input: () =>
    z.strictObject({
      path: z.string(),
      offset_lines: z.int().default(0),
      max_lines: z.int().min(1).max(2_000).default(200),
      encoding: encodingArgument(),
    }),
  output,
  render: ({ content, handle, meta }) => {
    if (meta.encoding === "binary") return describeBinary(meta);
    const notes = metaNotes(meta, handle);
    return notes === null ? content : content === "" ? notes : `${content}\n${notes}`;
  },
  async image({ meta: { path, type } }, { paths }) {
    if (type === undefined || !SHOWN_IMAGES.has(type) || readShownPath(path) !== null) return null;
    const data = await readWhole(await paths.existing(path), path, MAX_IMAGE_BYTES);
    return data === null ? null : { mimeType: type, data: data.toBase64() };
  },
  async run({ path, offset_lines, max_lines, encoding }, context) {
    const request = {
      offset: offset_lines,
      maxLines: max_lines,
      maxTokens: bodyTokens(context.config),
      encoding: encodingOf({ encoding }),
    };
    const { page, shown } = await open(path, request, context);
    if (!page.text) {
      const { type, sha256, sizeBytes } = page;
      return {
        content: "",
        handle: null,
        meta: { ...NO_LINES, path: shown, size_bytes: sizeBytes, encoding: "binary" as const, type, sha256 },
      };
    }
    const truncated = page.more || page.cutLines > 0;
    return {
      content: page.lines.join("\n"),
      handle: truncated ? await keepFile(page, shown, context) : null,
      meta: {
        path: shown,
        total_lines: page.totalLines,
        truncated,
        total_lines_estimated: page.totalEstimated,
        offset_lines: page.offset,
        returned_lines: page.lines.length,
        ...(page.cutLines > 0 ? { cut_lines: page.cutLines } : {}),
        size_bytes: page.sizeBytes,
        encoding: page.encoding,
        ...(page.hasBom ? { bom: true } : {}),
        line_ends: page.lineEnds,
      },
    };
  },
});

const NO_LINES = {
  total_lines: 0,
  truncated: false,
  total_lines_estimated: false,
  offset_lines: 0,
  returned_lines: 0,
};

/** Reads by the name that was typed, or, where there is no such name, by the one that a listing escaped. */
async function open(
  path: string,
  request: PageRequest,
  { paths, search, signal }: ToolContext,
): Promise<{ page: TextPage | BinaryFile; shown: string }> {
  const raw = readShownPath(path);
  if (raw !== null && await entryKind(await paths.entry(path)) === null) {
    const { directory, below } = splitRaw(raw), real = await paths.existing(directory);
    await requireDirectory(real, directory);
    return { page: await readRawPage(search.raw, real, below, request, signal), shown: path };
  }
  const real = await paths.existing(path), shown = paths.display(real);
  return { page: await readPage(real, shown, request, signal), shown };
}

/** The deepest directory that has a name for everyone, and the path below it. */
function splitRaw(path: string): { directory: string; below: string } {
  const parts = path.split("/"), first = parts.findIndex((part) => !part.isWellFormed());
  return {
    directory: parts.slice(0, first).join("/") || (path.startsWith("/") ? "/" : "."),
    below: parts.slice(first).join("/"),
  };
}

/** A handle on the whole file, numbered as the window is. */
async function keepFile(
  page: TextPage,
  shown: string,
  { handles, owner, signal }: ToolContext,
): Promise<string | null> {
  const common = { kind: "file", owner, meta: { path: shown, ...isDecoded(page) && { encoding: page.encoding } } };
  const source: FileStamp | null = page.stamp;
  if (source === null) return null;
  const copyBytes = isDecoded(page) ? DECODED_BYTES : SNAPSHOT_BYTES;
  if (source.sizeBytes > copyBytes) {
    return copyBytes === DECODED_BYTES ? null : keepRest(() => handles.reference({ ...common, source }));
  }
  const copy = handles.copyOf({ ...common, source });
  if (copy !== null) return copy;
  const text = page.whole?.() ?? await readAgain(source.path, shown, 2 * copyBytes, page.encoding, signal);
  if (text === null) return null;
  const payload = page.lineEnds === "cr" ? text.replaceAll("\r", "\n") : text.replaceAll("\r\n", "\n");
  return keepRest(() => handles.put({ ...common, payload, source }));
}

/** The whole text; null when the file has changed since the window was read, and is too large or no text now. */
async function readAgain(
  path: string,
  shown: string,
  maxBytes: number,
  encoding: Encoding,
  signal: AbortSignal,
): Promise<string | null> {
  const known = encoding === "8-bit" ? undefined : encoding;
  const { text, truncated } = await readText(path, shown, maxBytes, signal, known);
  return truncated ? null : text;
}

function describeBinary({ path, size_bytes, type, sha256 }: Result["meta"]): string {
  const hash = sha256 === null ? "too large to hash" : `sha256 ${sha256}`;
  const isLargeImage = type !== undefined && SHOWN_IMAGES.has(type) && size_bytes > MAX_IMAGE_BYTES;
  const note = isLargeImage && `too large to be shown: over ${shortSize(MAX_IMAGE_BYTES)}`;
  return metaLine(`${path} is not text: ${type}, ${shortSize(size_bytes)} (${size_bytes} bytes)`, hash, note);
}

/** Null when the text is the whole file and there is nothing to add. */
function metaNotes(meta: Result["meta"], handle: string | null): string | null {
  const { path, total_lines, offset_lines, returned_lines, truncated } = meta;
  const oddities = [
    ...describeEncoding(meta),
    meta.bom && "BOM",
    meta.line_ends !== "lf" && `${meta.line_ends} line ends`,
  ];
  const total = `${meta.total_lines_estimated ? "~" : ""}${total_lines}`;
  if (returned_lines === 0) {
    return metaLine(
      total_lines === 0 ? `${path} is empty` : `${path} has ${total} lines, none from ${offset_lines} on`,
    );
  }
  if (offset_lines === 0 && !truncated && !oddities.some((part) => part)) return null;
  const where = offset_lines < 0
    ? `${path} ${returned_lines} lines from ${offset_lines} of ${total}`
    : `${path} lines ${offset_lines + 1}-${offset_lines + returned_lines} of ${total}`;
  return metaLine(where, ...oddities, ...whereIsTheRest(meta, handle));
}

function describeEncoding({ encoding, size_bytes }: Result["meta"]): string[] {
  if (encoding === "utf-8") return [];
  if (encoding === "8-bit") return ["not UTF-8, shown with U+FFFD"];
  return [`${titleOf(encoding)}, ${size_bytes} bytes`];
}

function whereIsTheRest(meta: Result["meta"], handle: string | null): (string | false)[] {
  const { offset_lines, returned_lines, total_lines, cut_lines = 0 } = meta;
  const end = offset_lines + returned_lines;
  const more = end < (offset_lines < 0 ? 0 : total_lines);
  const cut = cut_lines > 0 && `${cut_lines} long ${cut_lines === 1 ? "line" : "lines"} cut`;
  if (handle === null) return [cut, more && `next: offset_lines ${end}`];
  if (more) return [cut, restAt(handle, end)];
  return [cut, cut !== false && restAt(handle, undefined, "bytes")];
}
