/** Formats an answer of code search as text. @module */
import type { SearchAnswer } from "../../code_search/index.ts";
import { metaLine } from "../keep_rest.ts";

const MOST_STALE_SHOWN = 5;
/** A best hit below this shares little with the question; hits within this share of each other cannot be ranked. */
const WEAK_SCORE = 0.19, ALIKE_SHARE = 0.01;

/** Each snippet below a line that says where it stands; the state of the index only where it matters. */
export function renderAnswer({ snippets, index }: SearchAnswer): string {
  const shown = snippets.map(({ text, src, symbol, score }) =>
    `## ${src}${symbol === "" ? "" : ` ${symbol}`} ${score.toFixed(2)}\n${text}`
  );
  const { stale = [], progress, warnings = [] } = index;
  const more = stale.length - MOST_STALE_SHOWN;
  const notes = [
    snippets.length === 0 && "nothing found",
    doubtOf(snippets.map(({ score }) => score)),
    index.state === "indexing" &&
    `indexing: ${progress?.done ?? 0} of ${progress?.total ?? 0} files are in, ask again for the rest`,
    index.state === "empty" && "the index is empty",
    stale.length > 0 &&
    `changed, not indexed yet: ${stale.slice(0, MOST_STALE_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...warnings,
  ].filter((note) => note !== false);
  return [...shown, ...notes.length > 0 ? [metaLine(...notes)] : []].join("\n");
}

/** What a reader should know of the scores: that none is good, or that several are the same. */
function doubtOf(scores: readonly number[]): string | false {
  const [best = 1] = scores;
  if (best < WEAK_SCORE) return "weak matches: name a symbol, or search for exact text";
  const alike = scores.findIndex((score, i) => i > 0 && (scores[i - 1] ?? 0) - score <= ALIKE_SHARE * best);
  return alike > 0 && `hits from number ${alike} on score alike: others may fit as well`;
}
