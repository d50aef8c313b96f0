/** Splits prose by headings, and any other text into windows. @module */
import { type Chunk, type ChunkKind, cutRows, type Rows, trimRows } from "./chunk.ts";

/** Windows of plain text are shorter than definitions may be: nothing says where a thought ends. */
const WINDOW_LINES = 40;
const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const UNDERLINE = /^(?:=+|-+|~+|\^+)\s*$/;
/** A heading with less than this below it goes together with the next section. */
const SHORTEST_SECTION_ROWS = 2;

interface Heading {
  readonly row: number;
  readonly level: number;
  readonly title: string;
}

function findHeadings(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fenced = false;
  const front = frontMatterEnd(lines);
  for (let row = front; row < lines.length; row++) {
    const line = lines[row] ?? "";
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced) continue;
    const marked = HEADING.exec(line);
    if (marked !== null) headings.push({ row, level: marked[1]?.length ?? 1, title: marked[2] ?? "" });
    else if (row > front && UNDERLINE.test(line) && line.trim().length >= 3) {
      const title = (lines[row - 1] ?? "").trim();
      const isTitle = title !== "" && title.length <= line.trim().length + 8 && !/^[-*+|>]/.test(title);
      if (isTitle) headings.push({ row: row - 1, level: line.startsWith("=") ? 1 : 2, title });
    }
  }
  return headings;
}

/** The row after a block of metadata at the top. */
function frontMatterEnd(lines: readonly string[]): number {
  if ((lines[0] ?? "").trim() !== "---") return 0;
  const end = lines.indexOf("---", 1);
  return end > 0 && end < 60 ? end + 1 : 0;
}

function textChunk(
  lines: readonly string[],
  rows: Rows,
  kind: ChunkKind,
  names: readonly string[],
  container: readonly string[],
): Chunk[] {
  const kept = trimRows(lines, rows);
  if (kept === undefined) return [];
  return [{
    kind,
    names,
    container,
    startLine: kept.from + 1,
    endLine: kept.to + 1,
    nameLine: kept.from + 1,
    signature: "",
    doc: "",
    body: lines.slice(kept.from, kept.to + 1).join("\n"),
  }];
}

/** Cuts a text with headings, underlined ones included; what has none is cut into windows. */
export function chunkProse(text: string): Chunk[] {
  const lines = text.split("\n");
  const headings = findHeadings(lines);
  if (headings.length === 0) return chunkWindows(text);
  const chunks = windows(lines, { from: 0, to: (headings[0]?.row ?? 0) - 1 }, "section");
  const open: Heading[] = [];
  for (const [at, heading] of headings.entries()) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const container = open.map(({ title }) => title);
    open.push(heading);
    const end = (headings[at + 1]?.row ?? lines.length) - 1;
    const isEmpty = trimRows(lines, { from: heading.row + 1, to: end }) === undefined;
    if (isEmpty && at + 1 < headings.length && end - heading.row < SHORTEST_SECTION_ROWS) continue;
    for (const [part, rows] of cutRows(lines, { from: heading.row, to: end }, WINDOW_LINES).entries()) {
      const names = part === 0 ? [heading.title] : [];
      chunks.push(...textChunk(lines, rows, "section", names, part === 0 ? container : [...container, heading.title]));
    }
  }
  return chunks;
}

function windows(lines: readonly string[], rows: Rows, kind: ChunkKind): Chunk[] {
  if (rows.to < rows.from) return [];
  return cutRows(lines, rows, WINDOW_LINES).flatMap((run) => textChunk(lines, run, kind, [], []));
}

/** Cuts any text into windows. */
export function chunkWindows(text: string): Chunk[] {
  const lines = text.split("\n");
  return windows(lines, { from: 0, to: lines.length - 1 }, "window");
}
