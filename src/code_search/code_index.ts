/** Code search over all indexed folders: refresh, find, re-rank, cut. @module */
import { unlessAborted } from "../core/time.ts";
import { joinPath } from "../core/path.ts";
import { OpsError } from "../core/error.ts";
import { once, onceDone } from "../core/once.ts";
import type { Search } from "../sys/search/ripgrep.ts";
import type { IndexFiles } from "../sys/files/index_files.ts";
import { makeBootload } from "./bootload.ts";
import { askRewrite } from "./ask_rewrite.ts";
import { askSymbol, type AskSymbolDeps } from "./ask_symbol.ts";
import { findFresh } from "./find_fresh.ts";
import { readHits, type RootedHit } from "./hits.ts";
import type {
  Bootload,
  CodeIndex,
  IndexProgress,
  IndexState,
  RootStatus,
  SearchAnswer,
  SearchRequest,
  SyncOptions,
  SyncReport,
} from "./index.ts";
import { indexPath } from "./index_database.ts";
import type { IndexerVerbs } from "./indexer.ts";
import { makeIndexReader } from "./index_reader.ts";
import { readQuestion } from "./question.ts";
import type { Reranker } from "./rerank.ts";
import { fileCount, indexState } from "./index_state.ts";
import { type RefreshReport, unavailable } from "./root_indexer.ts";
import { type OpenRoot, refresh, tellProgress } from "./refresh.ts";
import { rootStatus } from "./root_status.ts";
import { makeSnippets, mergeHits } from "./snippets.ts";
import { makeThesaurus } from "./thesaurus.ts";
import { partOf, type Within } from "./within.ts";
import { makeStems } from "./words.ts";

/** What the code search is made of. */
export interface CodeIndexDeps {
  /** Real paths of the folders that are indexed. */
  readonly roots: readonly string[];
  /** The folder that a session is told about when none is indexed; undefined when there is none at all. */
  readonly firstRoot: string | undefined;
  readonly dataDir: string;
  readonly files: IndexFiles;
  /** Finds the files that hold a name. */
  readonly search: Search;
  /** Longer files are not indexed. */
  readonly maxFileBytes: number;
  /** Opens the indexer, here or in a worker, when it is first needed. */
  readonly indexer: () => Promise<IndexerVerbs>;
  /** A path as a caller is shown it. @param path Real path. */
  readonly display: (path: string) => string;
  /** Re-ranks the best hits; undefined when there is no reranker. */
  readonly reranker?: Reranker | undefined;
  /** How long a question waits for an index of which more is missing than there is. */
  readonly firstWaitMs?: number;
}

/** Hits that are looked at for each snippet wanted: some are joined, some have changed. */
const SPARE_HITS = 3;

/** The folder whose paths begin so below another one. */
function folderAt(root: string, start: string): string {
  return start === "" ? root : joinPath(root, start.slice(0, -1));
}

/** Makes the code search. Nothing is opened before it is asked. */
export function makeCodeIndex(deps: CodeIndexDeps): CodeIndex {
  const stems = makeStems();
  const thesaurus = once(() => makeThesaurus(stems.stem));
  let opened: Promise<OpenRoot[]> | undefined;
  let indexer: Promise<IndexerVerbs> | undefined;

  const openRoots = () =>
    opened ??= Promise.all(deps.roots.map(async (root) => {
      const path = await indexPath(deps.dataDir, root);
      return { root, path, reader: makeIndexReader(path) };
    }));
  const openIndexer = onceDone(() => indexer = deps.indexer());

  const rootsIn = async (within: Within | undefined) =>
    (await openRoots()).filter(({ root }) => partOf(root, within).length > 0);

  const told = (root: string, progress: IndexProgress) => (done: number, total: number) =>
    progress(done, total, deps.display(root));

  /** @throws OpsError INDEX_UNAVAILABLE */
  async function requireRoots(within?: Within): Promise<OpenRoot[]> {
    const seen = deps.roots.length > 0 ? await rootsIn(within) : [];
    if (seen.length > 0) return seen;
    if (deps.roots.length > 0) {
      throw new OpsError(
        "INDEX_UNAVAILABLE",
        "nothing inside this client's roots is indexed",
        "linux_search_content works without an index.",
      );
    }
    throw new OpsError(
      "INDEX_UNAVAILABLE",
      "no folder is indexed: every root is as large as a home directory, and so is the working directory",
      "Set mcp.rag.roots to the folders to index; linux_search_content works without.",
    );
  }

  async function catchUp(root: OpenRoot, progress?: IndexProgress): Promise<RefreshReport> {
    const { firstWaitMs } = deps;
    return await refresh(root, await openIndexer(), { firstWaitMs, tell: progress && told(root.root, progress) });
  }

  async function search(request: SearchRequest): Promise<SearchAnswer> {
    const { q, k, budgetTokens, scope, within, signal, progress } = request;
    const { display } = within ?? deps;
    const roots = await requireRoots(within);
    const question = readQuestion(q, stems, thesaurus());
    const findIn = async (open: OpenRoot) => {
      const { root, reader } = open;
      const { report, found } = await findFresh({
        reader,
        find: () => reader.find(question, scope, partOf(root, within)),
        catchUp: () => catchUp(open, progress),
        replaceDamaged: async () => await (await openIndexer()).replaceDamaged(root),
      });
      return { root: open, report, found };
    };
    const answers = await unlessAborted(Promise.all(roots.map(findIn)), signal);
    let ranked: RootedHit[] = answers
      .flatMap(({ root, found }) => found.ranked.map((hit) => ({ ...hit, root: root.root })))
      .sort((a, b) => b.score - a.score);
    const warnings: string[] = [];
    if (deps.reranker !== undefined && ranked.length > 1) {
      const again = await deps.reranker(q, ranked, roots, signal);
      if (again.warning === undefined) ranked = again.hits;
      else warnings.push(again.warning);
    }
    const { hits, stale } = readHits(ranked, k * SPARE_HITS, k, { ...deps, display });
    const rarities = new Map(
      answers.flatMap(({ found }) => found.terms).flatMap(({ forms, related, rarity }) => [
        ...[...related].map(([word, own]) => [word, Math.min(own, rarity) / 2] as const),
        ...[...forms.keys()].map((word) => [word, rarity] as const),
      ]),
    );
    const worth = (line: string) =>
      [...new Set(stems.of(line))].reduce((sum, word) => sum + (rarities.get(word) ?? 0), 0);
    const reports = answers.map(({ root, report }) => ({ root: root.root, report }));
    return {
      snippets: makeSnippets(mergeHits(hits, k), budgetTokens, worth),
      provenance: true,
      index: indexState(reports, { files: fileCount(roots), staleHits: stale, warnings, display, within }),
    };
  }

  /** Runs the indexer over each folder, telling how far it is. */
  async function syncAll(rebuild: boolean, { signal, progress }: SyncOptions): Promise<SyncReport> {
    const verbs = await openIndexer(), started = performance.now();
    const sum = { files: 0, added: 0, changed: 0, removed: 0 };
    for (const { root } of await requireRoots()) {
      signal?.throwIfAborted();
      const stop = () => void verbs.cancel(root);
      signal?.addEventListener("abort", stop, { once: true });
      const quiet = progress === undefined ? () => {} : tellProgress(verbs, root, told(root, progress));
      try {
        const report = await verbs.sync(root, rebuild);
        for (const key of ["files", "added", "changed", "removed"] as const) sum[key] += report[key];
        progress?.(report.files, report.files, deps.display(root));
      } finally {
        quiet();
        signal?.removeEventListener("abort", stop);
      }
      signal?.throwIfAborted();
    }
    return { ...sum, duration_ms: Math.round(performance.now() - started) };
  }

  /** What questions about the files themselves are asked with, once the index knows which files there are. */
  async function askDeps(within: Within | undefined): Promise<AskSymbolDeps> {
    const roots = await requireRoots(within), verbs = await openIndexer();
    await Promise.all(roots.map((root) => catchUp(root)));
    const { display } = within ?? deps;
    return { roots: roots.map(({ root }) => root), verbs, search: deps.search, display };
  }

  async function bootload(sessionId: string, taskId: string, within?: Within): Promise<Bootload> {
    const [first] = deps.roots.length > 0 ? await rootsIn(within) : [];
    let index: IndexState = { fresh: false, files: 0, indexed_at: null, state: "empty" };
    if (first !== undefined) {
      try {
        const report = await catchUp(first);
        const { display } = within ?? deps;
        index = indexState([{ root: first.root, report }], {
          files: fileCount([first]),
          staleHits: [],
          warnings: [],
          display,
          within,
        });
      } catch (error) {
        const { message } = unavailable(error); // the files of the folder still tell something
        index = { ...index, warnings: [message] };
      }
    }
    const [start = ""] = first === undefined ? [] : partOf(first.root, within);
    const root = first === undefined ? within?.roots[0] ?? deps.firstRoot : folderAt(first.root, start);
    const reader = index.warnings === undefined || index.files > 0 ? first?.reader : undefined;
    return makeBootload({ sessionId, taskId, root, start, reader, index, files: deps.files });
  }

  return {
    search,
    async symbol(request) {
      return await unlessAborted(askSymbol(request, await askDeps(request.within)), request.signal);
    },
    async rewrite(request) {
      return await unlessAborted(askRewrite(request, await askDeps(request.within)), request.signal);
    },
    bootload,
    async status(): Promise<readonly RootStatus[]> {
      return (await openRoots()).map(({ root, path, reader }) => rootStatus(root, path, reader));
    },
    sync: (options = {}) => syncAll(false, options),
    rebuild: (options = {}) => syncAll(true, options),
    async close() {
      await (await indexer?.catch(() => undefined))?.close();
      for (const { reader } of await opened ?? []) reader.close();
    },
  };
}
