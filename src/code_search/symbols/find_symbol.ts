/** Answers a question about a symbol from the files that hold its name. @module */
import type { Grammars } from "../../sys/grammar.ts";
import { makePacer } from "../../sys/pacer.ts";
import { findDefinitions } from "../definitions.ts";
import { isTestPath } from "../file_rules.ts";
import { languageOf } from "../languages.ts";
import { findCallees } from "./callees.ts";
import { findImplementations } from "./implementations.ts";
import { makeLeftOut, type UnseenCounter } from "./left_out.ts";
import { findRenamed } from "./renamed.ts";
import { outlineOf } from "./outline.ts";
import { makeResolver, type Resolver } from "./resolve.ts";
import type { SourceFile, Workspace } from "./source_file.ts";
import { definitionOf } from "./symbol_places.ts";
import type { Target } from "./target.ts";
import { findUses, LATE, textUses, type WantedUses } from "./uses.ts";
import type { SymbolAnswer, SymbolPlace, SymbolQuestion } from "./symbol.ts";

/** What it takes to answer. */
export interface FindSymbolDeps {
  readonly workspace: Workspace;
  readonly grammars: Grammars;
  readonly importedFile: (from: string, target: string) => string | undefined;
  /** Files that define a name, from the index. */
  readonly definingFiles: (name: string) => readonly string[];
  /** Whether the time of the question is over: the rest is left out. */
  readonly isLate: () => boolean;
  readonly signal: AbortSignal;
}

const DEEP = "not looked at, nested too deeply or too many in one file";

/** The name without what it is in, and what it is in. */
export function splitName(name: string): { readonly last: string; readonly owner: string } {
  const parts = name.replace(/\(\)?$/, "").split(/::|[.#\\]|->/).filter((part) => part !== "");
  return { last: parts.at(-1) ?? "", owner: parts.at(-2) ?? "" };
}

/** Files of the candidates that can be read as syntax; the others are counted or found as text. */
async function openFiles(
  { files }: SymbolQuestion,
  name: string,
  { workspace, isLate, signal }: FindSymbolDeps,
  leftOut: UnseenCounter,
): Promise<{ sources: SourceFile[]; texts: string[] }> {
  const sources: SourceFile[] = [], texts: string[] = [], pace = makePacer(signal);
  for (const path of files) {
    await pace();
    const kind = languageOf(path)?.kind;
    if (kind === "docs" || kind === "data") leftOut.add("not looked at, files of prose or data", path);
    else if (isLate()) leftOut.add(LATE, path);
    else {
      const file = await workspace.open(path);
      if (typeof file !== "string") {
        const missed = file.leftOut(name);
        if (missed > 0) leftOut.add(DEEP, path, missed);
        sources.push(file);
      } else if (file === "no grammar") texts.push(path);
      else leftOut.add(file, path);
    }
  }
  return { sources, texts };
}

function declarations(sources: readonly SourceFile[], name: string, owner: string): Target[] {
  const all = sources.flatMap((file) =>
    file.occurrences(name).flatMap((occurrence): Target[] => {
      const { declared } = occurrence;
      return declared?.isOutside ? [{ file, occurrence, declared }] : [];
    })
  );
  if (owner === "") return all;
  const owned = all.filter(({ declared, occurrence, file }) =>
    declared.owner === owner || occurrence.inside.at(-1) === owner ||
    file.path.split("/").at(-1)?.split(".")[0] === owner
  );
  return owned;
}

/** What is at a line: the named symbol there, or the definition around it. */
async function targetsAt(
  question: SymbolQuestion,
  name: string,
  { workspace }: FindSymbolDeps,
  resolver: Resolver,
): Promise<Target[]> {
  const file = await workspace.open(question.path);
  if (typeof file === "string") return [];
  const here = file.occurrences(name).filter(({ start }) => file.rowOf(start) === question.line - 1);
  const declared = here.filter((one) => one.declared !== undefined);
  for (const occurrence of [...declared, ...here]) {
    const meaning = await resolver.resolve(file, name, occurrence);
    if (meaning.is === "declared") return [...meaning.targets];
  }
  const nearest = file.occurrences(name).filter((one) =>
    one.declared !== undefined && one.declared.whole.start <= lineEnd(file, question.line)
  )
    .at(-1);
  return nearest?.declared === undefined ? [] : [{ file, occurrence: nearest, declared: nearest.declared }];
}

const lineEnd = (file: SourceFile, line: number): number => {
  let at = 0;
  for (let row = 1; row <= line && at >= 0; row++) at = file.text.indexOf("\n", at) + 1 || file.text.length;
  return at;
};

/** The name of the innermost definition around a line; undefined when there is none. */
export async function nameAt(
  path: string,
  line: number,
  { workspace, grammars }: Pick<FindSymbolDeps, "workspace" | "grammars">,
): Promise<string | undefined> {
  const file = await workspace.open(path);
  if (typeof file === "string") return undefined;
  const found = findDefinitions(await grammars.load(file.grammar), file.grammar, file.text, "") ?? [];
  return found.filter(({ startRow, endRow }) => startRow < line && line <= endRow + 1).at(-1)?.names[0];
}

/** Answers. @param read The text of a file below the root. */
export async function findSymbol(
  question: SymbolQuestion,
  deps: FindSymbolDeps,
  read: (path: string) => string,
): Promise<SymbolAnswer> {
  const { want } = question, { last: name, owner } = splitName(question.name);
  if (want === "outline") return { name, want, places: [], ...await outlineOf(question.path, deps) };
  const leftOut = makeLeftOut();
  const definingFiles = (asked: string) => asked === name ? question.files : deps.definingFiles(asked);
  const resolver = makeResolver({ ...deps, definingFiles });
  const { sources, texts } = await openFiles(question, name, deps, leftOut);
  const chosen = question.path === "" || question.line === 0
    ? declarations(sources, name, owner).filter(({ file }) => question.path === "" || file.path === question.path)
    : await targetsAt(question, name, deps, resolver);
  const definitions = chosen.map(definitionOf);
  const answer = (places: readonly SymbolPlace[]) => ({
    name,
    want,
    definitions,
    places: places.toSorted((a, b) => Number(b.certain) - Number(a.certain)),
    left_out: leftOut.list(),
  });
  if (question.newName !== undefined) {
    const wanted = { ...deps, name, sources, chosen, resolver, leftOut };
    const renamed = await findRenamed(wanted, question.newName);
    return { ...answer([]), ...renamed };
  }
  const uses = (wanted: WantedUses["wanted"]) =>
    findUses({ ...deps, name, sources, chosen, resolver, leftOut, wanted });
  switch (want) {
    case "definition":
      return { ...answer(chosen.length > 0 ? [] : textUses(texts, name, read, leftOut)) };
    case "references":
      return answer([...await uses(() => true), ...textUses(texts, name, read, leftOut)]);
    case "callers":
      return answer([...await uses(({ isCall }) => isCall), ...textUses(texts, name, read, leftOut)]);
    case "tests":
      return answer(await uses(({ imported }, { path }) => isTestPath(path) && imported === undefined));
    case "callees":
      return answer(await findCallees(chosen, resolver, leftOut));
    case "implementations":
      return answer(await findImplementations(sources, name, chosen, resolver));
  }
}
