/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The indexer in a thread with narrowed rights. @module */
import { makeGrammars } from "../../src/sys/grammar.ts";
import { type IndexerVerbs, makeIndexer } from "../../src/code_search/indexer.ts";
import { serveCalls } from "../../src/sandbox/rpc.ts";
import { assetsOver } from "../../src/sys/assets.ts";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";

interface Start {
  readonly dataDir: string;
  readonly calls: MessagePort;
  readonly assets: MessagePort;
}

self.onmessage = ({ data }: MessageEvent<Start>) => {
  const assets = assetsOver(data.assets);
  const indexer = makeIndexer({
    dataDir: data.dataDir,
    files: makeIndexFiles([]),
    grammars: makeGrammars({
      runtime: () => assets.read("tree-sitter.wasm.bin"),
      grammar: (name) => assets.read(`grammars/${name}.grammar`),
    }),
    maxFileBytes: 1_000_000,
    now: Date.now,
  });
  serveCalls<IndexerVerbs>(data.calls, indexer);
};
