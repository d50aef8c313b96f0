/** Takes shell source apart: commands, assignments, redirections, each with what decides whether it may run. @module */
import { readShellWord } from "../../core/argv.ts";
import type { SyntaxNode } from "../../sys/grammar.ts";
import { refuse } from "./refusal.ts";
import { checkExpansion, checkGaps, checkLeaf, checkTest, checkVariable, errorText } from "./script_checks.ts";
import {
  checkHeredoc,
  inputOf,
  partsOfRedirect,
  REDIRECTS,
  type ScriptInput,
  wordsBehind,
} from "./script_redirects.ts";
import type { Word } from "./words.ts";

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

const DECLARATIONS = new Set(["declaration_command", "unset_command"]);
const USES_NUMBERS =
  /\(\(|\$\[|\blet\b|\bdeclare\b|\btypeset\b|\blocal\b|-(?:eq|ne|lt|le|gt|ge|v)\b|\[[^\]]*\]=|\bunset\b|\bread\b|\$\{[^}]*[[:]/;

/** Takes a parsed script apart. @throws OpsError COMMAND_NOT_ALLOWED for what cannot be followed. */
export function readScriptParts(root: SyntaxNode): ScriptParts {
  checkLines(root.text);
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

/** Places where the grammar sees a line go on, and the shell does not. */
function checkLines(source: string): void {
  if (source.includes("\r")) {
    throw refuse("a carriage return", "the shell takes it for a part of a word", "End lines with a line feed alone.");
  }
  if (/(?:^|\n)[ \t]*\\\n/.test(source)) {
    throw refuse("a line with nothing but a backslash", "it is not clear what it continues");
  }
}

interface Reader {
  readonly usesNumbers: boolean;
  readonly functions: readonly { readonly name: string; readonly start: number }[];
  readonly commands: ScriptCommand[];
  readonly assignments: ScriptAssignment[];
  readonly redirects: Word[];
}

/** A function counts only when nothing can have kept its definition from taking place in the script's own shell. */
function topLevelFunctions(root: SyntaxNode): Reader["functions"] {
  return root.namedChildren
    .filter((node) => node.type === "function_definition" && node.nextSibling?.type !== "&")
    .map((node) => ({ name: node.childForFieldName("name")?.text ?? "", start: node.startIndex }));
}

function visit(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  checkLeaf(node, reader.usesNumbers);
  checkGaps(node);
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
    case "test_command":
      checkTest(node);
      break;
    case "expansion":
      checkExpansion(node);
  }
  visitChildren(node, input, reader);
}

function visitChildren(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  for (const child of node.children) visit(child, input, reader);
}

/** @param extra Words of the command that the grammar counts among a redirection behind it: `ls > file -l`. */
function visitCommand(node: SyntaxNode, input: ScriptInput, reader: Reader, extra: readonly SyntaxNode[] = []): void {
  const words: SyntaxNode[] = [];
  let own = input;
  for (const child of node.children) {
    if (child.type === "variable_assignment") addAssignment(child, true, reader);
    else if (REDIRECTS.has(child.type)) {
      own = inputOf(child) ?? own;
      words.push(...wordsBehind(child));
    } else words.push(child);
  }
  addCommand(node, [...words, ...extra], own, reader);
  for (const child of node.children) {
    // The value of an assignment was noted above; what is inside it was not.
    if (child.type === "variable_assignment") visitChildren(child, input, reader);
    else visit(child, input, reader);
  }
}

function visitDeclaration(
  node: SyntaxNode,
  input: ScriptInput,
  reader: Reader,
  extra: readonly SyntaxNode[] = [],
): void {
  addCommand(node, [...node.children, ...extra], input, reader);
  for (const child of node.children) {
    if (child.type === "variable_assignment") visitChildren(child, input, reader);
    else if (child.type !== "variable_name") visit(child, input, reader);
  }
}

function addCommand(node: SyntaxNode, words: readonly SyntaxNode[], input: ScriptInput, reader: Reader): void {
  const known = reader.functions.filter(({ start }) => start < node.startIndex).map(({ name }) => name);
  reader.commands.push({ words: words.map(({ text }) => readShellWord(text)), input, functions: new Set(known) });
}

function visitRedirected(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  const redirects = node.children.filter(({ type }) => REDIRECTS.has(type));
  const own = redirects.reduce<ScriptInput>((last, redirect) => inputOf(redirect) ?? last, input);
  const extra = redirects.flatMap(wordsBehind);
  for (const child of node.children) {
    if (REDIRECTS.has(child.type)) visit(child, input, reader);
    else if (child.type === "command") visitCommand(child, own, reader, extra);
    else if (DECLARATIONS.has(child.type)) visitDeclaration(child, own, reader, extra);
    else if (extra.length > 0) {
      throw refuse(node.text, "it is not clear what stands behind the redirection", "Put redirections last.");
    } else visit(child, own, reader);
  }
}

function visitPipeline(node: SyntaxNode, input: ScriptInput, reader: Reader): void {
  let own = input;
  for (const child of node.children) {
    if (child.type === "|" || child.type === "|&") own = { kind: "unknown" };
    else visit(child, own, reader);
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
  const { target } = partsOfRedirect(node);
  if (target === null || /&$/.test(operator) && /^\d*-?$/.test(target.text)) return; // a copy of a descriptor
  if (target.type !== "process_substitution") reader.redirects.push(readShellWord(target.text));
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
