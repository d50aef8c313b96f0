/** `rag_query`: alias of `rag_search` in the M5 interface. @module */
import * as z from "zod";
import { defineTool } from "../../call/tool.ts";
import { ragSearch, searchBounds } from "./search.ts";

/** See the summary. */
export const ragQuery = defineTool({
  name: "rag_query",
  title: "Query code index",
  summary: "Find code by meaning, name or error message; the same search as rag_search.",
  toolset: "te",
  effect: "read",
  input: () => z.strictObject({ query: z.string(), ...searchBounds() }),
  output: () => ragSearch.output,
  render: (result, { query, ...bounds }) => ragSearch.render?.(result, { q: query, ...bounds }) ?? "",
  run: ({ query, ...bounds }, context) => ragSearch.run({ q: query, ...bounds }, context),
});
