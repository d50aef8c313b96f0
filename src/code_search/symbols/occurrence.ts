/** Classifies the occurrences of a name in a file: declared, imported or used, and where that is seen. @module */
import type { GrammarName, SyntaxNode } from "../../sys/grammar.ts";
import { type Declared, declaredAt, definedName, isType, nodeText, type TextSpan } from "./declaration.ts";
import { type ImportedName, importedName } from "./import_names.ts";
import { chainAt, type Link } from "./node_chain.ts";
import { readReceiver, type Receiver, UNKNOWN } from "./receiver.ts";
import type { NameSyntax } from "./syntax.ts";

/** A named type around a place. */
export interface TypeAround {
  readonly name: string;
  readonly at: number;
}

/** One occurrence. Indices count UTF-16 units of the text. */
export interface Occurrence extends TextSpan {
  readonly declared?: Declared;
  readonly imported?: ImportedName;
  /** Object of a member; undefined for a plain name. */
  readonly receiver?: Receiver;
  readonly isCall: boolean;
  readonly isHeritage: boolean;
  /** `{ name }` for `{ name: name }`. */
  readonly isShorthand: boolean;
  /** Names of the definitions around it, outermost first. */
  readonly inside: readonly string[];
  /** The innermost function, method or type around it. */
  readonly around: TextSpan | null;
  readonly type: TypeAround | null;
}

const SHORTHAND = /^shorthand_(?:property|field)_identifier/;
const NAME_TYPE =
  /^(?:(?!statement_)\w*identifier|constant|name|variable_name|word|simple_symbol|instance_variable|class_variable)$/;

function isHeritage(chain: readonly Link[], syntax: NameSyntax): boolean {
  return chain.some(({ type, field }, at) =>
    syntax.heritage.has(type) || syntax.heritage.has(`${chain[at - 1]?.type}.${field}`)
  );
}

function receiverOf(chain: readonly Link[], syntax: NameSyntax): Receiver | undefined {
  const leaf = chain.at(-1), above = chain.at(-2);
  if (leaf === undefined || above === undefined) return undefined;
  const key = `${above.type}.${leaf.field}`, object = syntax.members.get(key);
  if (object !== undefined) {
    const node = object === "" ? above.node.namedChild(0) : above.node.childForFieldName(object);
    if (object === "" && node?.startIndex === leaf.start) return undefined;
    return node === null ? undefined : readReceiver(node, syntax);
  }
  if (syntax.keys.has(key)) return literalType(chain, syntax);
  if (leaf.type === "simple_symbol" || leaf.type === "instance_variable") return UNKNOWN;
  return undefined;
}

/** The type whose literal a key belongs to, where it is written before it. */
function literalType(chain: readonly Link[], syntax: NameSyntax): Receiver {
  const literal = chain.findLast(({ type }) => syntax.makes.has(type) && type !== "call" && type !== "new_expression");
  const field = literal === undefined ? undefined : syntax.makes.get(literal.type);
  if (literal === undefined || !field) return UNKNOWN;
  return { is: "made", type: readReceiver(literal.node.childForFieldName(field), syntax) };
}

const DEFINES =
  /^(?:function_declaration|generator_function_declaration|method_definition|class_declaration|abstract_class_declaration|interface_declaration|function_definition|class_definition|method_declaration|function_item|impl_item|trait_item|mod_item|constructor_declaration|class_specifier|struct_specifier|class|module|method|singleton_method|record_declaration|struct_declaration|enum_declaration|trait_declaration|internal_module|namespace_definition|type_spec)$/;

function surroundings(chain: readonly Link[]): { inside: string[]; around: TextSpan | null } {
  const inside: string[] = [];
  let around: TextSpan | null = null;
  const leaf = chain.at(-1);
  for (const [at, link] of chain.entries()) {
    const isFunctionValue = link.type === "variable_declarator" &&
      /function|arrow/.test(
        nodeText(link.node.childForFieldName("value")).slice(0, 9) + (link.node.childForFieldName("value")?.type ?? ""),
      );
    if (!DEFINES.test(link.type) && !isFunctionValue) continue;
    const below = chain.slice(at + 1);
    const isOwnName = below[0] === leaf && leaf?.field === "name" ||
      below[0]?.field === "declarator" && !below.some(({ type }) => type === "parameter_list");
    if (isOwnName) continue;
    if (link.type === "method_declaration" && link.node.childForFieldName("receiver") !== null) {
      inside.push(definedName(link));
    }
    const name = link.type === "method_declaration" ? nodeText(link.node.childForFieldName("name")) : definedName(link);
    if (name === "") continue;
    inside.push(name);
    around = { start: link.start, end: link.end };
  }
  return { inside, around };
}

const QUALIFIED = /(\w+)\s*(?:<[^>()]*>)?\s*::\s*~?[\w=+*!<>-]+\s*\(/;

/** The type whose members a place may use; in C++ it may be named in front of the function. */
function typeAround(chain: readonly Link[], leaf: Link, syntax: NameSyntax): TypeAround | null {
  const type = chain.findLast((link, at) => isType(link, syntax) && chain[at + 1] !== leaf);
  if (type !== undefined) return { name: definedName(type), at: type.start };
  const method = chain.findLast(({ type }) => type === "function_definition");
  const name = QUALIFIED.exec(method?.node.childForFieldName("declarator")?.text.slice(0, 300) ?? "")?.[1];
  return method === undefined || name === undefined ? null : { name, at: method.start };
}

/** Classifies the name at a place; undefined where it is not code, `deep` where the text is nested too deeply. */
export function occurrenceAt(
  root: SyntaxNode,
  start: number,
  name: string,
  { syntax, grammar }: { readonly syntax: NameSyntax; readonly grammar: GrammarName },
): Occurrence | undefined | "deep" {
  const chain = chainAt(root, start);
  if (chain === undefined) return "deep";
  const leaf = chain.at(-1), above = chain.at(-2);
  if (leaf === undefined || !NAME_TYPE.test(leaf.type)) return undefined;
  if (leaf.node.text.replace(/^[#@:$]+/, "") !== name) return undefined;
  if (leaf.type === "word" && !/^(?:command_name|function_definition)$/.test(above?.type ?? "")) return undefined;
  const imported = importedName(chain, name, grammar);
  if (imported === "path") return undefined;
  const declared = imported === undefined ? declaredAt(chain, syntax, grammar) : undefined;
  const receiver = declared === undefined && imported === undefined ? receiverOf(chain, syntax) : undefined;
  const type = typeAround(chain, leaf, syntax);
  const calling = chain.at(receiver === undefined || above?.type === "call" ? -2 : -3);
  const field = (receiver === undefined || above?.type === "call" ? leaf : above)?.field ?? "";
  return {
    start,
    end: start + name.length,
    ...declared === undefined ? {} : { declared },
    ...imported === undefined ? {} : { imported },
    ...receiver === undefined ? {} : { receiver },
    isCall: calling !== undefined && syntax.calls.has(`${calling.type}.${field}`) ||
      above !== undefined && syntax.calls.has(`${above.type}.${leaf.field}`),
    isHeritage: isHeritage(chain, syntax),
    isShorthand: SHORTHAND.test(leaf.type) || above?.type === "shorthand_field_initializer",
    ...surroundings(chain),
    type,
  };
}
