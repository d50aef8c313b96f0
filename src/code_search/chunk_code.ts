/** Splits a source file into its definitions and the code between them. @module */
import { type Chunk, type ChunkKind, cutRows, type Rows, trimRows } from "./chunk.ts";
import type { Definition } from "./definitions.ts";
import { commentText, docstringAt, findDoc } from "./doc_comment.ts";
import { splitHeader } from "./module_header.ts";

/** What is shorter stays in the chunk around it, unless it is a member of a type. */
const SHORTEST_NESTED_ROWS = 3;
/** Constants next to each other are one chunk up to this many rows. */
const LONGEST_CONSTANT_GROUP = 25;

/** Lines that say nothing alone: brackets, `else`, `end`. */
const HOLLOW = /^[\s{}()[\];,]*(?:end|else|fi|done|pass|do|then|esac)?[\s{}()[\];,]*$/;
interface Piece extends Definition {
  /** First row of the comment and decorators above. */
  readonly docRow: number;
  readonly container: readonly string[];
  readonly children: Piece[];
}

/** A text and its rows. */
interface Source {
  readonly text: string;
  readonly lines: readonly string[];
}

function isMember(definition: Definition, parent: Definition): boolean {
  return definition.kind === "method" && parent.kind !== "function" && parent.kind !== "method" &&
    parent.kind !== "constant";
}

/** Nests the definitions by their rows, and drops those that are not worth a chunk. */
function nest(definitions: readonly Definition[], lines: readonly string[]): Piece[] {
  const roots: Piece[] = [];
  const open: Piece[] = [];
  let floor = 0;
  for (const definition of definitions) {
    while (open.length > 0 && (open.at(-1)?.endRow ?? 0) < definition.startRow) floor = (open.pop()?.endRow ?? 0) + 1;
    const parent = open.at(-1);
    if (parent !== undefined) {
      const rows = definition.endRow - definition.startRow + 1;
      if (rows < SHORTEST_NESTED_ROWS && !isMember(definition, parent)) continue;
      // one row cannot be divided between two chunks
      if (definition.startRow === parent.startRow || definition.endRow > parent.endRow) continue;
    } else if (definition.startRow < floor) continue;
    const outside = parent === undefined ? [] : [...parent.container, parent.names[0] ?? ""];
    const piece: Piece = {
      ...definition,
      container: definition.of === "" ? outside : [...outside, definition.of],
      children: [],
      docRow: findDoc(lines, definition.startRow, Math.max(floor, parent === undefined ? 0 : parent.startRow + 1)),
    };
    (parent?.children ?? roots).push(piece);
    open.push(piece);
  }
  return roots;
}

/** The rows of a range that its children leave over. */
function rowsBetween(from: number, to: number, children: readonly Piece[]): Rows[] {
  const gaps: Rows[] = [];
  let next = from;
  for (const child of children) {
    if (child.docRow > next) gaps.push({ from: next, to: child.docRow - 1 });
    next = Math.max(next, child.endRow + 1);
  }
  if (next <= to) gaps.push({ from: next, to });
  return gaps;
}

const textOf = (lines: readonly string[], rows: Rows): string => lines.slice(rows.from, rows.to + 1).join("\n");

function substance(lines: readonly string[], rows: Rows): number {
  let count = 0;
  for (let row = rows.from; row <= rows.to; row++) if (!HOLLOW.test(lines[row] ?? "")) count++;
  return count;
}

/** Loose code as chunks, cut where it is long. */
function looseChunks(source: Source, gap: Rows, container: readonly string[], kind: ChunkKind): Chunk[] {
  return cutRows(source.lines, gap).flatMap((run) => {
    const rows = trimRows(source.lines, run);
    if (rows === undefined || substance(source.lines, rows) === 0) return [];
    return [{
      kind,
      names: [],
      container,
      startLine: rows.from + 1,
      endLine: rows.to + 1,
      nameLine: rows.from + 1,
      signature: "",
      doc: "",
      body: textOf(source.lines, rows),
    }];
  });
}

/** Where the inside of a definition begins, and its docstring when the language has them. */
function opening(source: Source, piece: Piece, docstrings: boolean): { row: number; signature: string; doc: string } {
  const { text, lines } = source;
  const above = commentText(lines.slice(piece.docRow, piece.startRow));
  const firstLine = (lines[piece.startRow] ?? "").trim();
  if (piece.bodyStart < 0) return { row: piece.startRow, signature: firstLine, doc: above };
  const signature = text.slice(piece.start, piece.bodyStart).trim() || firstLine;
  const row = piece.startRow + (signature.match(/\n/g)?.length ?? 0);
  const docstring = docstrings ? docstringAt(text, piece.bodyStart) : undefined;
  if (docstring === undefined) return { row, signature, doc: above };
  const between = text.slice(piece.start, docstring.end).match(/\n/g)?.length ?? 0;
  return { row: piece.startRow + between, signature, doc: `${above}\n${docstring.text}`.trim() };
}

/** A definition and what is in it, as chunks. */
function pieceChunks(source: Source, piece: Piece, docstrings: boolean): Chunk[] {
  const { lines } = source;
  const inner = piece.children.flatMap((child) => pieceChunks(source, child, docstrings));
  const gaps = rowsBetween(piece.docRow, piece.endRow, piece.children);
  const name = piece.names[0] ?? "";
  if (piece.kind === "scope") {
    const inside = opening(source, piece, docstrings).row + 1;
    const loose = gaps.flatMap((gap) => {
      const below = { from: Math.max(gap.from, inside), to: gap.to };
      return substance(lines, below) > 1 ? looseChunks(source, below, [...piece.container, name], "module") : [];
    });
    return [...loose, ...inner];
  }
  const { row, signature, doc } = opening(source, piece, docstrings);
  const [head, ...rest] = gaps.flatMap((gap) => cutRows(lines, gap));
  const first = head ?? { from: piece.docRow, to: piece.docRow };
  // a few lines between members are weighed with the head; more of them are a chunk of their own
  const small = rest.filter((rows) => substance(lines, rows) < SHORTEST_NESTED_ROWS);
  const large = rest.filter((rows) => !small.includes(rows));
  const members = piece.children.flatMap((child) => child.names).join(" ");
  const body = [textOf(lines, { from: row + 1, to: first.to }), ...small.map((rows) => textOf(lines, rows)), members];
  const main: Chunk = {
    kind: piece.kind,
    names: piece.names,
    container: piece.container,
    startLine: piece.docRow + 1,
    endLine: (trimRows(lines, first)?.to ?? first.to) + 1,
    nameLine: piece.startRow + 1,
    signature,
    doc,
    body: body.join("\n"),
  };
  return [main, ...large.flatMap((gap) => looseChunks(source, gap, [...piece.container, name], piece.kind)), ...inner];
}

/** Constants that stand together, as one chunk each group. */
function groupConstants(pieces: readonly Piece[]): Piece[] {
  const grouped: Piece[] = [];
  for (const piece of pieces) {
    const last = grouped.at(-1);
    const joins = last !== undefined && last.kind === "constant" && piece.kind === "constant" &&
      last.children.length === 0 && piece.children.length === 0 && piece.docRow - last.endRow <= 2 &&
      piece.endRow - last.docRow < LONGEST_CONSTANT_GROUP;
    if (!joins) {
      grouped.push(piece);
      continue;
    }
    grouped.pop();
    grouped.push({ ...last, names: [...last.names, ...piece.names], endRow: piece.endRow, bodyStart: -1 });
  }
  return grouped;
}

/**
 * Cuts a source file.
 *
 * @param definitions As {@link findDefinitions} gives them.
 * @param docstrings Whether a string at the start of a body documents it.
 */
export function chunkCode(text: string, definitions: readonly Definition[], docstrings: boolean): Chunk[] {
  const lines = text.split("\n");
  const source = { text, lines };
  const pieces = groupConstants(nest(definitions, lines));
  const chunks: Chunk[] = [];
  for (const [at, gap] of rowsBetween(0, lines.length - 1, pieces).entries()) {
    if (at > 0 || gap.from > 0) chunks.push(...looseChunks(source, gap, [], "module"));
    else {
      const { chunk, rest } = splitHeader(lines, gap);
      if (chunk !== undefined) chunks.push(chunk);
      if (rest !== undefined) chunks.push(...looseChunks(source, rest, [], "module"));
    }
  }
  for (const piece of pieces) chunks.push(...pieceChunks(source, piece, docstrings));
  return chunks.sort((a, b) => a.startLine - b.startLine);
}
