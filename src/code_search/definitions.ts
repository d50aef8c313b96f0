/** Finds the definitions of a source file in its syntax tree. @module */
import { DEFINITION_QUERIES, type DefinitionKind } from "./definition_queries.ts";
import type { Grammar, GrammarName, SyntaxNode } from "../sys/grammar.ts";

/** A named piece of a file; rows count from 0, both inclusive. */
export interface Definition {
  kind: DefinitionKind;
  /** One name, or several for `const a = 1, b = 2`. */
  names: string[];
  /** The type it belongs to when that is defined elsewhere: Go receivers, C++ qualifiers. */
  readonly of: string;
  startRow: number;
  endRow: number;
  /** Index in the text where the signature begins and where the inside begins. */
  readonly start: number;
  readonly bodyStart: number;
}

/** Nodes that wrap a definition and belong to it. */
const WRAPPERS = new Set(["decorated_definition", "template_declaration", "export_statement", "ambient_declaration"]);

const BARE_NAME = /^["'`[#~]+|["'`\]]+$/g;

function widened(node: SyntaxNode): SyntaxNode {
  const parent = node.parent;
  return parent !== null && WRAPPERS.has(parent.type) ? parent : node;
}

/** Several definitions that share their lines are one: `typedef struct a {…} b`, overloads of one line, declarators. */
function mergeInto(list: Definition[], added: Definition): void {
  const last = list.at(-1);
  if (last === undefined || last.startRow !== added.startRow || last.endRow !== added.endRow) {
    list.push(added);
    return;
  }
  for (const name of added.names) if (!last.names.includes(name)) last.names.push(name);
  if (last.kind === "constant" || last.kind === "type") last.kind = added.kind;
}

/** Overload signatures that stand directly above each other, or above the implementation, are one definition. */
function joinOverloads(list: readonly Definition[]): Definition[] {
  const joined: Definition[] = [];
  for (const definition of list) {
    const last = joined.at(-1);
    const follows = last !== undefined && definition.startRow > last.endRow && last.bodyStart < 0 &&
      (last.kind === "function" || last.kind === "method") && last.kind === definition.kind &&
      last.names[0] === definition.names[0];
    if (follows) {
      joined.pop();
      joined.push({ ...definition, startRow: last.startRow, start: last.start });
    } else joined.push(definition);
  }
  return joined;
}

function definitionOf(captures: readonly { name: string; node: SyntaxNode }[], stem: string): Definition | undefined {
  let whole: SyntaxNode | undefined, kind = "", name = stem, of = "", bodyStart = -1;
  for (const { name: label, node } of captures) {
    if (label === "name") name = node.text.replace(BARE_NAME, "");
    else if (label === "body") bodyStart = node.startIndex;
    else if (label === "of") of = node.text;
    else [whole, kind] = [node, label];
  }
  if (whole === undefined) return undefined;
  const outer = widened(whole);
  return {
    kind: kind as DefinitionKind, // the query names its captures after the kinds
    names: [name],
    of,
    startRow: outer.startPosition.row,
    // a node that ends with the line break ends on the row before
    endRow: Math.max(outer.startPosition.row, outer.endPosition.row - (outer.endPosition.column === 0 ? 1 : 0)),
    start: outer.startIndex,
    bodyStart,
  };
}

/**
 * Finds the definitions, outer before inner, in the order of the text.
 *
 * @param stem Name for what has none: `export default function () {}` is named after its file.
 * @returns undefined when the parser gave up.
 */
export function findDefinitions(
  grammar: Grammar,
  name: GrammarName,
  text: string,
  stem: string,
): Definition[] | undefined {
  return grammar.parse(text, (root) => {
    const matches = grammar.match(DEFINITION_QUERIES[name], root);
    if (matches === undefined) return undefined;
    const found: Definition[] = [];
    for (const match of matches) {
      const definition = definitionOf(match.captures, stem);
      if (definition !== undefined) found.push(definition);
    }
    found.sort((a, b) => a.startRow - b.startRow || b.endRow - a.endRow || a.start - b.start);
    const list: Definition[] = [];
    for (const definition of found) mergeInto(list, definition);
    return joinOverloads(list);
  });
}
