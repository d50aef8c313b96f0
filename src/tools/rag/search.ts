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

/** Arguments that bound an answer; what is left out has the configured default. */
export const searchBounds = once(() => ({
  scope: z.enum(["repo", "docs", "both"]).optional(),
  k: z.int().min(1).max(50).optional(),
  budget_tokens: z.int().min(50).max(20_000).optional(),
}));

/** See the summary. */
export const ragSearch = defineTool({
  name: "rag_search",
  title: "Search code",
  summary: "Find code by meaning, name or error message; answers with the best few snippets.",
  toolset: "rag",
  effect: "read",
  input: () => z.strictObject({ q: z.string(), ...searchBounds() }),
  output: searchOutput,
  render: renderAnswer,
  run({ q, scope, k, budget_tokens }, { index, config, signal, progress }) {
    const { default_scope, top_k, token_budget } = config.settings.rag;
    return index.search({
      q,
      scope: scope ?? default_scope,
      k: k ?? top_k,
      budgetTokens: budget_tokens ?? token_budget,
      signal,
      progress: (done, total) => progress(done, total, "files indexed"),
    });
  },
});
