/** The tools of the code search: defaults from the settings, lean text, and the shapes of the specification. @module */
import assert from "node:assert/strict";
import type { CodeIndex, SearchRequest } from "../../../src/rag/index.ts";
import type { ToolContext } from "../../../src/te/tool.ts";
import { ragBootload } from "../../../src/tools/rag/bootload.ts";
import { ragQuery } from "../../../src/tools/rag/query.ts";
import { ragSearch } from "../../../src/tools/rag/search.ts";
import { testIndex } from "../../rag/test_index.ts";

/** What the tools use of a context. */
function contextOf(index: Pick<CodeIndex, "search" | "bootload">): ToolContext {
  const rag = { default_scope: "both", top_k: 2, token_budget: 400 };
  return {
    index,
    config: { settings: { rag } },
    session: { sessionId: "labelled" },
    signal: new AbortController().signal,
  } as unknown as ToolContext;
}

const FILES = {
  "src/kite.ts": "/** Flies a kite in the wind. */\nexport function flyKite() {\n  return 1;\n}\n",
  "docs/kites.md": "# Kites\n\nHow to fly a kite.\n",
  "src/boat.ts": "/** Sails a boat in the wind. */\nexport function sail() {\n  return 1;\n}\n",
};

Deno.test("rag_search answers in the shape of the specification, with defaults from the settings", async () => {
  await using test = await testIndex(FILES);
  await test.index.sync();
  const result = ragSearch.output.parse(await ragSearch.run({ q: "fly a kite" }, contextOf(test.index)));
  assert.equal(result.provenance, true);
  assert.ok(result.snippets.length <= 2);
  const kite = result.snippets.find(({ src }) => src.startsWith("src/kite.ts"));
  assert.deepEqual(kite && { ...kite, score: 0 }, {
    text: FILES["src/kite.ts"].trimEnd(),
    src: "src/kite.ts#L1-L4",
    symbol: "flyKite",
    score: 0,
  });
  assert.equal(result.index.files, 3);
});

Deno.test("rag_search passes arguments on and keeps to the specification's bounds", async () => {
  const seen: SearchRequest[] = [];
  const index = {
    provenance: true,
    snippets: [],
    index: { fresh: true, files: 0, indexed_at: null, state: "empty" },
  } as const;
  const context = contextOf({
    search: (request) => {
      seen.push(request);
      return Promise.resolve(index);
    },
    bootload: () => Promise.reject(new Error("not asked")),
  });
  await ragSearch.run({ q: "x", scope: "docs", k: 7, budget_tokens: 900 }, context);
  await ragQuery.run({ query: "y" }, context);
  assert.deepEqual(seen.map(({ q, scope, k, budgetTokens }) => [q, scope, k, budgetTokens]), [
    ["x", "docs", 7, 900],
    ["y", "both", 2, 400],
  ]);
  for (
    const bad of [{ q: 1 }, { q: "x", k: 0 }, { q: "x", k: 51 }, { q: "x", scope: "all" }, { q: "x", more: 1 }, {}]
  ) {
    assert.equal(ragSearch.input.safeParse(bad).success, false, JSON.stringify(bad));
  }
  for (const q of ["", "word ".repeat(2_000)]) assert.equal(ragSearch.input.safeParse({ q }).success, true);
});

Deno.test("the lean text names place, symbol and score above each snippet, and what is not fresh below", () => {
  const answer = {
    provenance: true,
    snippets: [
      { text: "export function a() {\n}", src: "a.ts#L1-L2", symbol: "a", score: 0.75 },
      { text: "text", src: "b.md#L3-L3", symbol: "", score: 0.5 },
    ],
    index: { fresh: true, files: 2, indexed_at: "2026-01-01T00:00:00.000Z", state: "ready" },
  } as const;
  assert.equal(
    ragSearch.render?.(answer, { q: "a" }),
    "## a.ts#L1-L2 a 0.75\nexport function a() {\n}\n## b.md#L3-L3 0.50\ntext",
  );
  const behind = {
    ...answer,
    snippets: [],
    index: {
      ...answer.index,
      fresh: false,
      state: "indexing",
      progress: { done: 3, total: 9 },
      stale: ["1", "2", "3", "4", "5", "6", "7"],
      warnings: ["made anew"],
    },
  } as const;
  assert.equal(
    ragSearch.render?.(behind, { q: "a" }),
    "[nothing found · indexing: 3 of 9 files are in, ask again for the rest · " +
      "changed, not indexed yet: 1, 2, 3, 4, 5 and 2 more · made anew]",
  );
});

Deno.test("rag_bootload tells what the index tells, with the session's label when none is given", async () => {
  await using test = await testIndex({ ...FILES, "AGENTS.md": "- Always fly safely.\n" });
  await test.index.sync();
  const result = ragBootload.output.parse(await ragBootload.run({}, contextOf(test.index)));
  assert.equal(result.session_id, "labelled");
  const text = ragBootload.render?.(result, {}) ?? "";
  assert.match(text, /^plan: Follow AGENTS\.md\./);
  assert.match(text, /notes: Always fly safely\./);
  const named = await ragBootload.run({ session_id: "S", task_id: "T" }, contextOf(test.index));
  assert.deepEqual([named.session_id, named.task_id], ["S", "T"]);
});
