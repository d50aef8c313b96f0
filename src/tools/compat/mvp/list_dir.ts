/** `list_dir`: names in a directory, in the MVP format. @module */
import * as z from "zod";
import { OpsError } from "../../../core/error.ts";
import { wireName } from "../../../core/escape_name.ts";
import { requireDirectory } from "../../../sys/files/entry_info.ts";
import { readDirectory, walkRoot } from "../../../sys/files/walk.ts";
import { makePacer, sortPaced } from "../../../sys/pacer.ts";
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
      meta: z.object({
        path: z.string(),
        total: z.int().optional(),
        truncated: z.boolean().optional(),
        /** Names that begin with a dot and were left out. */
        hidden: z.int().optional(),
      }),
    }),
  async run({ path, max_entries, include_hidden }, { paths, config, signal }) {
    const real = await paths.existing(path), shown = paths.display(real);
    await requireDirectory(real, shown);
    const options = { includeHidden: include_hidden, respectIgnore: false, closed: config.protectedPaths };
    const { entries, hidden, fault } = await readDirectory(walkRoot(real, options), options, signal);
    if (fault !== null) throw new OpsError("PERMISSION_DENIED", `'${shown}' cannot be listed: ${fault}`);
    const byName = (a: string, b: string) => a < b ? -1 : 1;
    const names = await sortPaced(entries.map(({ name }) => name), byName, makePacer(signal));
    const data = names.slice(0, max_entries).map(wireName).sort();
    const meta = { path: shown, ...hidden.length > 0 ? { hidden: hidden.length } : {} };
    if (names.length <= max_entries) return { data, meta };
    return { data, meta: { ...meta, total: names.length, truncated: true } };
  },
});
