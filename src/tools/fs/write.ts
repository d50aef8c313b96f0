/** `linux_fs_write`: writes, appends to, or creates a file. @module */
import { encodeText, sha256Hex, shortSize } from "../../core/bytes.ts";
import * as z from "zod";
import { refuseReplacementCharacters, requireWellFormed } from "../../core/edit/edits.ts";
import { refuseUnknownEncoding } from "../../core/edit/stray_match.ts";
import { decodeFile, encodeFile } from "../../core/edit/text_file.ts";
import { OpsError } from "../../core/error.ts";
import type { Changes } from "../../sys/writer/writer.ts";
import { defineTool } from "../../call/tool.ts";
import { requireHash, SHOWN_CHARS } from "./content_hash.ts";

/** Larger files are not looked into for characters that a rewrite would lose. */
const MAX_INSPECTED_BYTES = 16 * 1024 * 1024;

/** See the summary. */
export const fsWrite = defineTool({
  name: "linux_fs_write",
  title: "Write file",
  summary: "Write, append to, or create a file; the directory must exist. expected_sha256 guards against lost changes.",
  toolset: "fs",
  effect: "write",
  input: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      mode: z.enum(["rewrite", "append", "create"]).default("rewrite"),
      expected_sha256: z.string().optional(),
    }),
  output: () =>
    z.object({
      path: z.string(),
      bytes_written: z.int(),
      new_sha256: z.string(),
      created: z.boolean(),
    }),
  render: ({ path, bytes_written, new_sha256, created }, { mode }) => {
    const verb = created ? "created" : mode === "append" ? "appended to" : "wrote";
    return `${verb} ${path} (${shortSize(bytes_written)}B) sha256 ${new_sha256.slice(0, SHOWN_CHARS)}`;
  },
  async run({ path, content, mode, expected_sha256 }, { paths, writer, signal }) {
    requireWellFormed(content, "content");
    const real = await paths.target(path), shown = paths.display(real);
    return await writer.change([real], async (files) => {
      const sizeBytes = await files.size(real);
      if (expected_sha256 !== undefined) requireHash(expected_sha256, await files.sha256(real), shown);
      if (mode === "create" && sizeBytes !== null) {
        throw new OpsError(
          "INVALID_ARGUMENT",
          `'${shown}' already exists`,
          "Use mode 'rewrite' to replace it, or another path.",
        );
      }
      refuseReplacementCharacters(await oldMarks(files, real, sizeBytes, content), content, "content");
      const data = await inEncodingOf(files, real, shown, sizeBytes, content, mode);
      if (mode === "append") await files.append(real, data);
      else if (mode === "create") await files.create(real, data);
      else await files.write(real, data);
      const hash = mode === "append" ? await files.sha256(real) : await sha256Hex(data);
      return { path: shown, bytes_written: data.length, new_sha256: hash ?? "", created: sizeBytes === null };
    }, signal);
  },
});

/** The text that may already hold U+FFFD of its own; only looked at when it matters. */
async function oldMarks(files: Changes, path: string, sizeBytes: number | null, content: string): Promise<string> {
  if (sizeBytes === null || sizeBytes > MAX_INSPECTED_BYTES || !content.includes("\ufffd")) return "";
  return decodeFile(await files.read(path, MAX_INSPECTED_BYTES), "the file").text;
}

/** The content in the encoding of the file: what is UTF-16 stays that, and a byte order mark stays. */
async function inEncodingOf(
  files: Changes,
  path: string,
  shown: string,
  sizeBytes: number | null,
  content: string,
  mode: "rewrite" | "append" | "create",
): Promise<Uint8Array> {
  if (sizeBytes === null || sizeBytes < 2) return encodeText(content);
  const [first, second, third] = await files.head(path, 3);
  const wide = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  const isAppended = mode === "append", text = content.replace(/^\ufeff/, "");
  if (wide !== null) {
    const data = encodeFile({ text, encoding: wide, bom: true });
    return isAppended ? data.subarray(2) : data;
  }
  await refuseOtherEncoding(files, path, shown, sizeBytes, content);
  const bom = first === 0xef && second === 0xbb && third === 0xbf;
  return encodeFile({ text: isAppended ? content : text, encoding: "utf-8", bom: bom && !isAppended });
}

/** Text beyond ASCII is not written as UTF-8 into, or over, a file in an older encoding. */
async function refuseOtherEncoding(
  files: Changes,
  path: string,
  shown: string,
  sizeBytes: number,
  content: string,
): Promise<void> {
  // deno-lint-ignore no-control-regex -- ASCII is the same in every encoding that is meant here
  if (sizeBytes > MAX_INSPECTED_BYTES || !/[^\x00-\x7f]/.test(content)) return;
  const bytes = await files.read(path, MAX_INSPECTED_BYTES);
  if (bytes.includes(0)) return; // binary: its content is replaced, whatever it was
  refuseUnknownEncoding(decodeFile(bytes, `'${shown}'`), content, `'${shown}'`);
}
