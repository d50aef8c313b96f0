/** What shell source may not hold anywhere: code that a parser did not see, and changes of how commands are found. @module */
import type { SyntaxNode } from "../../sys/grammar.ts";
import { isShellVariable } from "./env_rules.ts";
import { refuse } from "./refusal.ts";

/** Nodes whose parts follow each other without a gap. */
const TIGHT = new Set(["simple_expansion", "concatenation", "variable_assignment", "command_name"]);
/** Nodes that a line break ends. */
const ONE_LINE = new Set(
  ["command", "declaration_command", "unset_command", "negated_command", "redirected_statement", "file_redirect"]
    .concat(["herestring_redirect", "variable_assignments"]),
);
/** Characters that end a command, and with it what the grammar takes for a test in single brackets. */
const ENDS_COMMAND = /[;&|<>()\n]/;
/** Nodes whose text the shell does not look at for operators, or looks at as code of its own. */
const OPAQUE = new Set(
  ["string", "raw_string", "ansi_c_string", "command_substitution", "process_substitution", "expansion"]
    .concat(["arithmetic_expansion"]),
);
const ARITHMETIC_PARENTS = new Set(
  ["arithmetic_expansion", "binary_expression", "unary_expression", "postfix_expression", "parenthesized_expression"]
    .concat(["ternary_expression", "c_style_for_statement"]),
);
/** Expansions that a parser which understood the text would have found; in a leaf they mean that it did not. */
export const HIDDEN_EXPANSION = /(?:^|[^\\])(?:\\\\)*(?:`|\$[({])|[<>]\(/;
/** A command in an array index is run when the text is used as a number, wherever it was quoted. */
const HIDDEN_INDEX = /\[[^\]]*(?:\$\(|`)/;

/** The source at which parsing failed. */
export function errorText(node: SyntaxNode): string {
  if (node.isError || node.isMissing) return node.text || node.parent?.text || "";
  const child = node.children.find((each) => each.hasError || each.isMissing);
  return child ? errorText(child) : node.text;
}

/**
 * Text without parts must hold no code.
 * @param usesNumbers Whether the script reads texts as numbers anywhere.
 */
export function checkLeaf(node: SyntaxNode, usesNumbers: boolean): void {
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

/** The grammar skips blanks and line breaks in a few places where the shell ends a word or a command at them. */
export function checkGaps(node: SyntaxNode): void {
  const tight = TIGHT.has(node.type);
  if (!tight && !ONE_LINE.has(node.type)) return;
  const { text, startIndex } = node;
  let end = startIndex;
  for (const child of node.children) {
    const gap = text.slice(end - startIndex, child.startIndex - startIndex).replaceAll("\\\n", "");
    if (gap !== "" && (tight || gap.includes("\n"))) {
      throw refuse(text, "it is not clear where a command ends", "Write it more simply.");
    }
    end = child.endIndex;
  }
}

/** `[` is a command like any other: what ends a command ends it, whatever the grammar says. */
export function checkTest(node: SyntaxNode): void {
  if (node.text.startsWith("((")) return;
  const bare = bareText(node).replace(/\\[\s\S]/g, "");
  const double = node.text.startsWith("[[");
  if (double ? /[<>]\(/.test(bare) : ENDS_COMMAND.test(bare)) {
    throw refuse(node.text, "an operator stands inside the brackets", double ? undefined : "Use [[ … ]], or quote it.");
  }
}

/** The text of a node with its quoted and expanded parts blanked out. */
function bareText(node: SyntaxNode): string {
  let text = "", at = node.startIndex;
  for (const child of node.children) {
    text += node.text.slice(at - node.startIndex, child.startIndex - node.startIndex);
    text += OPAQUE.has(child.type) ? "_" : child.childCount > 0 ? bareText(child) : child.text;
    at = child.endIndex;
  }
  return text + node.text.slice(at - node.startIndex);
}

/** Names like PATH decide what a command is: they may be read, not set, by whatever means. */
export function checkVariable(node: SyntaxNode): void {
  const { parent } = node;
  if (parent === null || node.type !== "variable_name" && node.type !== "word" || !isShellVariable(node.text)) return;
  if (node.type === "word") {
    if (!ARITHMETIC_PARENTS.has(parent.type) && !(parent.type === "test_command" && parent.text.startsWith("(("))) {
      return;
    }
  } else if (["simple_expansion", "expansion", "variable_assignment", "subscript"].includes(parent.type)) return;
  throw refuse(node.text, "this variable decides how commands are found or run, and may not be set");
}

/** Expansions that run code or set a variable. */
export function checkExpansion(node: SyntaxNode): void {
  if (/@P\}$/.test(node.text)) throw refuse(node.text, "it runs the commands in the variable's text");
  const assigns = node.children.some(({ type }) => type === "=" || type === ":=");
  const name = node.namedChildren.find(({ type }) => type === "variable_name" || type === "subscript")?.text ?? "";
  if (assigns && isShellVariable(name.replace(/\[.*/s, ""))) {
    throw refuse(name, "this variable decides how commands are found or run, and may not be set");
  }
}
