/**
 * `rag_search`: finds the places in code and prose that answer a question, as snippets with exact locations.
 * @module
 */
import * as z from "zod";
import { once } from "../../core/once.ts";
import { defineTool } from "../../call/tool.ts";
import { renderAnswer } from "./answer_text.ts";

/** How far the index can be trusted. */
export const indexOutput = once(() =>
  z.object({
    fresh: z.boolean(),
    files: z.int(),
    indexed_at: z.string().nullable(),
    state: z.enum(["ready", "indexing", "empty"]),
    stale: z.array(z.string()).readonly().optional(),
    progress: z.object({ done: z.int(), total: z.int() }).readonly().optional(),
    warnings: z.array(z.string()).readonly().optional(),
  })
);

/** Result of a search. */
const searchOutput = () =>
  z.object({
    snippets: z.array(z.object({ text: z.string(), src: z.string(), symbol: z.string(), score: z.number() }))
      .readonly(),
    provenance: z.literal(true),
    index: indexOutput().readonly(),
  });

/** Bounds of an answer where neither call nor configuration says less, and what a call gets that says nothing. */
const MOST = { k: 50, tokens: 20_000, leastTokens: 50 }, USUAL = { k: 3, tokens: 600 };

/** Arguments that bound an answer; the configuration may bound it further. */
export const searchBounds = once(() => ({
  scope: z.enum(["repo", "docs", "both"]).optional(),
  k: z.int().min(1).max(MOST.k).optional(),
  budget_tokens: z.int().min(MOST.leastTokens).max(MOST.tokens).optional(),
}));

/** See the summary. */
export const ragSearch = defineTool({
  name: "rag_search",
  title: "Search code",
  summary: "Find code by meaning, name or error message; answers with the best few snippets.",
  toolset: "rag",
  effect: "read",
  core: true,
  input: () => z.strictObject({ q: z.string(), ...searchBounds() }),
  output: searchOutput,
  render: renderAnswer,
  run({ q, scope, k, budget_tokens }, { index, config, signal, progress }) {
    const { default_scope, top_k, token_budget } = config.settings.rag;
    return index.search({
      q,
      scope: scope ?? default_scope,
      k: Math.min(k ?? (top_k || USUAL.k), top_k || MOST.k),
      budgetTokens: Math.min(budget_tokens ?? (token_budget || USUAL.tokens), token_budget || MOST.tokens),
      signal,
      progress: (done, total) => progress(done, total, "files indexed"),
    });
  },
});
