/** `read_file`: text of a file in the MVP format, by the same code as `linux_fs_read`. @module */
import { restAt } from "../../../core/bound.ts";
import * as z from "zod";
import { OpsError } from "../../../core/error.ts";
import { readText } from "../../../sys/files/read_text.ts";
import { defineTool } from "../../../call/tool.ts";
import { keepRest, metaLine } from "../../keep_rest.ts";

/** See the summary. */
export const readFile = defineTool({
  name: "read_file",
  title: "Read file",
  summary: "Read the text of a file.",
  toolset: "mvp",
  effect: "read",
  input: () =>
    z.strictObject({
      path: z.string().min(1),
      max_bytes: z.int().min(1).max(1_048_576).default(1_048_576),
    }),
  output: () =>
    z.object({
      data: z.string(),
      meta: z.object({
        path: z.string(),
        /** Characters of `data`. */
        length: z.int(),
        truncated: z.boolean().optional(),
        size_bytes: z.int().optional(),
        handle: z.string().optional(),
      }),
    }),
  render({ data, meta }) {
    if (!meta.truncated) return data;
    const rest = meta.handle !== undefined && restAt(meta.handle, undefined, "bytes");
    return `${data}\n${metaLine(`${meta.path}: start of ${meta.size_bytes} bytes`, rest)}`;
  },
  async run({ path, max_bytes }, { paths, handles, owner, signal }) {
    const real = await paths.existing(path), shown = paths.display(real);
    const { text, truncated, sizeBytes, mtimeMs } = await readText(real, shown, max_bytes, signal);
    if (text === null) {
      throw new OpsError("INVALID_ARGUMENT", `'${shown}' is not text`, "linux_fs_read says what it is.");
    }
    const meta = { path: shown, length: text.length };
    if (!truncated) return { data: text, meta };
    const source = { path: real, sizeBytes, mtimeMs };
    const handle = keepRest(() => handles.reference({ kind: "file", owner, source, meta: { path: shown } }));
    return { data: text, meta: { ...meta, truncated, size_bytes: sizeBytes, ...(handle === null ? {} : { handle }) } };
  },
});
