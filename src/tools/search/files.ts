/** `linux_search_files`: finds files by name, best match first. @module */
import { restAt } from "../../core/bound.ts";
import { fitLines } from "../../core/bound_lines.ts";
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { showWire } from "../fs/tree_text.ts";
import { bodyTokens, keepRest, metaLine } from "../keep_rest.ts";
import { describeLeftOut, describeScope, leftOutSchema, makeShownPath, scopeInput, whileReporting } from "./scope.ts";

const output = () =>
  z.object({
    hits: z.array(z.object({ path: z.string() })),
    /** Absent when the search did not run to its end. */
    total_hits: z.int().optional(),
    truncated: z.boolean(),
    handle: z.string().nullable(),
    engine: z.enum(["rg", "builtin"]),
    unreadable: z.array(z.string()).optional(),
    /** Files and folders that were not looked at, by reason. */
    left_out: leftOutSchema(),
  });

/** See the summary. */
export const searchFiles = defineTool({
  name: "linux_search_files",
  title: "Find files",
  summary: "Find files by part of their path, or by glob; lower case fits any case.",
  toolset: "search",
  effect: "read",
  input: () =>
    z.strictObject({
      root: z.string().default("."),
      pattern: z.string(),
      file_glob: z.string().optional(),
      max_results: z.int().min(1).max(2_000).default(200),
      ...scopeInput(),
    }),
  output,
  render({ hits, total_hits, handle, engine, unreadable, left_out }, args) {
    const leftOut = describeLeftOut(left_out, total_hits !== undefined);
    if (hits.length === 0) {
      return metaLine(`no file matches '${args.pattern}' in ${describeScope(args)}`, leftOut, engineNote(engine));
    }
    const total = total_hits === undefined ? "more" : total_hits;
    const notes = [
      total !== hits.length && `${hits.length} of ${total} files`,
      leftOut,
      unreadable && `${unreadable.length} unreadable`,
      engineNote(engine),
      handle !== null && restAt(handle, hits.length),
    ];
    const lines = hits.map(({ path }) => showWire(path));
    return [...lines, ...(notes.some((note) => note) ? [metaLine(...notes)] : [])].join("\n");
  },
  async run(args, context) {
    const { paths, search, handles, owner, config, signal } = context;
    const root = await paths.existing(args.root), shownPath = makeShownPath(paths.display(root));
    const searching = search.files({
      root,
      pattern: args.pattern,
      fileGlob: args.file_glob,
      includeHidden: args.include_hidden,
      includeIgnored: args.include_ignored,
    }, signal);
    const found = await whileReporting(searching, context.progress);
    const first = found.paths.slice(0, args.max_results).map(shownPath);
    const hits = first.slice(0, fitLines(first, bodyTokens(config), 1));
    const truncated = hits.length < found.paths.length || !found.complete;
    const keep = () => {
      const payload = found.paths.map((path) => showWire(shownPath(path))).join("\n");
      return handles.put({ kind: "names", owner, payload, meta: { root: args.root, pattern: args.pattern } });
    };
    return {
      hits: hits.map((path) => ({ path })),
      ...(found.complete ? { total_hits: found.paths.length } : {}),
      truncated,
      handle: hits.length < found.paths.length ? keepRest(keep) : null,
      engine: found.engine,
      left_out: found.leftOut,
      ...(found.unreadable.length > 0 ? { unreadable: [...found.unreadable] } : {}),
    };
  },
});

function engineNote(engine: "rg" | "builtin"): string | false {
  return engine === "builtin" && "built-in search, no ripgrep";
}
