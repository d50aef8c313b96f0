/** Compares references found by the code search with those of a language server. @module */
import { findDefinitions } from "../../src/code_search/definitions.ts";
import type { SymbolAnswer, SymbolWant } from "../../src/code_search/symbols/symbol.ts";
import { OpsError } from "../../src/core/error.ts";
import { languageOf } from "../../src/code_search/languages.ts";
import { testGrammars } from "../../tests/code_search/test_index.ts";
import type { Subject } from "../rag/subject.ts";
import type { LanguageServer, Place } from "./language_server.ts";

/** How many references were right, missed and wrong. */
export interface Agreement {
  symbols: number;
  both: number;
  onlyServer: number;
  onlyOurs: number;
  /** Of ours, those that are told to be certain. */
  certainBoth: number;
  certainOnlyOurs: number;
  readonly missed: string[];
  readonly wrong: string[];
}

/** A definition that is asked about. */
export interface AskedSymbol extends Place {
  readonly name: string;
}

const KINDS = new Set(["function", "method", "class", "interface", "type", "enum", "constant"]);

/** Every `step`th definition of the files, so that about `most` are asked about. */
export async function chooseSymbols(root: string, files: readonly string[], most: number): Promise<AskedSymbol[]> {
  const all: AskedSymbol[] = [];
  for (const path of files) {
    const grammar = languageOf(path)?.grammar;
    if (!grammar) continue;
    const text = await Deno.readTextFile(`${root}/${path}`);
    for (const found of findDefinitions(await testGrammars.load(grammar), grammar, text, "") ?? []) {
      const [name = ""] = found.names;
      const at = text.indexOf(name, found.start);
      if (!KINDS.has(found.kind) || !/^[\w$]+$/.test(name) || name === "constructor" || at < 0) continue;
      const row = text.slice(0, at).split("\n").length - 1;
      all.push({ path, name, row, column: at - text.lastIndexOf("\n", at - 1) - 1 });
    }
  }
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, at) => at % step === 0).slice(0, most);
}

const keyOf = ({ path, row }: { readonly path: string; readonly row: number }): string => `${path}:${row + 1}`;

/** Whether a line is one of a comment: TypeScript's service finds links in comments, too. */
function isComment(root: string, { path, row }: Place): boolean {
  const file = path.startsWith("/") ? path : `${root}/${path}`;
  try {
    return /^\s*(?:\*|\/\*|\/\/|#)/.test(Deno.readTextFileSync(file).split("\n")[row] ?? "");
  } catch {
    return true; // outside the folder: not a use that is compared
  }
}

/** Asks the code search about the symbol at its definition; one that it does not know has no uses. */
export async function ask(
  { index, root }: Subject,
  { name, path, row }: AskedSymbol,
  want: SymbolWant,
): Promise<Pick<SymbolAnswer, "places">> {
  const signal = AbortSignal.timeout(120_000);
  try {
    return await index.symbol({ want, name, path: `${root}/${path}`, line: row + 1, signal });
  } catch (error) {
    if (error instanceof OpsError && error.code === "NOT_FOUND") return { places: [] };
    throw error;
  }
}

/** Asks both about each symbol. */
export async function compare(
  subject: Subject,
  server: LanguageServer,
  symbols: readonly AskedSymbol[],
): Promise<Agreement> {
  const sum: Agreement = {
    symbols: symbols.length,
    both: 0,
    onlyServer: 0,
    onlyOurs: 0,
    certainBoth: 0,
    certainOnlyOurs: 0,
    missed: [],
    wrong: [],
  };
  for (const symbol of symbols) {
    const uses = (await server.references(symbol)).filter((place) => !isComment(subject.root, place));
    const theirs = new Set(uses.map(keyOf));
    theirs.delete(keyOf(symbol));
    const { places } = await ask(subject, symbol, "references");
    const ours = new Map<string, boolean>();
    for (const { path, line, certain } of places) {
      const key = `${path}:${line}`;
      ours.set(key, certain || ours.get(key) === true);
    }
    ours.delete(keyOf(symbol));
    for (const [key, certain] of ours) {
      const isRight = theirs.has(key);
      if (isRight) sum.both++;
      else {
        sum.onlyOurs++;
        sum.wrong.push(`${symbol.name} (${keyOf(symbol)}) ${certain ? "" : "?"}${key}`);
      }
      if (certain) isRight ? sum.certainBoth++ : sum.certainOnlyOurs++;
    }
    for (const key of theirs) {
      if (ours.has(key)) continue;
      sum.onlyServer++;
      sum.missed.push(`${symbol.name} (${keyOf(symbol)}) ${key}`);
    }
  }
  return sum;
}
