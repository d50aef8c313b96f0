/** `linux_fs_mkdirs`: creates a directory with its parents. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { defineTool } from "../../call/tool.ts";

/** See the summary. */
export const fsMkdirs = defineTool({
  name: "linux_fs_mkdirs",
  title: "Make directories",
  summary: "Make a directory and its missing parents.",
  toolset: "fs",
  effect: "write",
  idempotent: true,
  input: () => z.strictObject({ path: z.string(), exist_ok: z.boolean().default(true) }),
  output: () => z.object({ ok: z.boolean(), path: z.string(), created: z.array(z.string()) }),
  render: ({ path, created }) => created.length === 0 ? `${path} exists` : `made ${path}`,
  async run({ path, exist_ok }, { paths, writer, signal }) {
    const real = await paths.target(path), shown = paths.display(real);
    const created = await writer.change([real], (files) => files.makeDirectories(real), signal);
    if (created.length === 0 && !exist_ok) {
      throw new OpsError("INVALID_ARGUMENT", `'${shown}' already exists`, "Set 'exist_ok', or give another path.");
    }
    return { ok: true, path: shown, created: created.map(paths.display) };
  },
});
