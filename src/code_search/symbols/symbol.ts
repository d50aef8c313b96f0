/** Interface of questions about symbols: what can be asked, and the form of the answer. @module */

/** What can be wanted of a symbol. */
export const SYMBOL_WANTS = [
  "definition",
  "references",
  "callers",
  "callees",
  "implementations",
  "outline",
  "tests",
] as const;

/** One of {@link SYMBOL_WANTS}. */
export type SymbolWant = typeof SYMBOL_WANTS[number];

/** A question to the indexer of one folder. */
export interface SymbolQuestion {
  readonly want: SymbolWant;
  /** The symbol, perhaps with what it is in: `Class.method`. Empty: what is at the path and line. */
  readonly name: string;
  /** Below the root; empty when it is asked by name alone. */
  readonly path: string;
  /** From 1; 0 for the whole file. */
  readonly line: number;
  /** Files of the folder that hold the name, below the root. */
  readonly files: readonly string[];
  /** What it is to be called: the answer then has every place that gets the new name, definitions included. */
  readonly newName?: string | undefined;
}

/** A definition. Lines count from 1. */
export interface SymbolDefinition {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly kind: string;
  /** With what it is in. */
  readonly name: string;
  /** The line on which it is named. */
  readonly text: string;
}

/** A place where a symbol is used. */
export interface SymbolPlace {
  readonly path: string;
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly text: string;
  /** The definition around it, with what that is in; empty at the top of a file. */
  readonly inside: string;
  /** Found by scope, import or type; otherwise only the name is the same. */
  readonly certain: boolean;
  /** A short form, `{ name }`, that is both a member and a variable; of a rename only: which of both keeps its name. */
  readonly keeps?: "member" | "variable";
}

/** What was not looked at, and why. */
export interface SymbolLeftOut {
  readonly reason: string;
  readonly count: number;
  /** Some of the files. */
  readonly files: readonly string[];
}

/** An answer. */
export interface SymbolAnswer {
  /** The symbol without what it is in. */
  readonly name: string;
  readonly want: SymbolWant;
  readonly definitions: readonly SymbolDefinition[];
  readonly places: readonly SymbolPlace[];
  readonly left_out: readonly SymbolLeftOut[];
  /** Of a rename: declarations of the new name that it would meet. */
  readonly clashes?: readonly SymbolPlace[];
}
