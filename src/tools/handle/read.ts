/** `linux_handle_read`: reads on in a result that was too large for one answer. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { bodyTokens, metaLine } from "../keep_rest.ts";

/** A token is hardly ever fewer bytes than this. */
const BYTES_PER_TOKEN = 3;

/** See the summary. */
export const handleRead = defineTool({
  name: "linux_handle_read",
  title: "Read on",
  summary: "Read on in a large result by its handle.",
  toolset: "run",
  effect: "read",
  input: () =>
    z.strictObject({
      handle: z.string(),
      offset: z.int().default(0),
      limit: z.int().min(1).max(100_000).default(200),
      unit: z.enum(["lines", "bytes"]).default("lines"),
    }),
  output: () =>
    z.object({
      content: z.string(),
      offset: z.int(),
      returned: z.int(),
      /** Null where counting would mean reading a very large file to its end. */
      total: z.int().nullable(),
      more: z.boolean(),
      stale: z.boolean(),
      unit: z.enum(["lines", "bytes"]),
      cut_lines: z.int().optional(),
      next_byte: z.int().optional(),
    }),
  render({ content, offset, returned, total, more, stale, unit, cut_lines, next_byte }) {
    const range = unit === "lines" && offset >= 0
      ? `${offset + 1}-${offset + returned}`
      : `${offset}, ${returned} read`;
    const line = metaLine(
      returned === 0 ? `no ${unit} at ${offset} of ${total ?? "?"}` : `${unit} ${range} of ${total ?? "?"}`,
      cut_lines !== undefined && `${cut_lines} cut; rest: unit bytes`,
      stale && "stale: the file has changed since",
      more ? `next: offset ${unit === "bytes" ? next_byte : offset + returned}` : "end",
    );
    return content === "" ? line : `${content}\n${line}`;
  },
  async run({ handle, offset, limit, unit }, { handles, owner, config, signal }) {
    const maxTokens = bodyTokens(config);
    const most = unit === "bytes" ? Math.min(limit, maxTokens * BYTES_PER_TOKEN) : limit;
    const slice = await handles.read(handle, owner, { unit, offset, limit: most, maxTokens }, signal);
    const { content, returned, total, more, stale, cutLines, endByte } = slice;
    return {
      content,
      offset: slice.offset,
      returned,
      total,
      more,
      stale,
      unit,
      ...(cutLines > 0 ? { cut_lines: cutLines } : {}),
      ...(unit === "bytes" ? { next_byte: endByte } : {}),
    };
  },
});
