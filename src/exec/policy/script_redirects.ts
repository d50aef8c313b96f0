/** Redirections in shell source: what they read and write, and which words of the command stand behind them. @module */
import { readShellWord } from "../../core/argv.ts";
import type { SyntaxNode } from "../../sys/grammar.ts";
import { refuse } from "./refusal.ts";
import { HIDDEN_EXPANSION } from "./script_checks.ts";

/** What a command in a script reads. */
export type ScriptInput =
  /** What the script itself reads. */
  | { readonly kind: "inherited" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" };

/** Kinds of nodes that redirect. */
export const REDIRECTS = new Set(["file_redirect", "heredoc_redirect", "herestring_redirect"]);
/** What a word can be. */
const WORDS = new Set(
  ["word", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation", "number", "simple_expansion"]
    .concat(["expansion", "command_substitution", "process_substitution", "brace_expression", "arithmetic_expansion"]),
);
/** What a redirection goes to, and the words that follow it. */
export function partsOfRedirect(node: SyntaxNode): { target: SyntaxNode | null; behind: readonly SyntaxNode[] } {
  const named = node.namedChildren.filter(({ type }) => type !== "file_descriptor");
  const closes = node.children.some(({ isNamed, type }) => !isNamed && /[<>]&-$/.test(type));
  return closes ? { target: null, behind: named } : { target: named[0] ?? null, behind: named.slice(1) };
}

/** Words of the command that the grammar counts among a redirection: `ls > file -l`. */
export function wordsBehind(redirect: SyntaxNode): readonly SyntaxNode[] {
  if (redirect.type === "file_redirect") return partsOfRedirect(redirect).behind;
  if (redirect.type !== "heredoc_redirect") return [];
  return redirect.namedChildren.flatMap((child) =>
    child.type === "file_redirect" ? wordsBehind(child) : WORDS.has(child.type) ? [child] : []
  );
}

/** What a redirection gives a command to read; null when it does not touch its input. */
export function inputOf(redirect: SyntaxNode): ScriptInput | null {
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
export function checkHeredoc(node: SyntaxNode): void {
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
