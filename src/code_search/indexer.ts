/** Interface of the indexer, in the same thread or in a worker behind a port. @module */
import type { CatchUpReport, IndexingDeps } from "./catch_up.ts";
import { indexPath } from "./index_database.ts";
import { makeIndexReader } from "./index_reader.ts";
import { makeRootIndexer, type RefreshReport, type RootIndexer } from "./root_indexer.ts";
import type { RewriteAnswer, RewriteQuestion } from "./rewrite/find_rewrites.ts";
import type { SymbolAnswer, SymbolQuestion } from "./symbols/symbol.ts";
import { makeSymbolFinder, type SymbolFinder } from "./symbols/symbol_finder.ts";
import { makeSyntaxes } from "./symbols/syntax.ts";
import { makeStems } from "./words.ts";

/** What can be asked; roots are real paths. */
export interface IndexerVerbs {
  /** Catches up with the disk for at most `waitMs`; the rest goes on behind. @throws OpsError INDEX_UNAVAILABLE. */
  refresh(root: string, waitMs: number): Promise<RefreshReport>;
  /** Catches up completely. @throws OpsError INDEX_UNAVAILABLE. */
  sync(root: string, rebuild: boolean): Promise<CatchUpReport>;
  /** A reader met damage in the index: it is set aside. @throws OpsError INDEX_UNAVAILABLE. */
  replaceDamaged(root: string): Promise<void>;
  /** Files done and to do in the present run. */
  progress(root: string): Promise<{ done: number; total: number }>;
  cancel(root: string): Promise<void>;
  /** Answers a question about a symbol from the files as they are now. */
  symbol(root: string, question: SymbolQuestion): Promise<SymbolAnswer>;
  /** The name of the innermost definition around a line, from 1; null when there is none. @param path Below the root. */
  symbolAt(root: string, path: string, line: number): Promise<string | null>;
  /** What a structural rewrite changes in the files as they are now. @throws OpsError INVALID_ARGUMENT */
  rewrite(root: string, question: RewriteQuestion): Promise<RewriteAnswer>;
  /** The longest word of a pattern: files without it do not match. @throws OpsError INVALID_ARGUMENT */
  rewriteWord(root: string, question: Pick<RewriteQuestion, "pattern" | "grammar">): Promise<string>;
  close(): Promise<void>;
}

/** What an indexer is made of. */
export interface IndexerDeps extends Omit<IndexingDeps, "stems" | "owner"> {
  /** The indexes lie in a folder of it. */
  readonly dataDir: string;
}

/** Makes the indexer. Nothing is opened before it is asked for. */
export function makeIndexer(deps: IndexerDeps): IndexerVerbs {
  const roots = new Map<string, Promise<RootIndexer>>();
  const finders = new Map<string, Promise<SymbolFinder>>(), syntaxOf = makeSyntaxes();
  const shared = { ...deps, stems: makeStems(), owner: crypto.randomUUID() };
  const of = (root: string): Promise<RootIndexer> => {
    let made = roots.get(root);
    if (made === undefined) {
      made = indexPath(deps.dataDir, root).then((path) => makeRootIndexer(root, path, shared));
      roots.set(root, made);
    }
    return made;
  };
  const finderOf = (root: string): Promise<SymbolFinder> => {
    let made = finders.get(root);
    if (made === undefined) {
      made = indexPath(deps.dataDir, root).then((path) =>
        makeSymbolFinder(root, makeIndexReader(path), { ...deps, syntaxOf })
      );
      finders.set(root, made);
    }
    return made;
  };
  return {
    refresh: async (root, waitMs) => await (await of(root)).refresh(waitMs),
    sync: async (root, rebuild) => await (await of(root)).sync(rebuild),
    replaceDamaged: async (root) => (await of(root)).replaceDamaged(),
    progress: async (root) => (await of(root)).progress(),
    cancel: async (root) => (await of(root)).cancel(),
    symbol: async (root, question) => await (await finderOf(root)).find(question),
    rewrite: async (root, question) => await (await finderOf(root)).rewrite(question),
    rewriteWord: async (root, question) => await (await finderOf(root)).rewriteWord(question),
    symbolAt: async (root, path, line) => await (await finderOf(root)).nameAt(path, line),
    async close() {
      await Promise.all([...finders.values()].map(async (finder) => await (await finder).close()));
      finders.clear();
      await Promise.all([...roots.values()].map(async (indexer) => await (await indexer).close()));
      roots.clear();
    },
  };
}
