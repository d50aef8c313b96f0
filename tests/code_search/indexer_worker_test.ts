/// <reference lib="deno.unstable" />
/** The indexer works in a thread of its own that may read the roots and write the data directory, nothing else. @module */
import assert from "node:assert/strict";
import { makeCodeIndex } from "../../src/code_search/code_index.ts";
import type { IndexerVerbs } from "../../src/code_search/indexer.ts";
import { connectCalls } from "../../src/sandbox/rpc.ts";
import { makeAssets, serveAssets } from "../../src/sys/assets.ts";
import { makeSearch } from "../../src/sys/search/ripgrep.ts";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";
import { eventually } from "../support/eventually.ts";
import { tempTree } from "../support/temp_tree.ts";

function startWorker(root: string, dataDir: string): { worker: Worker; verbs: IndexerVerbs; close(): void } {
  const worker = new Worker(new URL("./indexer_child.ts", import.meta.url), {
    type: "module",
    deno: {
      permissions: {
        read: [root, dataDir],
        write: [dataDir],
        env: [],
        net: false,
        run: false,
        ffi: false,
        sys: false,
        import: false,
      },
    },
  });
  const calls = new MessageChannel(), assets = new MessageChannel();
  serveAssets(assets.port1, makeAssets());
  worker.postMessage({ dataDir, calls: calls.port2, assets: assets.port2 }, [calls.port2, assets.port2]);
  return {
    worker,
    verbs: connectCalls<IndexerVerbs>(calls.port1),
    close() {
      calls.port1.close();
      assets.port1.close();
      worker.terminate();
    },
  };
}

Deno.test("searches are answered while a worker indexes, tell how far it is, and see everything in the end", async () => {
  const count = 600;
  const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [
    `root/src/file${at}.ts`,
    `/** Carves pumpkin ${at}. */\nexport function carve${at}(knife: string) {\n  return knife;\n}\n`.repeat(1) +
    Array.from({ length: 40 }, (_, n) => `export function helper${at}x${n}() {\n  return ${n};\n}\n`).join(""),
  ]));
  await using tree = await tempTree({ ...files, "data/": "" });
  const root = tree.path("root"), dataDir = tree.path("data");
  const { verbs, close } = startWorker(root, dataDir);
  const index = makeCodeIndex({
    roots: [root],
    firstRoot: root,
    dataDir,
    files: makeIndexFiles([]),
    search: makeSearch({ program: null, closed: [] }),
    maxFileBytes: 1_000_000,
    firstWaitMs: 0,
    indexer: () => Promise.resolve(verbs),
    display: (path) => path.slice(root.length + 1),
  });
  const ask = () => index.search({ q: "carves pumpkin 599", scope: "repo", k: 1, budgetTokens: 300 });
  const seen: number[] = [], shown: number[] = [];
  let answer = await ask();
  const running = index.sync({ progress: (done) => shown.push(done) });
  while (answer.index.state !== "ready") {
    if (answer.index.state === "indexing") {
      assert.equal(answer.index.fresh, false);
      seen.push(answer.index.progress?.done ?? -1);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    answer = await ask();
  }
  await running;
  assert.ok(seen.length > 0, "an answer came before the end");
  assert.deepEqual(seen, [...seen].sort((a, b) => a - b), "it only goes forward");
  assert.equal(shown.at(-1), count);
  await eventually(async () => { // files that were written in the second in which they were read are read again
    answer = await ask();
    assert.equal(answer.index.fresh, true);
  });
  assert.match(answer.snippets[0]?.src ?? "", /file599\.ts/);
  await Deno.writeTextFile(`${root}/src/file599.ts`, "/** Carves turnip 599. */\nexport function carve() {}\n");
  for (let left = 50; left > 0 && !/turnip/.test(answer.snippets[0]?.text ?? ""); left--) answer = await ask();
  assert.match(answer.snippets[0]?.text ?? "", /turnip/);
  await index.close();
  close();
});
