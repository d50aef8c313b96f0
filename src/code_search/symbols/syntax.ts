/** Looks up how the syntax of a language declares, scopes and uses names. @module */
import type { GrammarName } from "../../sys/grammar.ts";
import type { DeclaredKind, SharedNames, SyntaxTable } from "./syntax_table.ts";
import { SYNTAX_TABLES } from "./syntax_tables.ts";

/** A table as it is looked up. */
export interface NameSyntax {
  readonly declares: ReadonlyMap<string, DeclaredKind>;
  readonly patterns: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly ignoresBlocks: boolean;
  readonly types: ReadonlySet<string>;
  /** Field of the object, by `node.field` of the member. */
  readonly members: ReadonlyMap<string, string>;
  readonly keys: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  readonly heritage: ReadonlySet<string>;
  readonly makes: ReadonlyMap<string, string>;
  readonly hasImplicitThis: boolean;
  readonly shares: SharedNames;
}

const words = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");

function pairs(text: string | undefined): Map<string, string> {
  return new Map(
    words(text).map((word) => {
      const at = word.lastIndexOf(".");
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

function makeSyntax(table: SyntaxTable): NameSyntax {
  const declares = new Map<string, DeclaredKind>();
  for (const [kind, keys] of Object.entries(table.declares)) {
    for (const key of words(keys)) declares.set(key, kind as DeclaredKind); // the keys of the table's own type
  }
  return {
    declares,
    patterns: new Set(words(table.patterns)),
    scopes: new Set(words(table.scopes)),
    functions: new Set(words(table.functions)),
    ignoresBlocks: table.ignoresBlocks ?? false,
    types: new Set(words(table.types)),
    members: pairs(table.members),
    keys: new Set(words(table.keys)),
    calls: new Set(words(table.calls)),
    heritage: new Set(words(table.heritage)),
    makes: pairs(table.makes),
    hasImplicitThis: table.hasImplicitThis ?? false,
    shares: table.shares,
  };
}

/** Makes the look-up of tables, each read when it is first asked for. */
export function makeSyntaxes(): (grammar: GrammarName) => NameSyntax {
  const made = new Map<GrammarName, NameSyntax>();
  return (grammar) => {
    const syntax = made.get(grammar) ?? makeSyntax(SYNTAX_TABLES[grammar]);
    made.set(grammar, syntax);
    return syntax;
  };
}
