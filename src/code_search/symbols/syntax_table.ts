/** Defines the table of a language: how its syntax declares, scopes and uses names. @module */

/** What a name is declared as. */
export type DeclaredKind = "function" | "class" | "type" | "variable" | "parameter" | "member" | "module";

/** Names a language shares without an import: none, those of its folder, or those of the whole tree. */
export type SharedNames = "none" | "folder" | "tree";

/** A table as it is written: node types, or `node.field`, separated by blanks. */
export interface SyntaxTable {
  readonly declares: Readonly<Partial<Record<DeclaredKind, string>>>;
  /** Patterns between a declared name and what declares it. */
  readonly patterns?: string;
  /** Nodes whose declarations are seen only inside. */
  readonly scopes: string;
  /** Of those, the ones that a variable without a block of its own belongs to. */
  readonly functions: string;
  /** Declarations of variables see only the function around them, not the block. */
  readonly ignoresBlocks?: boolean;
  /** Nodes that hold members. */
  readonly types: string;
  /** `node.field.object`: the use of a member, and the field of what it is a member of. */
  readonly members: string;
  /** `node.field`: keys of literals and the like, members of what is not written beside them. */
  readonly keys?: string;
  readonly calls: string;
  /** Nodes that name the types another type is made from. */
  readonly heritage: string;
  /** Nodes that make a value of a type, and the field of the type's name. */
  readonly makes?: string;
  /** Members are used without naming the object inside the type. */
  readonly hasImplicitThis?: boolean;
  readonly shares: SharedNames;
}
