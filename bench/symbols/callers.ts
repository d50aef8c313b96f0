/** Compares the callers that the code search and codegraph find with those of a language server. @module */
import { findDefinitions } from "../../src/code_search/definitions.ts";
import { languageOf } from "../../src/code_search/languages.ts";
import { testGrammars } from "../../tests/code_search/test_index.ts";
import type { Subject } from "../rag/subject.ts";
import type { CodeGraph } from "./codegraph.ts";
import { ask, type AskedSymbol } from "./compare.ts";
import type { LanguageServer } from "./language_server.ts";

/** Callers that were right, missed and wrong. */
export interface CallerScore {
  right: number;
  missed: number;
  wrong: number;
}

/** Both scores over the same symbols. */
export interface CallerScores {
  readonly ours: CallerScore;
  readonly peer: CallerScore;
  readonly symbols: number;
}

/** The innermost function or type around a row, by name; undefined at the top of a file. */
async function callerAt(root: string, path: string, row: number): Promise<string | undefined> {
  const grammar = languageOf(path)?.grammar;
  if (!grammar) return undefined;
  const text = await Deno.readTextFile(`${root}/${path}`);
  const found = findDefinitions(await testGrammars.load(grammar), grammar, text, "") ?? [];
  const around = found.filter(({ kind, startRow, endRow }) =>
    startRow <= row && row <= endRow && (kind === "function" || kind === "method")
  );
  return around.at(-1)?.names[0];
}

function add(score: CallerScore, found: ReadonlySet<string>, truth: ReadonlySet<string>): void {
  for (const one of found) truth.has(one) ? score.right++ : score.wrong++;
  for (const one of truth) if (!found.has(one)) score.missed++;
}

/** Asks all three about each symbol that has callers. */
export async function compareCallers(
  subject: Subject,
  server: LanguageServer,
  peer: CodeGraph,
  symbols: readonly AskedSymbol[],
): Promise<CallerScores> {
  const { root } = subject;
  const ours = { right: 0, missed: 0, wrong: 0 }, theirs = { right: 0, missed: 0, wrong: 0 };
  let asked = 0;
  const callersOf = async (places: readonly { readonly path: string; readonly row: number }[]) => {
    const found = new Set<string>();
    for (const { path, row } of places) {
      const name = await callerAt(root, path, row);
      if (name !== undefined) found.add(`${path} ${name}`);
    }
    return found;
  };
  for (const symbol of symbols) {
    const { places } = await ask(subject, symbol, "callers");
    const calls = (await server.references(symbol)).filter(isCallOf(root, symbol.name));
    const truth = await callersOf(calls);
    const found = await peer.callers(symbol.name, symbol.path, symbol.row);
    if (truth.size === 0 || found === undefined) continue;
    asked++;
    const certain = places.filter((one) => one.certain).map(({ path, line }) => ({ path, row: line - 1 }));
    add(ours, await callersOf(certain), truth);
    add(theirs, new Set(found), truth);
  }
  return { ours, peer: theirs, symbols: asked };
}

/** Whether what is at a place is called there: an opening bracket follows the name. */
function isCallOf(root: string, name: string) {
  const lines = new Map<string, readonly string[]>();
  return ({ path, row, column }: { readonly path: string; readonly row: number; readonly column: number }): boolean => {
    const text = lines.get(path) ?? Deno.readTextFileSync(`${root}/${path}`).split("\n");
    lines.set(path, text);
    return /^\s*(?:<[^()]*>)?\s*\(/.test((text[row] ?? "").slice(column + name.length));
  };
}
