/** A code search over a temporary tree, in this thread, for the tests of this folder. @module */
import { makeCodeIndex } from "../../src/code_search/code_index.ts";
import { makeGrammars } from "../../src/sys/grammar.ts";
import type { CodeIndex, SearchAnswer } from "../../src/code_search/index.ts";
import { type IndexerVerbs, makeIndexer } from "../../src/code_search/indexer.ts";
import type { Reranker } from "../../src/code_search/rerank.ts";
import { makeAssets } from "../../src/sys/assets.ts";
import { entriesByPath } from "../../src/sys/files/entries.ts";
import { makeHeldEntries } from "../../src/sys/files/held_entries.ts";
import { type IndexFiles, makeIndexFiles } from "../../src/sys/files/index_files.ts";
import { makeSearch } from "../../src/sys/search/ripgrep.ts";
import type { TreeWatches } from "../../src/sys/files/tree_watch.ts";
import { tempTree } from "../support/temp_tree.ts";

const assets = makeAssets();
const mayUseLibraries = Deno.permissions.querySync({ name: "ffi" }).state === "granted";
/** Files as the executable looks at them; by path, as in a thread with fewer rights, their times are coarser. */
export const testFiles = makeIndexFiles([], mayUseLibraries ? makeHeldEntries() : entriesByPath);

/** The grammars of the source tree. */
export const testGrammars = makeGrammars({
  runtime: () => assets.read("tree-sitter.wasm.bin"),
  grammar: (name) => assets.read(`grammars/${name}.grammar`),
});

/** What a test wants. */
export interface TestIndexOptions {
  readonly maxFileBytes?: number;
  readonly reranker?: (files: IndexFiles) => Reranker;
  /** Asked instead of an indexer in this thread. */
  readonly indexer?: IndexerVerbs;
  /** How long the first question of all waits. */
  readonly firstWaitMs?: number;
  /** Another place for the indexes than inside the tree. */
  readonly dataDir?: string;
  readonly files?: IndexFiles;
  readonly watches?: TreeWatches;
}

/** A code search under test. */
export interface TestIndex extends AsyncDisposable {
  readonly index: CodeIndex;
  readonly indexer: IndexerVerbs;
  /** Real path of the folder that is indexed. */
  readonly root: string;
  readonly dataDir: string;
  write(path: string, text: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** Asks until the index has caught up. */
  ask(q: string, options?: Partial<Parameters<CodeIndex["search"]>[0]>): Promise<SearchAnswer>;
  /** Paths of the snippets of an answer. */
  paths(q: string): Promise<string[]>;
}

const MOST_QUESTIONS = 30;

/** A second code search over the same folder and data. */
export function openTestIndex(
  root: string,
  dataDir: string,
  options: TestIndexOptions = {},
): { index: CodeIndex; indexer: IndexerVerbs } {
  const { files = testFiles } = options;
  const maxFileBytes = options.maxFileBytes ?? 1024 * 1024;
  const indexer = options.indexer ??
    makeIndexer({ dataDir, files, grammars: testGrammars, maxFileBytes, now: Date.now, watches: options.watches });
  const index = makeCodeIndex({
    roots: [root],
    firstRoot: root,
    dataDir,
    files,
    search: makeSearch({ program: null, closed: [dataDir] }),
    maxFileBytes,
    indexer: () => Promise.resolve(indexer),
    display: (path) => path.slice(root.length + 1),
    reranker: options.reranker?.(files),
    ...options.firstWaitMs === undefined ? {} : { firstWaitMs: options.firstWaitMs },
  });
  return { index, indexer };
}

/** Makes a folder with some files and a code search over it. */
export async function testIndex(
  content: Readonly<Record<string, string | Uint8Array>>,
  options: TestIndexOptions = {},
): Promise<TestIndex> {
  const files = Object.fromEntries(Object.entries(content).map(([name, text]) => [`root/${name}`, text]));
  const tree = await tempTree({ "root/": "", "data/": "", ...files });
  const root = tree.path("root"), dataDir = options.dataDir ?? tree.path("data");
  const { index, indexer } = openTestIndex(root, dataDir, options);
  const ask: TestIndex["ask"] = async (q, more = {}) => {
    const request = { q, scope: "both" as const, k: 10, budgetTokens: 8_000, ...more };
    let answer = await index.search(request);
    // A busy machine may need more than the time that one question waits.
    for (let again = 0; !answer.index.fresh && again < MOST_QUESTIONS; again++) answer = await index.search(request);
    return answer;
  };
  return {
    index,
    indexer,
    root,
    dataDir,
    ask,
    async write(path, text) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeFile(`${root}/${path}`, typeof text === "string" ? new TextEncoder().encode(text) : text);
    },
    remove: (path) => Deno.remove(`${root}/${path}`, { recursive: true }),
    paths: async (q) => (await ask(q)).snippets.map(({ src }) => src.replace(/#.*/, "")),
    async [Symbol.asyncDispose]() {
      await index.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}
