/** Hits are reordered by an embeddings service, and keep their order when none answers. @module */
import assert from "node:assert/strict";
import { makeReranker } from "../../src/code_search/rerank.ts";
import { testIndex } from "./test_index.ts";

const FILES = {
  "a.ts": "/** Sorts the letters of the post office. */\nexport function first() {\n  return 1;\n}\n",
  "b.ts": "/** Sorts the letters of the alphabet backwards. */\nexport function second() {\n  return 2;\n}\n",
  "c.ts": "/** Sorts the letters of a word, for anagrams. */\nexport function third() {\n  return 3;\n}\n",
};

interface Seen {
  readonly inputs: string[][];
  readonly models: unknown[];
}

/** A service that finds anagrams nearest to everything. */
function serve(seen: Seen, reply: (count: number) => Response | undefined = () => undefined) {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { input, model } = await request.json();
    seen.inputs.push(input);
    seen.models.push(model);
    if (new URL(request.url).pathname !== "/v1/embeddings") return new Response("no such path", { status: 404 });
    const own = reply(input.length);
    if (own !== undefined) return own;
    const data = input.map((text: string, index: number) => {
      const near = index === 0 || text.includes("anagrams") ? 1 : 0;
      return { index, embedding: [near, 1 - near, 0.1] };
    });
    return Response.json({ data: data.reverse() });
  });
}

Deno.test("the service's order counts as much as that of the words, and vectors are kept", async () => {
  const seen: Seen = { inputs: [], models: [] };
  await using server = serve(seen);
  const url = `http://127.0.0.1:${server.addr.port}`;
  await using test = await testIndex(FILES, {
    reranker: (files) => makeReranker({ url, model: "tiny", fetch, files, maxFileBytes: 1_000_000 }),
  });
  const words = await testIndex(FILES);
  const plain = await words.paths("sorts letters");
  await words[Symbol.asyncDispose]();
  await test.index.sync();
  seen.inputs.length = 0;
  const found = await test.paths("sorts letters");
  assert.ok(found.indexOf("c.ts") < plain.indexOf("c.ts") || plain[0] === "c.ts", `${plain} became ${found}`);
  assert.deepEqual(new Set(found), new Set(plain));
  assert.equal(seen.models[0], "tiny");
  assert.equal(seen.inputs[0]?.length, 4, "the question and three texts");
  await test.paths("letters sorts");
  assert.equal(seen.inputs.at(-1)?.length, 1, "known texts are not asked for again");
  seen.inputs.length = 0;
  await test.write("a.ts", FILES["a.ts"].replace("post office", "harbour"));
  await test.paths("sorts letters");
  const texts = seen.inputs.flatMap(([_question, ...texts]) => texts);
  assert.equal(texts.length, 1, "a changed text is, once");
  assert.match(texts[0] ?? "", /harbour/);
});

Deno.test("a service that is down, slow, refuses or talks nonsense leaves the order of the words, marked", async () => {
  const refusals: Record<string, (count: number) => Response> = {
    refused: () => new Response("no", { status: 401 }),
    nonsense: () => Response.json({ data: "vectors" }),
    short: () => Response.json({ data: [{ index: 0, embedding: [1] }] }),
    text: () => new Response("<html>"),
  };
  for (const [name, reply] of Object.entries(refusals)) {
    await using server = serve({ inputs: [], models: [] }, reply);
    const url = `http://127.0.0.1:${server.addr.port}/v1/`;
    await using test = await testIndex(FILES, {
      reranker: (files) => makeReranker({ url, model: "", fetch, files, maxFileBytes: 1_000_000 }),
    });
    const { snippets, index } = await test.ask("sorts letters");
    assert.equal(snippets.length, 3, name);
    assert.match(index.warnings?.join() ?? "", /ordered by words alone/, name);
  }
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  await using test = await testIndex(FILES, {
    reranker: (files) =>
      makeReranker({ url: `http://127.0.0.1:${port}`, model: "", fetch, files, maxFileBytes: 1_000_000 }),
  });
  assert.match((await test.ask("sorts letters")).index.warnings?.join() ?? "", /ordered by words alone/);
  await using slow = await testIndex(FILES, {
    reranker: (files) =>
      makeReranker({
        url: "http://127.0.0.1:1",
        model: "",
        files,
        maxFileBytes: 1_000_000,
        timeoutMs: 20,
        fetch: (_, { signal }) =>
          new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      }),
  });
  assert.match((await slow.ask("sorts letters")).index.warnings?.join() ?? "", /ordered by words alone/);
});
