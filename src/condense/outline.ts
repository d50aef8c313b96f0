/** Extracts the outline of a source file or document from its indentation and keywords. @module */

/** A line that opens something. */
export interface OutlineLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const DECLARATION = new RegExp(
  "^\\s*(?:(?:export|default|pub(?:\\([^)]*\\))?|public|private|protected|internal|static|abstract|final|async|unsafe|" +
    "extern|inline|declare|override|sealed|open|data)\\s+)*" +
    "(?:function\\*?|class|interface|type|enum|struct|trait|impl|union|def|fn|func|sub|module|mod|namespace|package|" +
    "protocol|extension|macro_rules!|describe|test|it|Deno\\.test|CREATE\\s+\\w+)[\\s(!]",
);
/** Top-level values that hold code or configuration. */
const TOP_LEVEL =
  /^(?:export\s+)?(?:const|let|var|static|[A-Z][A-Z0-9_]+\s*=|#define|%%|\.PHONY)\b|^[A-Za-z_][\w.-]*\s*:(?!:)/;
/** A method: a name, parentheses, and an opening brace, one level in. */
const METHOD =
  /^(?:\s{2,4}|\t)(?:(?:public|private|protected|static|async|override|get|set|readonly|final|\*)\s+)*[#A-Za-z_]\w*\s*(?:<[^>]*>)?\([^;]*\)\s*(?::[^;{]*)?\{$/;
const CONTROL = /^\s*(?:if|for|while|switch|catch|else|return|do|try)\b/;
const HEADING = /^#{1,4} \S|^=+ \S|^\d+(?:\.\d+)*\.? [A-Z]/;
/** Functions and types in C: a name at the margin, parentheses, no semicolon. */
const C_FUNCTION = /^[A-Za-z_][\w\s*]*\b\w+\s*\([^;]*\)?\s*\{?$/;

/** Lines that open a declaration or a section. */
export function outline(lines: readonly string[]): OutlineLine[] {
  const document = lines.filter((line) => /^#{1,4} \S/.test(line)).length >= 3 &&
    !lines.some((line) => METHOD.test(line));
  const opens = document ? (line: string) => HEADING.test(line) : opensDeclaration;
  return lines.flatMap((text, i) => opens(text) ? [{ line: i + 1, text }] : []);
}

function opensDeclaration(line: string): boolean {
  if (CONTROL.test(line) || line.trim() === "") return false;
  return DECLARATION.test(line) || METHOD.test(line) || TOP_LEVEL.test(line) || C_FUNCTION.test(line);
}
