/** `linux_search_content`: finds lines by content, grouped by file. @module */
import { restAt } from "../../core/bound.ts";
import * as z from "zod";
import type { ContentHit } from "../../sys/search/search.ts";
import { defineTool } from "../../call/tool.ts";
import { bodyTokens, keepRest, metaLine } from "../keep_rest.ts";
import { countFiles, countRows } from "./content_counts.ts";
import { hitText } from "./hit_text.ts";
import { describeLeftOut, describeScope, leftOutSchema, makeShownPath, scopeInput, whileReporting } from "./scope.ts";

const hit = () => z.object({ path: z.string(), line: z.int(), snippet: z.string(), first_line: z.int() });

const output = () =>
  z.object({
    hits: z.array(hit()),
    /** Instead of hits, where files or counts are asked for: matching lines of each file. */
    files: z.array(z.object({ path: z.string(), count: z.int() })).optional(),
    total_files: z.int().optional(),
    /** Absent when the search stopped at its bound. */
    total_hits: z.int().optional(),
    truncated: z.boolean(),
    handle: z.string().nullable(),
    engine: z.enum(["rg", "builtin"]),
    unreadable: z.array(z.string()).optional(),
    /** Files and folders that were not searched, by reason; a binary file is one that matches and is not shown. */
    left_out: leftOutSchema(),
    /** Hits that the search counted before it stopped. */
    counted_hits: z.int().optional(),
    across_lines: z.boolean().optional(),
    /** Hits that the text shows, when it does not show all. */
    shown_hits: z.int().optional(),
  });

const input = () =>
  z.strictObject({
    root: z.string().default("."),
    pattern: z.string(),
    file_glob: z.string().optional(),
    literal: z.boolean().default(false),
    ignore_case: z.boolean().default(true),
    context_lines: z.int().min(0).max(10).optional(),
    max_results: z.int().min(1).max(1_000).default(100),
    output: z.enum(["lines", "files", "count"]).default("lines"),
    ...scopeInput(),
  });

type Args = z.output<ReturnType<typeof input>>;
type Result = z.output<ReturnType<typeof output>>;

/** Lines around a hit in the structure when nothing is said; the text shows them only when they are asked for. */
const DEFAULT_CONTEXT = 3;
/** Hits that are counted and kept; a search with more stops there and says so. */
const COUNTED_HITS = 2_000;
/** The same, where only their number is wanted. */
const MAX_COUNTED = 500_000;
/** Tokens that the text spends on hits: a fair answer to a common word, and more for those who ask for more. */
const MIN_TEXT_TOKENS = 1_350;
const TOKENS_PER_HIT = 14;

/** See the summary. */
export const searchContent = defineTool({
  name: "linux_search_content",
  title: "Search in files",
  summary: "Search file contents by regular expression or literal text.",
  toolset: "search",
  effect: "read",
  core: true,
  input,
  output,
  render(result, args) {
    if (result.files !== undefined && args.output !== "lines") {
      return [...countRows(result.files, args.output), notes(result, args, result.files.length)].join("\n");
    }
    const shown = result.hits.slice(0, result.shown_hits), options = { withContext: withContext(args) };
    const { lines } = hitText(shown, { ...options, fold: true });
    // The handle holds every hit on a line of its own, so that its lines can be counted.
    const offset = hitText(shown, options).lines.length;
    return [...lines, notes(result, args, offset)].join("\n");
  },
  async run(args, context) {
    const { paths, search, handles, owner, config, signal } = context, countsOnly = args.output !== "lines";
    const root = await paths.existing(args.root);
    const searching = search.content({
      root,
      pattern: args.pattern,
      fileGlob: args.file_glob,
      literal: args.literal,
      ignoreCase: args.ignore_case,
      contextLines: countsOnly ? 0 : args.context_lines ?? DEFAULT_CONTEXT,
      maxHits: countsOnly ? MAX_COUNTED : COUNTED_HITS,
      countsOnly,
      includeHidden: args.include_hidden,
      includeIgnored: args.include_ignored,
    }, signal);
    const found = await whileReporting(searching, context.progress);
    const shownPath = makeShownPath(paths.display(root));
    const common = {
      engine: found.engine,
      ...(found.unreadable.length > 0 ? { unreadable: [...found.unreadable] } : {}),
      left_out: found.leftOut,
      ...(found.acrossLines ? { across_lines: true } : {}),
    };
    if (args.output !== "lines") {
      const wanted = { kind: args.output, most: args.max_results, pathOf: shownPath };
      const { files, handle, allFiles, allHits } = countFiles(found, wanted, context);
      return {
        hits: [],
        files,
        total_files: allFiles,
        ...(found.complete ? { total_hits: allHits } : { counted_hits: allHits }),
        truncated: !found.complete || files.length < allFiles,
        handle,
        ...common,
      };
    }
    const all = found.hits.map((one) => toHit(one, shownPath(one.path)));
    const hits = all.slice(0, args.max_results);
    const maxTokens = Math.min(bodyTokens(config), Math.max(MIN_TEXT_TOKENS, TOKENS_PER_HIT * args.max_results));
    const { shownHits } = hitText(hits, { withContext: withContext(args), fold: true, maxTokens });
    const keep = () => {
      const { lines } = hitText(all, { withContext: withContext(args) });
      const meta = { root: args.root, pattern: args.pattern, complete: found.complete };
      return handles.put({ kind: "hits", owner, payload: lines.join("\n"), meta });
    };
    return {
      hits,
      ...(found.complete ? { total_hits: all.length } : { counted_hits: all.length }),
      ...(found.complete && hits.length < all.length ? { total_files: filesOf(all) } : {}),
      truncated: !found.complete || hits.length < all.length,
      handle: shownHits < all.length ? keepRest(keep) : null,
      ...common,
      ...(shownHits < all.length ? { shown_hits: shownHits } : {}),
    };
  },
});

function toHit({ line, text, before, after }: ContentHit, path: string): Result["hits"][number] {
  return { path, line, snippet: [...before, text, ...after].join("\n"), first_line: line - before.length };
}

function filesOf(hits: Result["hits"]): number {
  return new Set(hits.map(({ path }) => path)).size;
}

function withContext({ context_lines = 0 }: Args): boolean {
  return context_lines > 0;
}

/** The line below the hits: how many, of how many, what was not searched, and where the rest is. */
function notes(result: Result, args: Args, shownRows: number): string {
  const { hits, files, total_hits, handle, engine, unreadable, shown_hits, left_out, across_lines } = result;
  const allFiles = result.total_files ?? filesOf(hits);
  const isCut = files ? files.length < allFiles : shown_hits !== undefined || total_hits !== hits.length;
  return metaLine(
    countText(result, args, allFiles),
    isCut && `the first ${files ? `${files.length} files` : shown_hits ?? hits.length} shown`,
    across_lines && "matches reach over line ends",
    describeLeftOut(left_out, total_hits !== undefined),
    unreadable && `${unreadable.length} unreadable`,
    engine === "builtin" && "built-in search, no ripgrep",
    handle !== null && restAt(handle, shownRows),
  );
}

function countText({ hits, total_hits, counted_hits }: Result, args: Args, allFiles: number): string {
  const kind = `${args.literal ? "text" : "regex"}, ${args.ignore_case ? "any case" : "case kept"}`;
  if (allFiles === 0 && hits.length === 0) return `no hits for '${args.pattern}' (${kind}) in ${describeScope(args)}`;
  if (total_hits === undefined) {
    return `more than ${counted_hits} hits, counting stopped there: narrow pattern or file_glob`;
  }
  return `${total_hits} ${total_hits === 1 ? "hit" : "hits"} in ${allFiles} ${allFiles === 1 ? "file" : "files"}`;
}
