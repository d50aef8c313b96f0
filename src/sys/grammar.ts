/** Parses source text with tree-sitter and its lazily loaded grammars; the only module that imports it. @module */
import type { Language, Node, Query } from "web-tree-sitter";
import { onceDone } from "../core/once.ts";

/** Languages that a definition can be read from. */
export const GRAMMAR_NAMES = [
  "bash",
  "c",
  "cpp",
  "csharp",
  "go",
  "java",
  "javascript",
  "php",
  "python",
  "ruby",
  "rust",
  "tsx",
  "typescript",
] as const;

/** One of {@link GRAMMAR_NAMES}. */
export type GrammarName = typeof GRAMMAR_NAMES[number];

/** A node of a syntax tree; valid only inside the callback that it was handed to. */
export type SyntaxNode = Node;

/** One match of a query: the nodes that it names. */
export interface SyntaxMatch {
  readonly captures: readonly { readonly name: string; readonly node: SyntaxNode }[];
}

/** Where the bytes of the parser and of its grammars come from. */
export interface GrammarAssets {
  /** The tree-sitter runtime, `tree-sitter.wasm.bin`. */
  runtime(): Uint8Array | Promise<Uint8Array>;
  /** One grammar, `grammars/<name>.grammar`. */
  grammar(name: GrammarName): Uint8Array | Promise<Uint8Array>;
}

/** A parsed text; its nodes are valid until it is closed. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  close(): void;
}

/** A loaded grammar. */
export interface Grammar {
  /** Parses a text; undefined when the parser took longer than its time limit. The caller closes the tree. */
  open(text: string): SyntaxTree | undefined;
  /**
   * Parses a text and frees the tree when `read` returns. Indices of nodes count UTF-16 units of the text.
   *
   * @returns What `read` returned; undefined when the parser took longer than its time limit.
   */
  parse<T>(text: string, read: (root: SyntaxNode) => T): T | undefined;
  /**
   * Matches a query, which is compiled once.
   *
   * @returns undefined when that took longer than the time limit.
   */
  match(source: string, root: SyntaxNode): readonly SyntaxMatch[] | undefined;
}

/** All grammars. */
export interface Grammars {
  /** Loads a grammar, once. */
  load(name: GrammarName): Promise<Grammar>;
  /** Loads the grammar and parses in one step, see {@link Grammar.parse}. */
  parse<T>(name: GrammarName, text: string, read: (root: SyntaxNode) => T): Promise<T | undefined>;
}

/** Parsing and matching are quadratic on some broken inputs; no honest file of 1 MB needs this long. */
const LIMIT_MS = 2_000;

/** Read when the first text is parsed: a start needs none of it. */
type TreeSitter = typeof import("web-tree-sitter");

function makeGrammar({ Parser, Query }: TreeSitter, language: Language, limitMs: number): Grammar {
  const parser = new Parser().setLanguage(language);
  const queries = new Map<string, Query>();
  function open(text: string): SyntaxTree | undefined {
    const deadline = performance.now() + limitMs;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (tree !== null) return { root: tree.rootNode, close: () => tree.delete() };
    parser.reset(); // else the next parse resumes this text
    return undefined;
  }
  return {
    open,
    parse(text, read) {
      const tree = open(text);
      if (tree === undefined) return undefined;
      try {
        return read(tree.root);
      } finally {
        tree.close();
      }
    },
    match(source, root) {
      const query = queries.get(source) ?? new Query(language, source);
      queries.set(source, query);
      const deadline = performance.now() + limitMs;
      let isLate = false;
      const matches = query.matches(root, { progressCallback: () => isLate = performance.now() > deadline });
      return isLate ? undefined : matches;
    },
  };
}

/**
 * Makes the set of grammars; nothing is read before the first use.
 *
 * @param limitMs How long one parse, or the match of one query, may take.
 */
export function makeGrammars(assets: GrammarAssets, limitMs = LIMIT_MS): Grammars {
  const loaded = new Map<GrammarName, () => Promise<Grammar>>();

  const started = onceDone(async (): Promise<TreeSitter> => {
    const [treeSitter, wasmBinary] = await Promise.all([import("web-tree-sitter"), assets.runtime()]);
    await treeSitter.Parser.init({ wasmBinary });
    return treeSitter;
  });
  async function read(name: GrammarName): Promise<Grammar> {
    const treeSitter = await started();
    return makeGrammar(treeSitter, await treeSitter.Language.load(await assets.grammar(name)), limitMs);
  }
  function load(name: GrammarName): Promise<Grammar> {
    let grammar = loaded.get(name);
    if (grammar === undefined) {
      grammar = onceDone(() => read(name));
      loaded.set(name, grammar);
    }
    return grammar();
  }
  return {
    load,
    async parse(name, text, read) {
      return (await load(name)).parse(text, read);
    },
  };
}
