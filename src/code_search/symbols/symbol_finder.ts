/** Answers questions about the symbols of one indexed folder. @module */
import { OpsError } from "../../core/error.ts";
import type { GrammarName, Grammars } from "../../sys/grammar.ts";
import type { IndexFiles } from "../../sys/files/index_files.ts";
import type { IndexReader } from "../index_reader.ts";
import { findRewrites, type RewriteAnswer, type RewriteQuestion, rewriteWord } from "../rewrite/find_rewrites.ts";
import { findSymbol, nameAt } from "./find_symbol.ts";
import { makeModuleResolver } from "./module_resolver.ts";
import { makeWorkspace } from "./source_file.ts";
import type { SymbolAnswer, SymbolQuestion } from "./symbol.ts";
import type { NameSyntax } from "./syntax.ts";

/** What it takes. */
export interface SymbolFinderDeps {
  readonly files: IndexFiles;
  readonly grammars: Grammars;
  readonly syntaxOf: (grammar: GrammarName) => NameSyntax;
  readonly maxFileBytes: number;
}

/** Finds symbols. */
export interface SymbolFinder {
  find(question: SymbolQuestion): Promise<SymbolAnswer>;
  /** The name of the innermost definition around a line; null when there is none. */
  nameAt(path: string, line: number): Promise<string | null>;
  /** What a structural rewrite changes. @throws OpsError INVALID_ARGUMENT */
  rewrite(question: RewriteQuestion): Promise<RewriteAnswer>;
  /** The longest word of a pattern. @throws OpsError INVALID_ARGUMENT */
  rewriteWord(question: Pick<RewriteQuestion, "pattern" | "grammar">): Promise<string>;
  /** Stops what runs and waits for it. */
  close(): Promise<void>;
}

/** A question takes no longer; what is not looked at by then is counted. */
const MOST_MS = 8_000;

/** Makes the finder of a folder. @param reader Of its index. */
export function makeSymbolFinder(
  root: string,
  reader: IndexReader,
  { files, grammars, syntaxOf, maxFileBytes }: SymbolFinderDeps,
): SymbolFinder {
  const stop = new AbortController(), running = new Set<Promise<unknown>>();
  let known: { version: string | undefined; resolve: ReturnType<typeof makeModuleResolver> } | undefined;

  const readText = (path: string) => {
    const read = files.read(`${root}/${path}`, maxFileBytes);
    return read === undefined ? undefined : read.text;
  };
  function importResolver() {
    const version = reader.version();
    if (known === undefined || known.version !== version) {
      const rows = reader.read(({ prepare }) => prepare("select path from files").all()) ?? [];
      known = { version, resolve: makeModuleResolver(rows.map(({ path }) => String(path))) };
    }
    return known.resolve;
  }
  function definingFiles(name: string): string[] {
    const rows = reader.read(({ prepare }) =>
      prepare(
        `select distinct path from names join files on files.id = names.file_id where name = ? and name collate binary = ?
        limit 200`,
      ).all(name, name)
    );
    return (rows ?? []).map(({ path }) => String(path));
  }
  async function tracked<T>(work: (workspace: ReturnType<typeof makeWorkspace>) => Promise<T>): Promise<T> {
    stop.signal.throwIfAborted();
    const workspace = makeWorkspace({ read: readText, grammars, syntaxOf });
    const run = work(workspace).finally(() => workspace.close());
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
    }
  }

  return {
    find: (question) =>
      tracked(async (workspace) => {
        const deadline = performance.now() + MOST_MS;
        const deps = {
          workspace,
          grammars,
          importedFile: importResolver(),
          definingFiles,
          isLate: () => performance.now() > deadline,
          signal: stop.signal,
        };
        return await findSymbol(question, deps, (path) => readText(path) ?? "");
      }),
    nameAt: (path, line) => tracked(async (workspace) => await nameAt(path, line, { workspace, grammars }) ?? null),
    rewrite: (question) =>
      tracked(async (workspace) => {
        const deadline = performance.now() + MOST_MS;
        const isLate = () => performance.now() > deadline;
        return await findRewrites(question, { workspace, grammars, isLate, signal: stop.signal });
      }),
    rewriteWord: (question) => tracked(() => rewriteWord(question, grammars)),
    async close() {
      stop.abort(new OpsError("INDEX_UNAVAILABLE", "the server is stopping"));
      await Promise.allSettled(running);
      reader.close();
    },
  };
}
