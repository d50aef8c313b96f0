/** Opens source files for one question about symbols, and finds the occurrences of names in them. @module */
import { baseName } from "../../core/path.ts";
import type { GrammarName, Grammars, SyntaxTree } from "../../sys/grammar.ts";
import { normalText } from "../chunk_file.ts";
import { languageOf, languageOfScript } from "../languages.ts";
import { type Occurrence, occurrenceAt } from "./occurrence.ts";
import type { NameSyntax } from "./syntax.ts";

/** A file whose syntax is known. */
export interface SourceFile {
  /** Below the root. */
  readonly path: string;
  readonly grammar: GrammarName;
  readonly syntax: NameSyntax;
  readonly text: string;
  /** Occurrences of a name in code, in the order of the text. */
  occurrences(name: string): readonly Occurrence[];
  /** Occurrences of a name that were not looked at, for their number or their depth. */
  leftOut(name: string): number;
  /** Row of an index, from 0. */
  rowOf(index: number): number;
  lineAt(row: number): string;
  tree(): SyntaxTree | undefined;
}

/** Why there is no {@link SourceFile} for a path. */
export type Unread = "missing" | "no grammar" | "too long or binary" | "parser gave up";

/** The files of one question. */
export interface Workspace {
  open(path: string): Promise<SourceFile | Unread>;
  close(): void;
}

/** What it takes to read a file. */
export interface WorkspaceDeps {
  /** The text of a file below the root; null when it is too long or binary, undefined when there is none. */
  read(path: string): string | null | undefined;
  readonly grammars: Grammars;
  readonly syntaxOf: (grammar: GrammarName) => NameSyntax;
}

/** A file with more is a table; what is left out is counted. */
const MOST_OCCURRENCES = 2_000;
/** Trees are large: so many are kept for names that are asked for later. */
const OPEN_TREES = 48;
const WORD = /[\p{L}\p{N}_$]/u;

/** Places of a name as a whole word. */
export function wordPlaces(text: string, name: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const after = text[at + name.length] ?? "";
    if (!WORD.test(text[at - 1] ?? "") && !WORD.test(after)) places.push(at);
    else if (text[at - 1] === "$" && !WORD.test(text[at - 2] ?? "") && !WORD.test(after)) places.push(at); // PHP, Bash
  }
  return places;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Makes the workspace. */
export function makeWorkspace({ read, grammars, syntaxOf }: WorkspaceDeps): Workspace {
  const files = new Map<string, SourceFile | Unread>();
  const trees = new Map<string, SyntaxTree>();

  async function load(path: string): Promise<SourceFile | Unread> {
    const raw = read(path);
    if (raw === undefined) return "missing";
    if (raw === null) return "too long or binary";
    const text = normalText(raw);
    const language = languageOf(path) ?? (baseName(path).includes(".") ? undefined : languageOfScript(text));
    if (!language?.grammar) return "no grammar";
    const name = language.grammar, grammar = await grammars.load(name), syntax = syntaxOf(name);
    const found = new Map<string, { list: Occurrence[]; leftOut: number }>();
    let starts: number[] | undefined;
    const tree = (): SyntaxTree | undefined => {
      const kept = trees.get(path);
      trees.delete(path);
      const opened = kept ?? grammar.open(text);
      if (opened === undefined) return undefined;
      trees.set(path, opened); // the last used is last
      for (const [oldest, old] of trees) {
        if (trees.size <= OPEN_TREES) break;
        old.close();
        trees.delete(oldest);
      }
      return opened;
    };
    const look = (wanted: string) => {
      const known = found.get(wanted);
      if (known !== undefined) return known;
      const places = wordPlaces(text, wanted), opened = places.length === 0 ? undefined : tree();
      const list: Occurrence[] = [];
      let leftOut = opened === undefined ? places.length : Math.max(0, places.length - MOST_OCCURRENCES);
      for (const at of opened === undefined ? [] : places.slice(0, MOST_OCCURRENCES)) {
        const one = occurrenceAt(opened?.root as SyntaxTree["root"], at, wanted, { syntax, grammar: name });
        if (one === "deep") leftOut++;
        else if (one !== undefined) list.push(one);
      }
      const result = { list, leftOut };
      found.set(wanted, result);
      return result;
    };
    const rowsOf = () => starts ??= lineStarts(text);
    return {
      path,
      grammar: name,
      syntax,
      text,
      occurrences: (wanted) => look(wanted).list,
      leftOut: (wanted) => look(wanted).leftOut,
      rowOf(index) {
        const rows = rowsOf();
        let low = 0, high = rows.length - 1;
        while (low < high) {
          const middle = (low + high + 1) >> 1;
          if ((rows[middle] ?? 0) <= index) low = middle;
          else high = middle - 1;
        }
        return low;
      },
      lineAt: (row) => text.slice(rowsOf()[row] ?? 0, (rowsOf()[row + 1] ?? text.length + 1) - 1),
      tree,
    };
  }

  return {
    async open(path) {
      const known = files.get(path);
      if (known !== undefined) return known;
      const file = await load(path);
      files.set(path, file);
      return file;
    },
    close() {
      for (const tree of trees.values()) tree.close();
      trees.clear();
      files.clear();
    },
  };
}
