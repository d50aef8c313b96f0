/** Replacing a literal block: where it stands, whatever the line ends, and what exactly goes in its place. @module */
import { OpsError } from "../error.ts";
import { align } from "./align.ts";
import { type Edit, refuseReplacementCharacters, requireWellFormed } from "./edits.ts";
import { endNear, endsWithCr, type PlainView, plainView, splitLines } from "./line_ends.ts";
import { matchShown, refuseUnknownEncoding, singleByteForm, unknownEncoding } from "./stray_match.ts";
import type { FileText } from "./text_file.ts";

/** A literal replacement. */
export interface BlockRequest {
  readonly oldText: string;
  readonly newText: string;
}

/** Where the block stands and what goes there, before anyone decides whether the count is right. */
export interface BlockEdits {
  /** One for each occurrence, from left to right. */
  readonly edits: readonly Edit[];
  /** Start of each edit in the text with LF line ends. */
  readonly plainStarts: readonly number[];
  /** The whole text with LF line ends. */
  readonly plain: string;
}

/** Spans in the original text, with what replaces each. */
interface Found {
  readonly starts: readonly number[];
  readonly edits: readonly Edit[];
}

/**
 * Finds every occurrence (not overlapping, as a person counts them) and prepares its replacement.
 *
 * Line ends of request and file need not agree. Lines that stay keep their own end, new ones take the end of their
 * neighbours. A request that spells CR and matches as it is, is taken as it is.
 *
 * @param name How errors name the file.
 * @throws OpsError INVALID_ARGUMENT when the texts are empty, equal, or cannot be written into this file.
 */
export function findBlock(file: FileText, request: BlockRequest, name: string): BlockEdits {
  const { oldText, newText } = request;
  if (oldText === "") {
    throw new OpsError("INVALID_ARGUMENT", "'old_text' is empty", "To add text, include a line that is there.");
  }
  if (oldText === newText) throw new OpsError("INVALID_ARGUMENT", "'old_text' and 'new_text' are the same");
  requireWellFormed(oldText, "old_text");
  requireWellFormed(newText, "new_text");
  const view = plainView(file.text);
  const found = findLiteral(file.text, request, view) ?? findPlain(file.text, request, view) ??
    findLastLine(file.text, request, view) ?? findStray(file, request, view, name);
  if (found === undefined) return { edits: [], plainStarts: [], plain: view.plain };
  for (const { start, end, insert } of found.edits) {
    refuseReplacementCharacters(file.text.slice(start, end), insert, "new_text");
    refuseUnknownEncoding(file, insert, name);
  }
  return { edits: found.edits, plainStarts: found.starts, plain: view.plain };
}

/** The caller knows the line ends: both texts are meant to the byte. */
function findLiteral(text: string, { oldText, newText }: BlockRequest, view: PlainView): Found | undefined {
  if (!oldText.includes("\r")) return undefined;
  const at = occurrences(text, oldText);
  if (at.length === 0) return undefined;
  const edits = at.map((start) => ({ start, end: start + oldText.length, insert: newText }));
  return { starts: at.map(view.shown), edits };
}

function findPlain(text: string, request: BlockRequest, view: PlainView): Found | undefined {
  const wanted = toLf(text, request.oldText), replacement = toLf(text, request.newText);
  const starts = occurrences(view.plain, wanted);
  if (starts.length === 0) return undefined;
  return spliced(text, view, starts, wanted, replacement);
}

/** The block ends with a line end that the last line of the file lacks. */
function findLastLine(text: string, request: BlockRequest, view: PlainView): Found | undefined {
  const wanted = toLf(text, request.oldText), replacement = toLf(text, request.newText);
  if (!wanted.endsWith("\n") || wanted.length < 2) return undefined;
  const body = wanted.slice(0, -1);
  const start = view.plain.length - body.length;
  if (!view.plain.endsWith(body) || (start > 0 && view.plain[start - 1] !== "\n")) return undefined;
  return spliced(text, view, [start], body, replacement.endsWith("\n") ? replacement.slice(0, -1) : replacement);
}

/** In a file with bytes that are not UTF-8: the block as it was shown, or as the file's single-byte encoding has it. */
function findStray(
  file: FileText,
  { oldText, newText }: BlockRequest,
  view: PlainView,
  name: string,
): Found | undefined {
  if (file.encoding !== "mixed") return undefined;
  const wanted = toLf(file.text, oldText), replacement = toLf(file.text, newText);
  const shown = matchShown(view.plain, wanted, replacement);
  if (shown.length > 0) {
    const parts = shown.map((match) => spliced(file.text, view, [match.start], match.found, match.replacement));
    return { starts: parts.flatMap((part) => part.starts), edits: parts.flatMap((part) => part.edits) };
  }
  const form = singleByteForm(wanted);
  if (form === undefined || form === wanted) return undefined;
  const starts = occurrences(view.plain, form);
  if (starts.length === 0) return undefined;
  const written = singleByteForm(replacement);
  if (written === undefined) throw unknownEncoding(name);
  return spliced(file.text, view, starts, form, written);
}

function spliced(
  text: string,
  view: PlainView,
  starts: readonly number[],
  wanted: string,
  replacement: string,
): Found {
  const edits = starts.map((at) => {
    const start = view.original(at), end = view.original(at + wanted.length);
    return { start, end, insert: withEnds(text, start, text.slice(start, end), wanted, replacement) };
  });
  return { starts, edits };
}

/** The replacement with the line ends of this place: a line that was there keeps its own. */
function withEnds(text: string, start: number, replaced: string, wanted: string, replacement: string): string {
  if (!replacement.includes("\n")) return replacement;
  const ends = splitLines(endsWithCr(text) ? replaced : replaced + "\n").map(({ end }) => end);
  const own = ends.slice(0, wanted.split("\n").length - 1);
  const style = own[0] ?? endNear(text, start);
  if (own.every((end) => end === style)) return style === "\n" ? replacement : replacement.replaceAll("\n", style);
  const lines = replacement.split("\n");
  const source = lineSources(wanted.split("\n"), lines);
  let last: string = style;
  return lines.map((line, at) => {
    if (at === lines.length - 1) return line;
    last = own[source[at] ?? -1] ?? last;
    return line + last;
  }).join("");
}

/** For each new line the old line whose end it takes: the same line, else its counterpart in the changed stretch. */
function lineSources(from: readonly string[], to: readonly string[]): readonly (number | undefined)[] {
  const source: (number | undefined)[] = new Array(to.length).fill(undefined);
  let x = 0, y = 0;
  for (const [pairX, pairY] of [...align(from, to), [from.length, to.length] as const]) {
    for (; y < pairY; y++) source[y] = x < pairX ? x++ : undefined;
    if (pairY < to.length) source[pairY] = pairX;
    x = pairX + 1;
    y = pairY + 1;
  }
  return source;
}

/** The request in LF; a CR alone is a line end only where the file says so. */
function toLf(text: string, request: string): string {
  const plain = request.replaceAll("\r\n", "\n");
  return endsWithCr(text) ? plain.replaceAll("\r", "\n") : plain;
}

function occurrences(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}
