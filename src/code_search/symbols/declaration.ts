/** Reads how a name is declared: as what, where it is seen, and of what type. @module */
import type { GrammarName, SyntaxNode } from "../../sys/grammar.ts";
import type { Link } from "./node_chain.ts";
import { readReceiver, type Receiver, UNKNOWN } from "./receiver.ts";
import type { NameSyntax } from "./syntax.ts";
import type { DeclaredKind } from "./syntax_table.ts";

/** Part of a text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A declaration. */
export interface Declared {
  readonly kind: DeclaredKind;
  /** Where it is seen by its name alone; null for a member that is only seen through its object. */
  readonly seen: TextSpan | null;
  /** Seen beyond its file: not a local. */
  readonly isOutside: boolean;
  /** The type that it is a member of; empty otherwise. */
  readonly owner: string;
  /** All of the definition. */
  readonly whole: TextSpan;
  /** The type that is written for it, or the value it begins with. */
  readonly type: Receiver;
  /** The types that a type is made from. */
  readonly bases: readonly Receiver[];
}

/** The text of a node that may be missing. */
export const nodeText = (node: SyntaxNode | null): string => node?.text ?? "";

/** The name of a type or function that a node defines; empty when it has none. */
export function definedName({ node, type }: Link): string {
  if (type === "impl_item") {
    return nodeText(node.childForFieldName("type")).replace(/<[\s\S]*/, "").split("::").at(-1) ?? "";
  }
  if (type === "method_declaration") {
    const receiver = node.childForFieldName("receiver");
    if (receiver !== null) return /([\w]+)\s*(?:\[[^\]]*\]\s*)?\)$/.exec(receiver.text)?.[1] ?? "";
  }
  const name = node.childForFieldName("name") ?? node.childForFieldName("declarator");
  return name === null ? "" : /([\w$#~]+)\W*(?:\([\s\S]*)?$/.exec(name.text.replace(/\([\s\S]*/, ""))?.[1] ?? "";
}

/** How the name at the end of a chain is declared: the place of the declaring node in it, what it is, and its qualifier. */
function declaration(
  chain: readonly Link[],
  syntax: NameSyntax,
): { at: number; kind: DeclaredKind; of: string } | undefined {
  let of = "";
  for (let at = chain.length - 1; at > 0; at--) {
    const { field } = chain[at] ?? { field: "" }, above = chain[at - 1];
    if (above === undefined) return undefined;
    const kind = syntax.declares.get(`${above.type}.${field}`);
    if (kind !== undefined) return { at: at - 1, kind, of };
    if (above.type === "qualified_identifier" && field === "name") {
      of = nodeText(above.node.childForFieldName("scope")).replace(/<[\s\S]*/, "").split("::").at(-1) ?? "";
    }
    if (!syntax.patterns.has(`${above.type}.${field}`)) return undefined;
  }
  return undefined;
}

/** Whether a node holds members; of Go methods those of a type do. */
export function isType(link: Link | undefined, syntax: NameSyntax): boolean {
  return link !== undefined && syntax.types.has(link.type) &&
    (link.type !== "method_declaration" || link.node.childForFieldName("receiver") !== null);
}

/** Scopes whose names are known outside by a path. */
const OPEN = /^(?:mod_item|module|internal_module|namespace_definition|template_declaration)$/;

/** The declaration that the name at the end of a chain makes; undefined when it makes none. */
export function declaredAt(chain: readonly Link[], syntax: NameSyntax, grammar: GrammarName): Declared | undefined {
  const found = declaration(chain, syntax) ?? assignedMember(chain, grammar);
  if (found === undefined) return undefined;
  const { kind, of } = found, node = chain[found.at]?.node;
  if (node === undefined) return undefined;
  const isVariable = kind === "variable" &&
    (syntax.ignoresBlocks || node.parent?.type === "variable_declaration" && grammar !== "csharp");
  const holds = isVariable ? syntax.functions : syntax.scopes;
  const isParameter = kind === "parameter" || kind === "type" && /type_param/.test(node.type);
  const top = wrapped(chain, found.at), whole = chain[top];
  let above = top - 1;
  while (above > 0 && !holds.has(chain[above]?.type ?? "")) above--;
  const scope = chain[above], holder = chain.slice(0, above + 1).findLast((link) => isType(link, syntax));
  const isMember = kind === "member" || !isParameter && isType(scope, syntax) && scope?.type !== "method_declaration";
  const own = isType(chain[found.at], syntax) && kind === "member" ? chain[found.at] : holder;
  const owner = of !== "" ? of : isMember && own !== undefined ? definedName(own) : "";
  const isTop = isMember ||
    chain.slice(1, above + 1).every(({ type }) => OPEN.test(type) || !syntax.scopes.has(type));
  return {
    kind: isMember || of !== "" ? "member" : kind,
    seen: isMember && !syntax.hasImplicitThis || scope === undefined ? null : { start: scope.start, end: scope.end },
    isOutside: isTop && !isParameter,
    owner,
    whole: { start: whole?.start ?? 0, end: whole?.end ?? 0 },
    type: typeOf(node, chain, found.at, syntax),
    bases: basesOf(node, syntax),
  };
}

/** `self.x = …` and `this.x = …` declare a member where fields need not be. */
function assignedMember(chain: readonly Link[], grammar: GrammarName) {
  if (grammar !== "python" && grammar !== "javascript") return undefined;
  const at = chain.length - 3, above = chain.at(-2), assignment = chain[at];
  if (above === undefined || assignment === undefined || !/^assignment/.test(assignment.type)) return undefined;
  if (above.field !== "left" || !/^(?:attribute|member_expression)$/.test(above.type)) return undefined;
  return /^(?:self|this)\.\w+$/.test(above.node.text) ? { at, kind: "member" as const, of: "" } : undefined;
}

const WRAPPERS =
  /^(?:decorated_definition|template_declaration|export_statement|ambient_declaration|lexical_declaration|variable_declaration|declaration|expression_statement|function_definition|field_declaration|const_declaration|var_declaration|type_declaration|init_declarator|pointer_declarator|reference_declarator)$/;

/** Place in the chain of all of the definition that a declaring node belongs to. */
function wrapped(chain: readonly Link[], at: number): number {
  let top = at;
  while (top > 1 && WRAPPERS.test(chain[top - 1]?.type ?? "")) top--;
  return top;
}

function typeOf(node: SyntaxNode, chain: readonly Link[], at: number, syntax: NameSyntax): Receiver {
  const above = chain[at - 1]?.node ?? null;
  const written = node.childForFieldName("type") ?? node.childForFieldName("return_type") ??
    node.childForFieldName("result") ?? node.childForFieldName("returns") ??
    (/^(?:variable_declarator|init_declarator|property_element|function_declarator|function_definition|variable_declaration)$/
        .test(node.type)
      ? above?.childForFieldName("type") ?? null
      : null);
  if (
    written !== null && !/^(?:implicit_type|placeholder_type_specifier)$/.test(written.type) && written.text !== "var"
  ) {
    return { is: "made", type: readReceiver(written, syntax) };
  }
  if (/parameter/.test(node.type)) {
    const typed = node.childForFieldName("type");
    return typed === null ? UNKNOWN : { is: "made", type: readReceiver(typed, syntax) };
  }
  const value = node.childForFieldName("value") ?? node.childForFieldName("right") ??
    (node.type === "variable_declarator" ? node.namedChild(1) : null);
  // of `a, b = f()` nothing is known
  const names = node.childForFieldName("left") ?? node.childForFieldName("name") ?? node.childForFieldName("pattern");
  return names !== null && /list|pattern/.test(names.type) && names.namedChildCount > 1 ||
      names?.type === "object_pattern"
    ? UNKNOWN
    : readReceiver(value, syntax);
}

function basesOf(node: SyntaxNode, syntax: NameSyntax): Receiver[] {
  const lists = node.namedChildren.filter((child) => child !== null && syntax.heritage.has(child.type));
  const python = syntax.heritage.has("class_definition.superclasses") ? node.childForFieldName("superclasses") : null;
  const embedded = node.type === "type_spec"
    ? node.descendantsOfType("field_declaration").filter((field) => field?.childForFieldName("name") === null)
    : [];
  return [...lists, python, ...embedded].flatMap((list) =>
    list === null ? [] : leaves(list).map((leaf) => readReceiver(leaf, syntax))
  );
}

/** The types that a clause lists. */
function leaves(node: SyntaxNode): SyntaxNode[] {
  const named = node.namedChildren.filter((child) => child !== null && !/argument|modifier|access/.test(child.type));
  if (/clause|list|heritage|superclass|interfaces|bounds/.test(node.type) && node.type !== "generic_type") {
    return named.flatMap((child) => child === null ? [] : leaves(child));
  }
  return node.type === "field_declaration" ? named.flatMap((child) => child ?? []) : [node];
}
