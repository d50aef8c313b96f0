/** Answers a content search with its files, or with the number of hits in each, in place of the lines. @module */
import { estimateTokens } from "../../core/tokens.ts";
import type { ContentFound } from "../../sys/search/search.ts";
import type { ToolContext } from "../../call/tool.ts";
import { showWire } from "../fs/tree_text.ts";
import { bodyTokens, keepRest } from "../keep_rest.ts";

/** What is listed for each file: its path, or the path and how many lines match. */
export type CountKind = "files" | "count";

/** A file with hits. */
export interface CountedFile {
  readonly path: string;
  readonly count: number;
}

/** Files that fit the answer, and the number of all. */
export interface Counted {
  readonly files: CountedFile[];
  readonly handle: string | null;
  readonly allFiles: number;
  readonly allHits: number;
}

/** Rows of the text: paths in their order, or counts with the largest first. */
export function countRows(files: readonly CountedFile[], kind: CountKind): string[] {
  return files.map(({ path, count }) => kind === "files" ? showWire(path) : `${count} ${showWire(path)}`);
}

/** Takes the files that fit, and keeps a list of all where some do not. */
export function countFiles(
  found: ContentFound,
  { kind, most, pathOf }: { kind: CountKind; most: number; pathOf: (below: string) => string },
  { handles, owner, config }: Pick<ToolContext, "handles" | "owner" | "config">,
): Counted {
  const all = found.counts.map(({ path, count }) => ({ path: pathOf(path), count }));
  if (kind === "count") all.sort((a, b) => b.count - a.count);
  const rows = countRows(all, kind);
  let room = bodyTokens(config), fits = 0;
  while (fits < Math.min(most, rows.length) && (room -= estimateTokens(rows[fits] ?? "") + 1) >= 0) fits++;
  const keep = () => handles.put({ kind: "hits", owner, payload: rows.join("\n"), meta: { complete: found.complete } });
  return {
    files: all.slice(0, fits),
    handle: fits < all.length ? keepRest(keep) : null,
    allFiles: all.length,
    allHits: all.reduce((sum, { count }) => sum + count, 0),
  };
}
