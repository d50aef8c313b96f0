/** Code search over a folder, with its index in a temporary directory and its indexer in a thread. @module */
import { makeCodeIndex } from "../../src/code_search/code_index.ts";
import type { CodeIndex, SearchRequest } from "../../src/code_search/index.ts";
import type { IndexerVerbs } from "../../src/code_search/indexer.ts";
import { connectCalls } from "../../src/sandbox/rpc.ts";
import { makeHeldEntries } from "../../src/sys/files/held_entries.ts";
import { makeSearch } from "../../src/sys/search/ripgrep.ts";
import { testRipgrep } from "../../tests/support/ripgrep.ts";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";

/** What is measured. */
export interface Subject extends AsyncDisposable {
  readonly index: CodeIndex;
  readonly root: string;
}

/** Opens the code search over a folder. */
export async function openSubject(folder: string, firstWaitMs: number): Promise<Subject> {
  const root = await Deno.realPath(folder);
  const dataDir = await Deno.makeTempDir({ prefix: "llmc-rag-" });
  const worker = new Worker(new URL("./indexer_worker.ts", import.meta.url), { type: "module" });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ dataDir, port: port2 }, [port2]);
  const verbs = connectCalls<IndexerVerbs>(port1);
  const entries = makeHeldEntries(); // as the executable does
  const index = makeCodeIndex({
    roots: [root],
    firstRoot: root,
    dataDir,
    files: makeIndexFiles([], entries),
    search: makeSearch({ program: await testRipgrep(), closed: [] }),
    maxFileBytes: 1024 * 1024,
    firstWaitMs,
    indexer: () => Promise.resolve(verbs),
    display: (path) => path.slice(root.length + 1),
  });
  return {
    index,
    root,
    async [Symbol.asyncDispose]() {
      await index.close();
      port1.close();
      worker.terminate();
      entries[Symbol.dispose]();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}

/** Times of questions in milliseconds. */
export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly count: number;
}

/** Sorts times out. */
export function latenciesOf(times: readonly number[]): Latencies {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95), count: sorted.length };
}

/** Asks every question as a model would: the default number of snippets and budget. */
export async function timeQuestions({ index }: Subject, questions: readonly string[]): Promise<Latencies> {
  const ask = (q: string): SearchRequest => ({ q, scope: "repo", k: 3, budgetTokens: 600 });
  const times: number[] = [];
  for (const q of questions) {
    const from = performance.now();
    await index.search(ask(q));
    times.push(performance.now() - from);
  }
  return latenciesOf(times);
}
