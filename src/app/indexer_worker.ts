/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/**
 * Indexer worker: reads the roots and writes indexes, in parallel with calls and in the same kind of domain.
 * @module
 */
import { makeGrammars } from "../sys/grammar.ts";
import { type IndexerVerbs, makeIndexer } from "../code_search/indexer.ts";
import { confineSelf } from "../sandbox/confine_self.ts";
import type { Ruleset } from "../sandbox/landlock.ts";
import type { HostConfig } from "../sandbox/protocol.ts";
import { openSecrets } from "./open_secrets.ts";
import { serveCalls } from "../sandbox/rpc.ts";
import { type Assets, assetsOver } from "../sys/assets.ts";
import { type Entries, entriesByPath } from "../sys/files/entries.ts";
import { makeHeldEntries } from "../sys/files/held_entries.ts";
import { makeIndexFiles } from "../sys/files/index_files.ts";
import { makeTreeWatches, type TreeWatches } from "../sys/files/tree_watch.ts";

/** The first message brings everything, every later one only ports on which calls will arrive. */
interface Opening {
  readonly host?: HostConfig;
  readonly domain?: Ruleset | null;
  readonly assets?: MessagePort;
  readonly ports: readonly MessagePort[];
}

function makeVerbs(
  { config, storeDir }: HostConfig,
  assets: Assets,
  entries: Entries,
  watches: TreeWatches | undefined,
): IndexerVerbs {
  const { secrets, refresh } = openSecrets(config);
  const files = makeIndexFiles(config.protectedPaths, entries, secrets.mask);
  return makeIndexer({
    dataDir: storeDir,
    files: {
      ...files,
      async scan(...args) {
        await refresh();
        return await files.scan(...args);
      },
    },
    grammars: makeGrammars({
      runtime: () => assets.read("tree-sitter.wasm.bin"),
      grammar: (name) => assets.read(`grammars/${name}.grammar`),
    }),
    maxFileBytes: config.settings.rag.max_file_bytes,
    now: () => Date.now(),
    watches,
  });
}

let verbs: IndexerVerbs | undefined;
self.onmessage = ({ data }: MessageEvent<Opening>) => {
  if (data.host && data.assets) {
    // Both open the C library while that is still permitted.
    const entries = data.domain ? makeHeldEntries() : entriesByPath;
    const watches = data.domain ? makeTreeWatches() : undefined;
    if (data.domain) confineSelf(data.domain); // before anything touches a file
    verbs = makeVerbs(data.host, assetsOver(data.assets), entries, watches);
  }
  for (const port of data.ports) if (verbs) serveCalls(port, verbs);
};
