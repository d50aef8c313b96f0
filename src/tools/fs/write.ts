/** `linux_fs_write`: writes, appends to, or creates a file. @module */
import { sha256Hex, shortSize } from "../../core/bytes.ts";
import * as z from "zod";
import { refuseReplacementCharacters, requireWellFormed } from "../../core/edit/edits.ts";
import { refuseUnstorable } from "../../core/edit/stray_match.ts";
import { decodeFile, encodeFile, type FileText, requireStorable } from "../../core/edit/text_file.ts";
import { isWide, type KnownEncoding } from "../../core/encodings.ts";
import { OpsError } from "../../core/error.ts";
import { byteOrderMark } from "../../core/text_kind.ts";
import { parentOf } from "../../core/path.ts";
import { detectEncoding } from "../../sys/files/detect_encoding.ts";
import { entryKind } from "../../sys/files/real_path.ts";
import type { Changes } from "../../sys/writer/writer.ts";
import { defineTool } from "../../call/tool.ts";
import { requireHash, SHOWN_CHARS } from "./content_hash.ts";
import { encodingArgument, encodingOf } from "./encoding_argument.ts";

/** Larger files are not looked into for characters that a rewrite would lose. */
const MAX_INSPECTED_BYTES = 16 * 1024 * 1024;

/** See the summary. */
export const fsWrite = defineTool({
  name: "linux_fs_write",
  title: "Write file",
  summary: "Write, append to, or create a file and its folders. expected_sha256 guards against lost changes.",
  toolset: "fs",
  effect: "write",
  core: true,
  input: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      mode: z.enum(["rewrite", "append", "create"]).default("rewrite"),
      expected_sha256: z.string().optional(),
      encoding: encodingArgument(),
    }),
  output: () =>
    z.object({
      path: z.string(),
      bytes_written: z.int(),
      new_sha256: z.string(),
      created: z.boolean(),
      /** Folders that were missing. */
      made_directories: z.array(z.string()).optional(),
    }),
  render: ({ path, bytes_written, new_sha256, created, made_directories }, { mode }) => {
    const verb = created ? "created" : mode === "append" ? "appended to" : "wrote";
    const made = made_directories?.at(-1), written = `${verb} ${path} (${shortSize(bytes_written)}B)`;
    return `${written} sha256 ${new_sha256.slice(0, SHOWN_CHARS)}${made === undefined ? "" : `, made ${made}/`}`;
  },
  async run({ path, content, mode, expected_sha256, encoding }, { paths, writer, signal }) {
    requireWellFormed(content, "content");
    const named = encodingOf({ encoding });
    const real = await paths.target(path), shown = paths.display(real), folder = parentOf(real);
    const made = await entryKind(folder) === null
      ? await writer.change([folder], (files) => files.makeDirectories(folder), signal)
      : [];
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
      const target: Target = { path: real, shown: `'${shown}'`, sizeBytes };
      refuseReplacementCharacters(await oldMarks(files, target, content), content, "content");
      const data = await encodeFor(files, target, content, { isAppended: mode === "append", named });
      if (mode === "append") await files.append(real, data);
      else if (mode === "create") await files.create(real, data);
      else await files.write(real, data);
      const hash = mode === "append" ? await files.sha256(real) : await sha256Hex(data);
      return {
        path: shown,
        bytes_written: data.length,
        new_sha256: hash ?? "",
        created: sizeBytes === null,
        ...made.length > 0 ? { made_directories: made.map(paths.display) } : {},
      };
    }, signal);
  },
});

/** The text that may already hold U+FFFD of its own; only looked at when it matters. */
async function oldMarks(files: Changes, { path, sizeBytes }: Target, content: string): Promise<string> {
  if (sizeBytes === null || sizeBytes > MAX_INSPECTED_BYTES || !content.includes("\ufffd")) return "";
  return decodeFile(await files.read(path, MAX_INSPECTED_BYTES), "the file").text;
}

/** The file to write. */
interface Target {
  readonly path: string;
  /** How errors name it. */
  readonly shown: string;
  /** Null where there is none yet. */
  readonly sizeBytes: number | null;
}

/** The content in the encoding that was asked for, or else that of the file; a byte order mark stays. */
async function encodeFor(
  files: Changes,
  target: Target,
  content: string,
  { isAppended, named }: { readonly isAppended: boolean; readonly named: KnownEncoding | undefined },
): Promise<Uint8Array> {
  if ((target.sizeBytes ?? 0) === 0) return encodeNew(content, named ?? "utf-8", target.shown);
  const mark = byteOrderMark(await files.head(target.path, 4));
  if (!isAppended && named !== undefined && named !== mark?.encoding) return encodeNew(content, named, target.shown);
  const form = mark !== null ? { encoding: mark.encoding } : await formOf(files, target, content, named);
  const text = isAppended && !isWide(form.encoding) ? content : content.replace(/^\ufeff/, "");
  return encodeFile({ ...form, text, bom: mark !== null && !isAppended });
}

/** A new file in an encoding; the wide ones get a byte order mark. */
function encodeNew(content: string, encoding: KnownEncoding, shown: string): Uint8Array {
  const form = { encoding, bom: isWide(encoding) };
  requireStorable(form, content, shown);
  return encodeFile({ ...form, text: form.bom ? content.replace(/^\ufeff/, "") : content });
}

/** How the file stores the content. @throws OpsError INVALID_ARGUMENT where it cannot, or the encoding is unknown. */
async function formOf(
  files: Changes,
  { path, shown, sizeBytes }: Target,
  content: string,
  named: KnownEncoding | undefined,
): Promise<Pick<FileText, "encoding" | "encoder">> {
  const isSmall = (sizeBytes ?? 0) <= MAX_INSPECTED_BYTES;
  // deno-lint-ignore no-control-regex -- ASCII is the same in every encoding that is not wide
  if (named === undefined && (!isSmall || !/[^\x00-\x7f]/.test(content))) return { encoding: "utf-8" };
  const bytes = isSmall ? await files.read(path, MAX_INSPECTED_BYTES) : new Uint8Array();
  if (named === undefined && bytes.includes(0)) return { encoding: "utf-8" }; // binary, and replaced whatever it was
  const file = decodeFile(bytes, shown, { detect: detectEncoding, encoding: named });
  refuseUnstorable(file, content, shown);
  const { encoding, encoder } = file;
  return encoding === "mixed" ? { encoding: "utf-8" } : { encoding, ...encoder && { encoder } };
}
