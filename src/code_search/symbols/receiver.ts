/** Reads what an expression is made of, so far as it tells the type of its value. @module */
import type { SyntaxNode } from "../../sys/grammar.ts";
import type { NameSyntax } from "./syntax.ts";

/** An expression whose type may be found out; indices count in the text of its file. */
export type Receiver =
  /** The object of the type around it. */
  | { readonly is: "self" }
  /** The type that this one is made from. */
  | { readonly is: "super" }
  | { readonly is: "name"; readonly name: string; readonly at: number }
  | { readonly is: "member"; readonly of: Receiver; readonly name: string; readonly at: number }
  /** The result of a call. */
  | { readonly is: "call"; readonly of: Receiver }
  /** A value of a named type. */
  | { readonly is: "made"; readonly type: Receiver }
  /** A value of the language itself: a string, a list. */
  | { readonly is: "literal" }
  | { readonly is: "unknown" };

export const UNKNOWN: Receiver = { is: "unknown" };
const LITERAL: Receiver = { is: "literal" };

const SELF = /^(?:this|self|cls|Self|\$this|static)$/;
const LITERAL_TYPE =
  /^(?:.*string.*|number|.*_literal|array|array_creation_expression|object|list|dictionary|set|tuple|regex|integer|float|true|false|list_comprehension)$/;
/** Nodes around an expression that have its type. */
const WRAPPER =
  /^(?:parenthesized_expression|non_null_expression|await_expression|await|try_expression|reference_expression|unary_expression|pointer_expression|expression_list|literal_element|argument|.*type_annotation|type|.*pointer_type|reference_type|type_descriptor|satisfies_expression|named_type|optional_type|nullable_type|generic_type|template_type|expression_statement)$/;
const NAME = /^(?:.*identifier|constant|name|dotted_name|variable_name|crate|super|self)$/;
const DEEPEST = 6;
/** `await x` and `&x` have their operand last, `x!` and generic types first. */
const FIRST = /^(?:non_null_expression|generic_type|template_type|satisfies_expression)$/;

function nameAt(node: SyntaxNode): Receiver {
  const text = node.text.replace(/^\$/, "");
  if (SELF.test(node.text)) return { is: "self" };
  return { is: "name", name: text, at: node.endIndex - text.length };
}

/** A value or a type, as far as it is written. */
export function readReceiver(node: SyntaxNode | null, syntax: NameSyntax, depth = 0): Receiver {
  if (node === null || depth > DEEPEST) return UNKNOWN;
  const { type } = node;
  const again = (next: SyntaxNode | null) => readReceiver(next, syntax, depth + 1);
  if (type === "this" || type === "self") return { is: "self" };
  if (type === "super" || type === "base_expression") return { is: "super" };
  if (type === "as_expression") return again(node.namedChild(1));
  if (type === "cast_expression" || type === "type_cast_expression") return again(node.childForFieldName("type"));
  if (type === "union_type" || type === "binary_operator") return orNothing(node, again);
  if (WRAPPER.test(type)) return again(node.namedChild(FIRST.test(type) ? 0 : node.namedChildCount - 1));
  const made = syntax.makes.get(type);
  const callee = node.childForFieldName("function") ?? node.childForFieldName("method");
  if (made !== undefined && type !== "call") {
    const named = made === "" ? node.namedChild(0) : node.childForFieldName(made);
    return { is: "made", type: again(named) };
  }
  for (const [key, field] of syntax.members) {
    const dot = key.indexOf(".");
    if (key.slice(0, dot) !== type) continue;
    const member = node.childForFieldName(key.slice(dot + 1)), object = node.childForFieldName(field);
    if (member === null) return UNKNOWN;
    const used: Receiver = object === null
      ? nameAt(member)
      : { is: "member", of: again(object), name: member.text, at: member.startIndex };
    return /invocation|call/.test(type) ? { is: "call", of: used } : used;
  }
  if (callee !== null && /call|invocation/.test(type)) {
    if (callee.text === "super") return { is: "super" };
    return { is: "call", of: again(callee) };
  }
  if (LITERAL_TYPE.test(type)) return LITERAL;
  return NAME.test(type) ? nameAt(node) : UNKNOWN;
}

/** `A | null` is an A. */
function orNothing(node: SyntaxNode, again: (node: SyntaxNode) => Receiver): Receiver {
  const parts = node.namedChildren.filter((part) => part !== null && !/^(?:null|undefined|None)$/.test(part.text));
  const [only] = parts;
  return parts.length === 1 && only ? again(only) : UNKNOWN;
}
