/** Finds and parses the comment that documents a definition, in the usual comment styles. @module */

const LINE_COMMENT = /^\s*(?:\/\/|--\s|#(?![!\[]|include|define|if|el|endif|undef|pragma|error|line|region))/;
const DECORATION = /^\s*(?:@[\w.$]+.*|#!?\[.*|\[[\w.]+(?:\(.*\))?\])\s*$/;
const BLOCK_END = /\*\/\s*$/;
const BLOCK_START = /^\s*\/\*/;
/** Lines that close decorators of several lines. */
const DECORATION_END = /^\s*[)\]}]+\s*$/;
const DECORATION_START = /^\s*(?:@[\w.$]+\(|#\[)/;
const LONGEST_DECORATION = 12;

/** The first row of the block that ends on `row` and begins with `start`, looking no higher than `floor`; -1 when none. */
function blockStart(lines: readonly string[], row: number, floor: number, start: RegExp): number {
  for (let at = row; at >= floor; at--) if (start.test(lines[at] ?? "")) return at;
  return -1;
}

/**
 * The first row of the comment and decorators that stand directly above a definition.
 *
 * @param row First row of the definition itself.
 * @param floor Rows above this one belong to something else.
 */
export function findDoc(lines: readonly string[], row: number, floor: number): number {
  let first = row;
  while (first > floor) {
    const line = lines[first - 1] ?? "";
    let above = -1;
    if (LINE_COMMENT.test(line) || DECORATION.test(line)) above = first - 1;
    else if (BLOCK_END.test(line)) above = blockStart(lines, first - 1, floor, BLOCK_START);
    else if (DECORATION_END.test(line)) {
      above = blockStart(lines, first - 1, Math.max(floor, first - LONGEST_DECORATION), DECORATION_START);
    }
    if (above < 0) return first;
    first = above;
  }
  return first;
}

const MARKS = /^\s*(?:\/\*+!?|\*+\/|\*+(?!\/)|\/\/[/!]?|#+|--)?\s?/;

/** The words of a comment and of decorators, without the marks. */
export function commentText(lines: readonly string[]): string {
  return lines.map((line) => line.replace(MARKS, "").replace(/\*+\/\s*$/, "").trimEnd()).join("\n").trim();
}

/** Whether a comment is the licence of the file and not about its content. */
export function isLicence(text: string): boolean {
  return /\bcopyright\b|\blicen[sc]ed?\b|\bSPDX-|\(c\)\s*\d{4}/i.test(text);
}

const DOCSTRING = /^\s*[rRuUbBfF]{0,2}("""|'''|"|')/;

/** The string that documents a Python definition; undefined when its inside does not begin with one. */
export function docstringAt(text: string, bodyStart: number): { text: string; end: number } | undefined {
  const opening = DOCSTRING.exec(text.slice(bodyStart, bodyStart + 200));
  const quote = opening?.[1];
  if (opening === null || quote === undefined) return undefined;
  const from = bodyStart + opening[0].length;
  let end = text.indexOf(quote, from);
  while (end > 0 && text[end - 1] === "\\") end = text.indexOf(quote, end + 1);
  if (end < 0 || (quote.length === 1 && text.slice(from, end).includes("\n"))) return undefined;
  return { text: text.slice(from, end).trim(), end: end + quote.length };
}
