/** Takes shell source apart: commands, assignments, redirections, each with what decides whether it may run. @module */
import { readShellWord } from "../../core/argv.ts";
import type { SyntaxNode } from "../../rag/grammar.ts";
import { isShellVariable } from "./env_rules.ts";
import { refuse } from "./refusal.ts";
import type { Word } from "./words.ts";

/** What a command in a script reads. */
export type ScriptInput =
  /** What the script itself reads. */
  | { readonly kind: "inherited" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" };

/** A command in a script. */
export interface ScriptCommand {
  readonly words: readonly Word[];
  readonly input: ScriptInput;
  /** Functions that are certainly defined when it runs. */
  readonly functions: ReadonlySet<string>;
}

/** A variable that a script sets. */
export interface ScriptAssignment {
  readonly name: string;
  readonly value: string | null;
  /** Stands before a command, whose environment it is then in. */
  readonly exported: boolean;
}

/** What a script consists of. */
export interface ScriptParts {
  readonly commands: readonly ScriptCommand[];
  readonly assignments: readonly ScriptAssignment[];
  /** Files that it reads from or writes to by redirection. */
  readonly redirects: readonly Word[];
  /** The command whose exit code is the script's; "" when there is no single one. */
  readonly last: string;
}

const REDIRECTS = new Set(["file_redirect", "heredoc_redirect", "herestring_redirect"]);
const ARITHMETIC_PARENTS = new Set(
  ["arithmetic_expansion", "binary_expression", "unary_expression", "postfix_expression", "parenthesized_expression"]
    .concat(["ternary_expression", "c_style_for_statement"]),
);
/** Expansions that a parser which understood the text would have found; in a leaf they mean that it did not. */
const HIDDEN_EXPANSION = /(?:^|[^\\])(?:\\\\)*(?:`|\$[({])|[<>]\(/;
/** A command in an array index is run when the text is used as a number, wherever it was quoted. */
const HIDDEN_INDEX = /\[[^\]]*(?:\$\(|`)/;
const USES_NUMBERS =
  /\(\(|\$\[|\blet\b|\bdeclare\b|\btypeset\b|\blocal\b|-(?:eq|ne|lt|le|gt|ge|v)\b|\[[^\]]*\]=|\bunset\b|\bread\b|\$\{[^}]*[[:]/;

/** Takes a parsed script apart. @throws OpsError COMMAND_NOT_ALLOWED for what cannot be followed. */
export function readScriptParts(root: SyntaxNode): ScriptParts {
  if (root.hasError) {
    throw refuse(
      `near '${errorText(root)}'`,
      "this shell script cannot be parsed",
      "Write it more simply, or put it into a file.",
    );
  }
  const reader: Reader = {
    usesNumbers: USES_NUMBERS.test(root.text),
    functions: topLevelFunctions(root),
    commands: [],
    assignments: [],
    redirects: [],
  };
  visit(root, { kind: "inherited" }, reader);
  return { ...reader, last: lastCommand(root) };
}

interface Reader {
  readonly usesNumbers: boolean;
  readonly functions: readonly { readonly name: string; readonly start: number }[];
  readonly commands: ScriptCommand[];
  readonly assignments: ScriptAssignment[];
  readonly redirects: Word[];
}

function errorText(node: SyntaxNode): string {
  if (node.isError || node.isMissing) return node.text || node.parent?.text || "";
  const child = node.children.find((each) => each.hasError || each.isMissing);
  return child ? errorText(child) : node.text;
}

/** A function counts only when nothing can have kept its definition from taking place in the script's own shell. */
function topLevelFunctions(root: SyntaxNode): Reader["functions"] {
  return root.namedChildren
    .filter((node) => node.type === "function_definition" && node.nextSibling?.type !== "&")
    .map((node) => ({ name: node.childForFieldName("name")?.text ?? "", start: node.startIndex }));
}

function visit(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  checkLeaf(node, reader);
  checkVariable(node);
  switch (node.type) {
    case "command":
      return visitCommand(node, input, reader);
    case "declaration_command":
    case "unset_command":
      return visitDeclaration(node, input, reader);
    case "redirected_statement":
      return visitRedirected(node, input, reader);
    case "pipeline":
      return visitPipeline(node, input, reader);
    case "variable_assignment":
      addAssignment(node, false, reader);
      break;
    case "function_definition":
      // Who calls it, and at the end of which pipe, is not known here.
      return visitChildren(node, { kind: "unknown" }, reader);
    case "file_redirect":
      addRedirect(node, reader);
      break;
    case "heredoc_redirect":
      checkHeredoc(node);
      break;
    case "expansion":
      checkExpansion(node);
  }
  visitChildren(node, input, reader);
}

function visitChildren(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  for (const child of node.children) visit(child, input, reader);
}

function visitCommand(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  const words: Word[] = [];
  let own = input;
  for (const child of node.children) {
    if (child.type === "variable_assignment") addAssignment(child, true, reader);
    else if (REDIRECTS.has(child.type)) own = inputOf(child) ?? own;
    else words.push(readShellWord(child.text));
  }
  addCommand(node, words, own, reader);
  for (const child of node.children) {
    // The value of an assignment was noted above; what is inside it was not.
    if (child.type === "variable_assignment") visitChildren(child, input, reader);
    else visit(child, input, reader);
  }
}

function visitDeclaration(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  addCommand(node, node.children.map((child) => readShellWord(child.text)), input, reader);
  for (const child of node.children) {
    if (child.type === "variable_assignment") visitChildren(child, input, reader);
    else if (child.type !== "variable_name") visit(child, input, reader);
  }
}

function addCommand(node: SyntaxNode, words: readonly Word[], input: ScriptInput, reader: Reader): void {
  const known = reader.functions.filter(({ start }) => start < node.startIndex).map(({ name }) => name);
  reader.commands.push({ words, input, functions: new Set(known) });
}

function visitRedirected(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  const redirects = node.children.filter(({ type }) => REDIRECTS.has(type));
  const own = redirects.reduce<ScriptInput>((last, redirect) => inputOf(redirect) ?? last, input);
  for (const child of node.children) visit(child, REDIRECTS.has(child.type) ? input : own, reader);
}

function visitPipeline(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  let own = input;
  for (const child of node.children) {
    if (child.type === "|" || child.type === "|&") own = { kind: "unknown" };
    else visit(child, own, reader);
  }
}

/** What a redirection gives a command to read; null when it does not touch its input. */
function inputOf(redirect: SyntaxNode): ScriptInput | null {
  if (redirect.type === "file_redirect") {
    return redirect.children.some(({ type }) => type.startsWith("<")) ? { kind: "unknown" } : null;
  }
  if (redirect.type === "herestring_redirect") {
    const word = readShellWord(redirect.lastChild?.text ?? "");
    return word.literal ? { kind: "text", text: word.text } : { kind: "unknown" };
  }
  const body = redirect.children.find(({ type }) => type === "heredoc_body");
  if (body === undefined) return { kind: "text", text: "" };
  const literal = body.namedChildren.every(({ type }) => type === "heredoc_content") &&
    !HIDDEN_EXPANSION.test(body.text);
  const quoted = /['"\\]/.test(redirect.children.find(({ type }) => type === "heredoc_start")?.text ?? "");
  return literal || quoted ? { kind: "text", text: body.text } : { kind: "unknown" };
}

/** Shell and parser must agree on where the text ends, or commands could hide in it. */
function checkHeredoc(node: SyntaxNode): void {
  const start = node.children.find(({ type }) => type === "heredoc_start")?.text ?? "";
  const end = node.children.find(({ type }) => type === "heredoc_end")?.text.trim() ?? "";
  const delimiter = start.match(/^(?:([A-Za-z_]\w*)|'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)")$/)?.slice(1).find((name) =>
    name !== undefined
  );
  const body = node.children.find(({ type }) => type === "heredoc_body")?.text ?? "";
  if (delimiter === undefined || delimiter !== end || body.split("\n").some((line) => line.trim() === delimiter)) {
    throw refuse(`<<${start}`, "the end of this here-document is not clear", "Use a plain word such as EOF.");
  }
}

function addAssignment(node: SyntaxNode, exported: boolean, reader: Reader): void {
  const target = node.childForFieldName("name");
  const name = (target?.type === "subscript" ? target.childForFieldName("name") : target)?.text ?? "";
  const value = readShellWord(node.childForFieldName("value")?.text ?? "");
  reader.assignments.push({ name, value: value.literal ? value.text : null, exported });
}

function addRedirect(node: SyntaxNode, reader: Reader): void {
  const operator = node.children.find(({ isNamed, type }) => !isNamed && /[<>]/.test(type))?.type ?? "";
  const target = node.namedChildren.findLast(({ type }) => type !== "file_descriptor");
  if (target === undefined || /&$/.test(operator) && /^\d*-?$/.test(target.text)) return; // a copy of a descriptor
  if (target.type !== "process_substitution") reader.redirects.push(readShellWord(target.text));
}

function checkLeaf(node: SyntaxNode, { usesNumbers }: Reader): void {
  if (node.type === "raw_string" || node.type === "ansi_c_string") {
    if (usesNumbers && HIDDEN_INDEX.test(node.text)) throw refuse(node.text, "a command in an array index would run");
    return;
  }
  if (node.type === "comment") {
    const before = node.startIndex > 0 ? node.tree.rootNode.text.charAt(node.startIndex - 1) : "\n";
    if (/[\s;&|()]/.test(before) && !node.text.includes("\n")) return;
    throw refuse(node.text, "it is not clear whether this is a comment");
  }
  if (!node.isNamed || node.childCount > 0 || node.type === "heredoc_start" || isQuotedBody(node)) return;
  if (HIDDEN_EXPANSION.test(node.text)) throw refuse(node.text, "this is not understood", "Write it more simply.");
}

const isQuotedBody = (node: SyntaxNode): boolean =>
  node.type === "heredoc_body" &&
  /['"]/.test(node.parent?.children.find(({ type }) => type === "heredoc_start")?.text ?? "");

/** Names like PATH decide what a command is: they may be read, not set, by whatever means. */
function checkVariable(node: SyntaxNode): void {
  const { parent } = node;
  if (parent === null || node.type !== "variable_name" && node.type !== "word" || !isShellVariable(node.text)) return;
  if (node.type === "word") {
    if (!ARITHMETIC_PARENTS.has(parent.type) && !(parent.type === "test_command" && parent.text.startsWith("(("))) {
      return;
    }
  } else if (["simple_expansion", "expansion", "variable_assignment", "subscript"].includes(parent.type)) return;
  throw refuse(node.text, "this variable decides how commands are found or run, and may not be set");
}

function checkExpansion(node: SyntaxNode): void {
  if (/@P\}$/.test(node.text)) throw refuse(node.text, "it runs the commands in the variable's text");
  const assigns = node.children.some(({ type }) => type === "=" || type === ":=");
  const name = node.namedChildren.find(({ type }) => type === "variable_name" || type === "subscript")?.text ?? "";
  if (assigns && isShellVariable(name.replace(/\[.*/s, ""))) {
    throw refuse(name, "this variable decides how commands are found or run, and may not be set");
  }
}

function lastCommand(node: SyntaxNode): string {
  switch (node.type) {
    case "command":
      return readShellWord(node.childForFieldName("name")?.text ?? "").text;
    case "program":
    case "list":
    case "pipeline": {
      const last = node.namedChildren.findLast(({ type }) => type !== "comment");
      return last ? lastCommand(last) : "";
    }
    case "redirected_statement":
      return node.firstNamedChild ? lastCommand(node.firstNamedChild) : "";
    case "test_command":
      return "test";
    default:
      return "";
  }
}
