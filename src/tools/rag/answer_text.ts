/** Formats an answer of code search as text. @module */
import type { SearchAnswer } from "../../code_search/index.ts";
import { metaLine } from "../keep_rest.ts";

const MOST_STALE_SHOWN = 5;

/** Each snippet below a line that says where it stands; the state of the index only where it matters. */
export function renderAnswer({ snippets, index }: SearchAnswer): string {
  const shown = snippets.map(({ text, src, symbol, score }) =>
    `## ${src}${symbol === "" ? "" : ` ${symbol}`} ${score.toFixed(2)}\n${text}`
  );
  const { stale = [], progress, warnings = [] } = index;
  const more = stale.length - MOST_STALE_SHOWN;
  const notes = [
    snippets.length === 0 && "nothing found",
    index.state === "indexing" &&
    `indexing: ${progress?.done ?? 0} of ${progress?.total ?? 0} files are in, ask again for the rest`,
    index.state === "empty" && "the index is empty",
    stale.length > 0 &&
    `changed, not indexed yet: ${stale.slice(0, MOST_STALE_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...warnings,
  ].filter((note) => note !== false);
  return [...shown, ...notes.length > 0 ? [metaLine(...notes)] : []].join("\n");
}
