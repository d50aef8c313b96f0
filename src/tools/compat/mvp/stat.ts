/** `stat`: metadata of a path in the MVP format. @module */
import * as z from "zod";
import { entryInfo } from "../../../sys/files/entry_info.ts";
import { defineTool } from "../../../call/tool.ts";

/** See the summary. */
export const stat = defineTool({
  name: "stat",
  title: "File facts",
  summary: "Size, time, mode and type of a path.",
  toolset: "mvp",
  effect: "read",
  input: () => z.strictObject({ path: z.string().min(1) }),
  output: () =>
    z.object({
      data: z.object({
        size: z.int(),
        /** Seconds since 1970. */
        mtime: z.number(),
        mode: z.string(),
        type: z.string(),
      }),
    }),
  async run({ path }, { paths, entries }) {
    const real = await paths.existing(path);
    const { sizeBytes, mtimeMs, mode, type } = await entryInfo(real, paths.display(real), entries);
    return { data: { size: sizeBytes, mtime: mtimeMs / 1000, mode: mode.toString(8).padStart(4, "0"), type } };
  },
});
