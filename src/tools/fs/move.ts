/** `linux_fs_move`: moves or renames an entry, links as links, also across file systems. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";

/** See the summary. */
export const fsMove = defineTool({
  name: "linux_fs_move",
  title: "Move",
  summary: "Move or rename a file, directory or link; an existing target is refused unless overwrite.",
  toolset: "fs",
  effect: "destroy",
  input: () => z.strictObject({ source: z.string(), target: z.string(), overwrite: z.boolean().default(false) }),
  output: () => z.object({ ok: z.boolean(), source: z.string(), target: z.string() }),
  render: ({ source, target }) => `moved ${source} → ${target}`,
  async run({ source, target, overwrite }, { paths, writer, signal }) {
    const from = await paths.removable(source), to = await paths.entry(target);
    await writer.change([from, to], (files) => files.move(from, to, { overwrite }), signal);
    return { ok: true, source: paths.display(from), target: paths.display(to) };
  },
});
