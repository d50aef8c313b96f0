/** Opens the code search of this configuration. @module */
import type { AppDeps } from "./deps.ts";
import type { Config } from "../config/resolve.ts";
import { makeCodeIndex } from "../code_search/code_index.ts";
import type { CodeIndex } from "../code_search/index.ts";
import { makeReranker } from "../code_search/rerank.ts";
import { makeIndexFiles } from "../sys/files/index_files.ts";
import type { Search } from "../sys/search/ripgrep.ts";
import type { PathGuard } from "../roots/path_guard.ts";

/** Opens nothing before it is asked. */
export function openIndex(
  { indexer, startup, entries }: Pick<AppDeps, "indexer" | "startup" | "entries">,
  { settings, roots, protectedPaths }: Config,
  display: PathGuard["display"],
  mask: (text: string) => string,
  search: Search,
): CodeIndex {
  const { rag } = settings;
  const files = makeIndexFiles(protectedPaths, entries, mask);
  const maxFileBytes = rag.max_file_bytes;
  const reranker = rag.embeddings_url
    ? makeReranker({ url: rag.embeddings_url, model: rag.embeddings_model, fetch, files, maxFileBytes })
    : undefined;
  return makeCodeIndex({
    roots: rag.roots,
    firstRoot: roots[0],
    dataDir: startup.host.storeDir,
    files,
    search,
    maxFileBytes,
    indexer,
    display,
    reranker,
  });
}
