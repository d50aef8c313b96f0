/** `repo_read`: alias of `linux_fs_read` in the M5 interface, bounded in bytes. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { fsRead } from "../fs/read.ts";

/** See the summary. */
export const repoRead = defineTool({
  name: "repo_read",
  title: "Read repository file",
  summary: "Read lines of a file of the repository; a negative offset_lines counts from the end.",
  toolset: "te",
  effect: "read",
  input: () =>
    fsRead.input.extend({
      max_bytes: z.int().min(1).max(1_048_576).optional(),
    }),
  output: () => fsRead.output,
  render: (result, { path, offset_lines, max_lines }) =>
    fsRead.render?.(result, { path, offset_lines, max_lines }) ?? result.content,
  async run({ max_bytes, ...window }, context) {
    const whole = await fsRead.run(window, context);
    const lines = max_bytes === undefined ? Infinity : linesWithin(whole.content, max_bytes);
    // Asked again rather than cut here: counts and handle must tell of the smaller window.
    return lines < whole.meta.returned_lines ? await fsRead.run({ ...window, max_lines: lines }, context) : whole;
  },
});

/** How many lines fit into so many bytes; at least one. */
function linesWithin(content: string, maxBytes: number): number {
  const encoder = new TextEncoder();
  let bytes = 0, lines = 0;
  for (const line of content.split("\n")) {
    bytes += encoder.encode(line).length + 1;
    if (bytes > maxBytes + 1 && lines > 0) break;
    lines++;
  }
  return lines;
}
