/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The indexer in a thread of its own, as the server has it. @module */
import { makeGrammars } from "../../src/sys/grammar.ts";
import { makeIndexer } from "../../src/code_search/indexer.ts";
import { serveCalls } from "../../src/sandbox/rpc.ts";
import { makeAssets } from "../../src/sys/assets.ts";
import { makeHeldEntries } from "../../src/sys/files/held_entries.ts";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";
import { makeTreeWatches } from "../../src/sys/files/tree_watch.ts";

self.onmessage = ({ data: { dataDir, port } }: MessageEvent<{ dataDir: string; port: MessagePort }>) => {
  const assets = makeAssets();
  const grammars = makeGrammars({
    runtime: () => assets.read("tree-sitter.wasm.bin"),
    grammar: (name) => assets.read(`grammars/${name}.grammar`),
  });
  const files = makeIndexFiles([], makeHeldEntries());
  serveCalls(
    port,
    makeIndexer({ dataDir, files, grammars, maxFileBytes: 1024 * 1024, now: Date.now, watches: makeTreeWatches() }),
  );
};
