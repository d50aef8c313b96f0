/** The tools of the code search: defaults from the settings, lean text, and the shapes of the specification. @module */
import assert from "node:assert/strict";
import { ragBootload } from "../../../src/tools/rag/bootload.ts";
import { ragSearch } from "../../../src/tools/rag/search.ts";
import { makeTestApp, type TestApp } from "../../support/app.ts";

const FILES = {
  "src/kite.ts": "/** Flies a kite in the wind. */\nexport function flyKite() {\n  return 1;\n}\n",
  "docs/kites.md": "# Kites\n\nHow to fly a kite.\n",
  "src/boat.ts": "/** Sails a boat in the wind. */\nexport function sail() {\n  return 1;\n}\n",
};

const settings = { "mcp.rag.default_scope": "both", "mcp.rag.top_k": 2, "mcp.rag.token_budget": 400 };

/** The result of a search that has caught up with the files. */
async function ask(app: TestApp, args: Readonly<Record<string, unknown>>, tool = "rag_search") {
  for (let left = 50;; left--) {
    const result = ragSearch.output.parse(await app.result(tool, args));
    if (result.index.fresh || left === 0) return result;
  }
}

Deno.test("rag_search answers in the shape of the specification, with defaults from the settings", async () => {
  await using app = await makeTestApp({ files: FILES, settings });
  const result = await ask(app, { q: "fly a kite" });
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

Deno.test("rag_search keeps to scope, k and budget, and rag_query is the same search", async () => {
  await using app = await makeTestApp({ files: FILES, settings: { ...settings, "mcp.tools.toolsets": ["rag", "te"] } });
  const paths = ({ snippets }: Awaited<ReturnType<typeof ask>>) => snippets.map(({ src }) => src.replace(/#.*/, ""));
  assert.deepEqual(paths(await ask(app, { q: "kite", scope: "docs" })), ["docs/kites.md"]);
  assert.deepEqual(paths(await ask(app, { q: "kite", scope: "repo" })), ["src/kite.ts"]);
  assert.equal((await ask(app, { q: "wind", k: 1 })).snippets.length, 1);
  const { index: _, ...search } = await ask(app, { q: "sails a boat" });
  const { index: __, ...query } = await ask(app, { query: "sails a boat" }, "rag_query");
  assert.deepEqual(query, search);
  assert.equal(paths(await ask(app, { q: "sails a boat" }))[0], "src/boat.ts");
});

Deno.test("rag_search says that hits cannot be ranked, or are weak", async () => {
  const twin = (n: number) =>
    `/** Counts the apples of a basket. */\nexport function countApples${n}() {\n  return ${n};\n}\n`;
  const files = { ...FILES, "src/a.ts": twin(1), "src/b.ts": twin(2), "src/c.ts": twin(3) };
  await using app = await makeTestApp({ files, settings });
  await ask(app, { q: "count apples" });
  assert.match(
    (await app.call("rag_search", { q: "count apples of a basket" })).text,
    /\[hits from number 1 on score alike/,
  );
  assert.doesNotMatch((await app.call("rag_search", { q: "flyKite", k: 1 })).text, /alike|weak/);
});

Deno.test("rag_search refuses what its schema does not allow, and takes any text as a question", async () => {
  await using app = await makeTestApp({ files: FILES, settings });
  for (
    const bad of [{ q: 1 }, { q: "x", k: 1.5 }, { q: "x", scope: "all" }, { q: "x", more: 1 }, {}]
  ) {
    assert.equal((await app.call("rag_search", bad)).error?.code, "INVALID_ARGUMENT", JSON.stringify(bad));
  }
  for (const q of ["", "word ".repeat(2_000), 'NEAR("a" OR *', "foo.bar"]) {
    assert.equal((await app.call("rag_search", { q })).error, undefined, q.slice(0, 20));
  }
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
  await using app = await makeTestApp({ files: { ...FILES, "AGENTS.md": "- Always fly safely.\n" }, settings });
  await ask(app, { q: "kite" });
  const result = ragBootload.output.parse(await app.result("rag_bootload"));
  assert.equal(result.session_id, "session");
  const { text } = await app.call("rag_bootload");
  assert.match(text, /^plan: Follow AGENTS\.md\./);
  assert.match(text, /notes: Always fly safely\./);
  const named = await app.result("rag_bootload", { session_id: "S", task_id: "T" });
  assert.deepEqual([named.session_id, named.task_id], ["S", "T"]);
});
