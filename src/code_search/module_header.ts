/** Separates the head of a source file, its comment and imports, from the code below. @module */
import { type Chunk, cutRows, type Rows, trimRows } from "./chunk.ts";
import { commentText, isLicence } from "./doc_comment.ts";

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub(?:\([^)]*\))?\s+)?(?:use\s+[\w:{]|mod\s+\w+\s*;|extern\s+crate\b)|#\s*include\b|using\s+[\w.]+\s*;|package\s|export\s+(?:type\s+)?(?:\*|\{[^}]*(?:\}\s*from\b|$))|(?:const|let|var)\s+[\w{},:\s]+=\s*require\(|require(?:_once|_relative)?\s|["']use strict["'])/;
const ATTRIBUTE = /^\s*#!?\[/;
const LINE_COMMENT = /^\s*(?:\/\/|#(?!!?\[|\s*(?:include|define|if))|--)/;
/** Comments and module docstrings of several lines: how one begins, and how it ends. */
const BLOCKS: readonly (readonly [RegExp, RegExp])[] = [
  [/^\s*\/\*/, /\*\//],
  [/^\s*[rRuU]?"""/, /"""/],
  [/^\s*[rRuU]?'''/, /'''/],
];

/** The last row of a comment or docstring that begins on `row`; undefined when none does. */
function commentEnd(lines: readonly string[], row: number, last: number): number | undefined {
  const line = lines[row] ?? "";
  for (const [start, end] of BLOCKS) {
    const opening = start.exec(line)?.[0];
    if (opening === undefined) continue;
    if (end.test(line.slice(opening.length))) return row;
    for (let at = row + 1; at <= last; at++) if (end.test(lines[at] ?? "")) return at;
    return undefined;
  }
  return LINE_COMMENT.test(line) ? row : undefined;
}

/** The last row of an import: that on which its brackets are closed. */
function importEnd(lines: readonly string[], row: number, last: number): number {
  let depth = 0;
  for (let at = row; at <= last; at++) {
    for (const [bracket] of (lines[at] ?? "").matchAll(/[({})]/g)) depth += bracket === "(" || bracket === "{" ? 1 : -1;
    if (depth <= 0) return at;
  }
  return row;
}

/** The text of a comment or docstring without its marks. */
function plainText(lines: readonly string[]): string {
  return commentText(lines).replace(/^[rRuU]?(?:"""|''')|(?:"""|''')$/g, "").trim();
}

/** The head as a chunk, and the rows below it; each undefined when there is nothing. */
export function splitHeader(
  lines: readonly string[],
  rows: Rows,
): { readonly chunk: Chunk | undefined; readonly rest: Rows | undefined } {
  const docs: string[] = [], imports: string[] = [];
  let row = rows.from, last = rows.from - 1;
  while (row <= rows.to) {
    const line = lines[row] ?? "", comment = commentEnd(lines, row, rows.to);
    let end = row;
    if (comment !== undefined) {
      end = comment;
      const text = plainText(lines.slice(row, end + 1));
      if (!isLicence(text)) docs.push(text);
    } else if (IMPORT.test(line)) {
      end = importEnd(lines, row, rows.to);
      imports.push(...lines.slice(row, end + 1));
    } else if (line.trim() !== "" && !ATTRIBUTE.test(line)) break;
    last = end;
    row = end + 1;
  }
  const doc = docs.join("\n").trim();
  const rest = last < rows.to ? { from: last + 1, to: rows.to } : undefined;
  const head = trimRows(lines, { from: rows.from, to: last });
  if (head === undefined || (doc === "" && imports.length === 0)) return { chunk: undefined, rest };
  const shown = cutRows(lines, head)[0] ?? head;
  return {
    rest,
    chunk: {
      kind: "module",
      names: [],
      container: [],
      startLine: shown.from + 1,
      endLine: shown.to + 1,
      nameLine: shown.from + 1,
      signature: "",
      doc,
      body: imports.join("\n"),
    },
  };
}
