/** `linux_fs_stat`: metadata of one entry, without following links. @module */
import * as z from "zod";
import { entryKind } from "../../sys/files/real_path.ts";
import { wireName } from "../../core/escape_name.ts";
import { entryInfo } from "../../sys/files/entry_info.ts";
import { fileFacts } from "../../sys/files/file_facts.ts";
import { defineTool } from "../../call/tool.ts";

/** See the summary. */
export const fsStat = defineTool({
  name: "linux_fs_stat",
  title: "File facts",
  summary: "Type, size, times, mode, owner, line count and SHA-256 of a path.",
  toolset: "fs",
  effect: "read",
  record: true,
  input: () => z.strictObject({ path: z.string() }),
  output: () =>
    z.object({
      path: z.string(),
      type: z.string(),
      size_bytes: z.int(),
      mtime_iso: z.string(),
      mode: z.string(),
      owner: z.string().optional(),
      nlink: z.int().optional(),
      symlink_target: z.string().optional(),
      lines: z.int().optional(),
      sha256: z.string().optional(),
    }),
  async run({ path }, { paths, entries, signal }) {
    const real = await paths.entry(path), shown = paths.display(real);
    if (await entryKind(real) === null) await paths.existing(path); // says why, also of a name that is not UTF-8
    const info = await entryInfo(real, shown, entries);
    const facts = info.type === "file" ? await fileFacts(real, shown, signal) : null;
    return {
      path: shown,
      type: info.type,
      size_bytes: info.sizeBytes,
      mtime_iso: new Date(info.mtimeMs).toISOString(),
      mode: info.mode.toString(8).padStart(4, "0"),
      ...(info.uid === null ? {} : { owner: `${info.uid}:${info.gid}` }),
      ...(info.links === null ? {} : { nlink: info.links }),
      ...(info.target === null ? {} : { symlink_target: wireName(info.target) }),
      ...facts,
    };
  },
});
