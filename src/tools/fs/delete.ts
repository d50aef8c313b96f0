/** `linux_fs_delete`: deletes an entry; a link as a link, a directory only on request. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";

/** See the summary. */
export const fsDelete = defineTool({
  name: "linux_fs_delete",
  title: "Delete",
  summary: "Delete a file or link; a directory with everything in it needs recursive.",
  toolset: "fs",
  effect: "destroy",
  input: () => z.strictObject({ path: z.string(), recursive: z.boolean().default(false) }),
  output: () =>
    z.object({
      ok: z.boolean(),
      path: z.string(),
      kept_count: z.int().optional(),
      kept: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
    }),
  render: ({ path, kept_count = 0, kept = [] }) =>
    kept_count === 0 ? `deleted ${path}` : [
      `${path} could not be deleted as a whole; ${kept_count} entries stay, the rest is gone:`,
      ...kept.map((entry) => `${entry.path} (${entry.reason})`),
      ...(kept_count > kept.length ? [`and ${kept_count - kept.length} more`] : []),
    ].join("\n"),
  failed: ({ ok }) => !ok,
  async run({ path, recursive }, { paths, writer, signal }) {
    const real = await paths.removable(path), shown = paths.display(real);
    const { kept, keptCount } = await writer.change([real], (files) => files.remove(real, { recursive }), signal);
    if (keptCount === 0) return { ok: true, path: shown };
    const named = kept.map((entry) => ({ path: paths.display(entry.path), reason: entry.reason }));
    return { ok: false, path: shown, kept_count: keptCount, kept: named };
  },
});
