/** Asks the indexer about a symbol in every indexed folder that a caller may see. @module */
import { OpsError } from "../core/error.ts";
import { isInside, joinPath } from "../core/path.ts";
import type { Search } from "../sys/search/ripgrep.ts";
import type { IndexerVerbs } from "./indexer.ts";
import type { SymbolRequest } from "./index.ts";
import { isIndexed } from "./file_entry.ts";
import { splitName } from "./symbols/find_symbol.ts";
import type { SymbolAnswer, SymbolLeftOut } from "./symbols/symbol.ts";
import { isInPart, partOf } from "./within.ts";

/** What it takes. */
export interface AskSymbolDeps {
  readonly roots: readonly string[];
  readonly verbs: IndexerVerbs;
  readonly search: Search;
  /** A path as the caller is shown it. */
  readonly display: (path: string) => string;
}

/** Hits are only counted, up to here. */
const MOST_HITS = 500_000;
/** Of more files the first are looked at, the others counted. */
const MOST_FILES = 3_000;

const NO_NAME = "Give 'name', or 'path' and 'line' of a definition.";

/** Indexed files below a root that hold a word, and what was not searched. */
export async function filesWith(
  name: string,
  root: string,
  part: readonly string[],
  search: Search,
  signal: AbortSignal,
): Promise<{ files: string[]; leftOut: SymbolLeftOut[] }> {
  const found = await search.content({
    root,
    pattern: name,
    literal: true,
    ignoreCase: false,
    contextLines: 0,
    maxHits: MOST_HITS,
    countsOnly: true,
    includeHidden: false,
    includeIgnored: false,
  }, signal);
  const seen = found.counts.map(({ path }) => path).filter((path) => isInPart(path, part));
  const wanted = seen.filter(isIndexed), others = seen.filter((path) => !isIndexed(path));
  const leftOut = (reason: string, paths: readonly string[]): SymbolLeftOut[] =>
    paths.length === 0 ? [] : [{ reason, count: paths.length, files: paths.slice(0, 5) }];
  return {
    files: wanted.slice(0, MOST_FILES),
    leftOut: [
      ...leftOut("files that are not indexed", others),
      ...leftOut("too many files hold the name", wanted.slice(MOST_FILES)),
      ...found.complete ? [] : leftOut("the search for the name stopped early", [root]),
    ],
  };
}

/** Answers a request. @throws OpsError INVALID_ARGUMENT, NOT_FOUND. */
export async function askSymbol(
  { want, name = "", path, line = 0, newName, within, signal }: SymbolRequest,
  { roots, verbs, search, display }: AskSymbolDeps,
): Promise<SymbolAnswer> {
  const holding = path === undefined ? roots : roots.filter((root) => isInside(path, root));
  if (holding.length === 0) {
    throw new OpsError("INVALID_ARGUMENT", `'${display(path ?? "")}' is not in an indexed folder`);
  }
  const answers: SymbolAnswer[] = [];
  for (const root of holding) {
    signal.throwIfAborted();
    const below = path === undefined ? "" : path.slice(joinPath(root, "").length);
    const asked = name !== "" || want === "outline"
      ? name
      : line > 0
      ? await verbs.symbolAt(root, below, line) ?? ""
      : "";
    const { last } = splitName(asked);
    if (last === "" && want !== "outline") throw new OpsError("INVALID_ARGUMENT", "no symbol is named", NO_NAME);
    const { files, leftOut } = want === "outline"
      ? { files: [], leftOut: [] }
      : await filesWith(last, root, partOf(root, within), search, signal);
    const answer = await verbs.symbol(root, { want, name: asked, path: below, line, files, newName });
    const shown = (one: string) => display(joinPath(root, one));
    answers.push({
      ...answer,
      definitions: answer.definitions.map((one) => ({ ...one, path: shown(one.path) })),
      places: answer.places.map((one) => ({ ...one, path: shown(one.path) })),
      ...answer.clashes === undefined
        ? {}
        : { clashes: answer.clashes.map((one) => ({ ...one, path: shown(one.path) })) },
      left_out: [...answer.left_out, ...leftOut].map((one) => ({
        ...one,
        files: one.files.map((file) => file.endsWith("()") ? file : shown(file)),
      })),
    });
  }
  const [first] = answers;
  if (first === undefined) throw new OpsError("INVALID_ARGUMENT", "no symbol is named", NO_NAME);
  const all: SymbolAnswer = {
    ...first,
    definitions: answers.flatMap(({ definitions }) => definitions),
    places: answers.flatMap(({ places }) => places),
    left_out: answers.flatMap(({ left_out }) => left_out),
    ...newName === undefined ? {} : { clashes: answers.flatMap(({ clashes = [] }) => clashes) },
  };
  if (all.definitions.length + all.places.length === 0 && want !== "outline" && all.left_out.length === 0) {
    throw new OpsError(
      "NOT_FOUND",
      `no symbol '${all.name}' in the indexed files`,
      "rag_search finds code by meaning.",
    );
  }
  return all;
}
