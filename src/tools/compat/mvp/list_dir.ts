/** `list_dir`: names in a directory, in the MVP format. @module */
import * as z from "zod";
import { OpsError } from "../../../core/error.ts";
import { wireName } from "../../../core/escape_name.ts";
import { requireDirectory } from "../../../sys/files/entry_info.ts";
import { readDirectory, walkRoot } from "../../../sys/files/walk.ts";
import { defineTool } from "../../../call/tool.ts";

/** See the summary. */
export const listDir = defineTool({
  name: "list_dir",
  title: "List directory",
  summary: "List the names in a directory.",
  toolset: "mvp",
  effect: "read",
  input: () =>
    z.strictObject({
      path: z.string().default("."),
      max_entries: z.int().min(1).max(10_000).default(1_000),
      include_hidden: z.boolean().default(false),
    }),
  output: () =>
    z.object({
      data: z.array(z.string()),
      meta: z.object({ path: z.string(), total: z.int().optional(), truncated: z.boolean().optional() }),
    }),
  async run({ path, max_entries, include_hidden }, { paths, config }) {
    const real = await paths.existing(path), shown = paths.display(real);
    await requireDirectory(real, shown);
    const options = { includeHidden: include_hidden, respectIgnore: false, closed: config.protectedPaths };
    const { entries, fault } = await readDirectory(walkRoot(real, options), options);
    if (fault !== null) throw new OpsError("PERMISSION_DENIED", `'${shown}' cannot be listed: ${fault}`);
    const data = entries.map(({ name }) => wireName(name)).sort();
    if (data.length <= max_entries) return { data, meta: { path: shown } };
    return { data: data.slice(0, max_entries), meta: { path: shown, total: data.length, truncated: true } };
  },
});
