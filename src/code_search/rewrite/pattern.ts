/** Matches syntax trees against a pattern of code with variables: `$NAME` is a node, `$$$NAME` is any run of nodes. @module */
import type { Grammar, GrammarName, SyntaxNode } from "../../sys/grammar.ts";

/** The code that the variables of a pattern fit in a match. */
export type Bindings = ReadonlyMap<string, string>;

/** One match. Indices count UTF-16 units. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly bindings: Bindings;
}

/** A node of a pattern, without its tree. */
interface PatternNode {
  readonly type: string;
  readonly text: string;
  readonly children: readonly PatternNode[];
}

/** A pattern for one grammar. */
export interface CodePattern {
  /** The longest word that every match holds. */
  readonly word: string;
  find(root: SyntaxNode): PatternMatch[];
}

const ONE = "llmc1_", MANY = "llmc0_";
const VARIABLE = /\$(\$\$)?([A-Z][A-Z0-9_]*)/g;
/** A pattern of more nodes is a program. */
const MOST_NODES = 500;
const COMMENT = /comment/;

/** Where a statement or expression may be written, by grammar: the pattern is tried in each. */
const CONTEXTS: Partial<Record<GrammarName, readonly string[]>> = {
  go: ["package p\nfunc f() {\n%\n}\n", "package p\n%\n"],
  java: ["class A { void f() {\n%;\n} }\n", "class A { void f() {\n%\n} }\n", "class A {\n%\n}\n"],
  c: ["void f(void) {\n%;\n}\n", "void f(void) {\n%\n}\n"],
  cpp: ["void f() {\n%;\n}\n", "void f() {\n%\n}\n"],
  csharp: ["class A { void F() {\n%;\n} }\n", "class A { void F() {\n%\n} }\n"],
  rust: ["fn f() {\n%;\n}\n", "fn f() {\n%\n}\n"],
};

const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  node.children.flatMap((child) => child === null || COMMENT.test(child.type) ? [] : [child]);

function copy(node: SyntaxNode): PatternNode {
  return { type: node.type, text: node.text, children: childrenOf(node).map(copy) };
}

/** The outermost node with the text of the pattern. */
function nodeWith(root: SyntaxNode, start: number, end: number): SyntaxNode | undefined {
  let node = root.descendantForIndex(start, end - 1);
  while (node !== null && node.startIndex === start && node.endIndex < end && node.parent !== null) node = node.parent;
  if (node === null || node.startIndex !== start || node.endIndex !== end) return undefined;
  while (/^(?:expression_statement|program|module|source_file)$/.test(node.type)) {
    const only: SyntaxNode | null = node.namedChildCount === 1 ? node.namedChild(0) : null;
    if (only === null || only.startIndex !== start || only.endIndex !== end) break;
    node = only;
  }
  return node;
}

function matches(pattern: PatternNode, node: SyntaxNode, bindings: Map<string, string>): boolean {
  if (pattern.text.startsWith(ONE) && /^\w+$/.test(pattern.text)) {
    const name = pattern.text.slice(ONE.length), known = bindings.get(name);
    if (known !== undefined) return known === node.text;
    bindings.set(name, node.text);
    return node.isNamed;
  }
  if (pattern.type !== node.type) return false;
  const children = childrenOf(node);
  if (pattern.children.length === 0) return children.length === 0 && pattern.text === node.text;
  return matchesAll(pattern.children, children, bindings);
}

/** Matches a list, where a variable of many takes as few nodes as it may. */
function matchesAll(
  wanted: readonly PatternNode[],
  nodes: readonly SyntaxNode[],
  bindings: Map<string, string>,
): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return nodes.length === 0;
  const many = new RegExp(`^${MANY}(\\w+);?$`).exec(first.text)?.[1];
  if (many === undefined) {
    const [node, ...others] = nodes;
    return node !== undefined && matches(first, node, bindings) && matchesAll(rest, others, bindings);
  }
  for (let taken = 0; taken <= nodes.length; taken++) {
    const own = new Map(bindings);
    const run = nodes.slice(0, taken), from = run[0], to = run.at(-1);
    const text = from === undefined || to === undefined ? "" : textBetween(from, to);
    if ((bindings.get(many) ?? text) !== text) continue;
    own.set(many, text);
    if (!matchesAll(rest, nodes.slice(taken), own)) continue;
    for (const [name, value] of own) bindings.set(name, value);
    return true;
  }
  return false;
}

function textBetween(from: SyntaxNode, to: SyntaxNode): string {
  const parent = from.parent;
  return parent === null
    ? from.text
    : parent.text.slice(from.startIndex - parent.startIndex, to.endIndex - parent.startIndex);
}

/** Reads a pattern; undefined when it is not code of the language. */
export function readCodePattern(text: string, grammar: Grammar, name: GrammarName): CodePattern | undefined {
  const code = text.trim().replace(VARIABLE, (_, many, variable) => `${many ? MANY : ONE}${variable}`);
  const words = text.replace(VARIABLE, " ").match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const [word = ""] = words.toSorted((a, b) => b.length - a.length);
  for (const context of CONTEXTS[name] ?? ["%\n"]) {
    const start = context.indexOf("%"), source = context.replace("%", () => code);
    const found = grammar.parse(source, (root) => {
      if (root.hasError) return undefined;
      const node = nodeWith(root, start, start + code.length);
      return node === undefined || node.descendantCount > MOST_NODES ? undefined : copy(node);
    });
    if (found !== undefined) return { word, find: (root) => findAll(found, root) };
  }
  return undefined;
}

/** Matches that do not overlap, the outermost first. */
function findAll(pattern: PatternNode, root: SyntaxNode): PatternMatch[] {
  const found: PatternMatch[] = [];
  let end = -1;
  for (const node of root.descendantsOfType(pattern.type)) {
    if (node === null || node.startIndex < end) continue;
    const bindings = new Map<string, string>();
    if (!matches(pattern, node, bindings)) continue;
    found.push({ start: node.startIndex, end: node.endIndex, bindings });
    end = node.endIndex;
  }
  return found;
}

/** The replacement of a match. @returns the name of a variable that the pattern does not have as `unknown` */
export function fillIn(
  replacement: string,
  bindings: Bindings,
): { readonly text: string } | { readonly unknown: string } {
  let unknown: string | undefined;
  const text = replacement.replace(VARIABLE, (whole, _many, variable) => {
    const value = bindings.get(variable);
    if (value === undefined) unknown ??= whole;
    return value ?? "";
  });
  return unknown === undefined ? { text } : { unknown };
}
