/** Replaces a literal block of text whatever its line endings. @module */
import { foldedView, foldLookAlikes } from "../look_alike.ts";
import { OpsError } from "../error.ts";
import { align } from "./align.ts";
import { type Edit, refuseReplacementCharacters, requireWellFormed } from "./edits.ts";
import { type EndFinder, endsWithCr, makeEndFinder, type PlainView, plainView, splitLines } from "./line_ends.ts";
import { matchShown, refuseUnstorable, singleByteForm, unknownEncoding } from "./stray_match.ts";
import type { FileText } from "./text_file.ts";

/** A literal replacement. */
export interface BlockRequest {
  readonly oldText: string;
  readonly newText: string;
  /** How often the block must occur. */
  readonly expected: number;
}

/** Where the block stands, and what goes there if the count is right. */
export interface BlockEdits {
  /** Start of each occurrence in the text with LF line ends, ascending; of the first ten thousand if there are more. */
  readonly starts: readonly number[];
  /** One for each occurrence; empty when there are more or fewer than expected. */
  readonly edits: readonly Edit[];
  /** The whole text with LF line ends. */
  readonly plain: string;
}

/** Occurrences, and how to replace one. */
interface Found {
  readonly starts: readonly number[];
  readonly edit: (ordinal: number) => Edit;
}

/** The file as every way to search needs it. */
interface Target {
  readonly file: FileText;
  readonly view: PlainView;
  readonly cr: boolean;
  readonly endAt: EndFinder;
  /** Request with LF line ends. */
  readonly wanted: string;
  readonly replacement: string;
  /** Occurrences that are looked for. */
  readonly limit: number;
}

/** What stands more often than this, and than expected, is not counted to the end. */
export const MAX_COUNTED = 10_000;

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
  const { oldText, newText, expected } = request;
  if (oldText === "") {
    throw new OpsError("INVALID_ARGUMENT", "'old_text' is empty", "To add text, include a line that is there.");
  }
  if (oldText === newText) throw new OpsError("INVALID_ARGUMENT", "'old_text' and 'new_text' are the same");
  requireWellFormed(oldText, "old_text");
  requireWellFormed(newText, "new_text");
  const view = plainView(file.text), cr = endsWithCr(file.text);
  const toLf = (text: string) => cr ? text.replace(/\r\n?/g, "\n") : text.replaceAll("\r\n", "\n");
  const endAt = makeEndFinder(file.text), limit = Math.max(expected + 1, MAX_COUNTED);
  const target = { file, view, cr, endAt, wanted: toLf(oldText), replacement: toLf(newText), limit };
  const found = findLiteral(target, request) ?? findPlain(target) ?? findLastLine(target) ?? findStray(target, name) ??
    findAlike(target);
  const starts = found?.starts ?? [];
  const edits = found === undefined || starts.length !== expected
    ? []
    : starts.map((_, ordinal) => found.edit(ordinal));
  requireWritableEdits(file, edits, name);
  return { starts, edits, plain: view.plain };
}

/** What is inserted many times is checked once. */
function requireWritableEdits(file: FileText, edits: readonly Edit[], name: string): void {
  let last: Edit | undefined;
  for (const edit of edits) {
    if (edit.insert !== last?.insert) {
      refuseReplacementCharacters(file.text.slice(edit.start, edit.end), edit.insert, "new_text");
      refuseUnstorable(file, edit.insert, name);
    }
    last = edit;
  }
}

/** The caller knows the line ends: both texts are meant to the byte. */
function findLiteral({ file, view, limit }: Target, { oldText, newText }: BlockRequest): Found | undefined {
  if (!oldText.includes("\r")) return undefined;
  const at = occurrences(file.text, oldText, limit);
  if (at.length === 0) return undefined;
  const edit = (ordinal: number) => {
    const start = at[ordinal] ?? 0;
    return { start, end: start + oldText.length, insert: newText };
  };
  return { starts: at.map(view.shown), edit };
}

function findPlain(target: Target): Found | undefined {
  const starts = occurrences(target.view.plain, target.wanted, target.limit);
  if (starts.length === 0) return undefined;
  return { starts, edit: (ordinal) => splice(target, starts[ordinal] ?? 0, target.wanted, target.replacement) };
}

/** The block ends with a line end that the last line of the file lacks. */
function findLastLine(target: Target): Found | undefined {
  const { view: { plain }, wanted, replacement } = target;
  if (!wanted.endsWith("\n") || wanted.length < 2) return undefined;
  const body = wanted.slice(0, -1), start = plain.length - body.length;
  if (!plain.endsWith(body) || (start > 0 && plain[start - 1] !== "\n")) return undefined;
  return { starts: [start], edit: () => splice(target, start, body, replacement.replace(/\n$/, "")) };
}

/** In a file with bytes that are not UTF-8: the block as it was shown, or as the file's single-byte encoding has it. */
function findStray(target: Target, name: string): Found | undefined {
  const { file, view, wanted, replacement } = target;
  if (file.encoding !== "mixed" && file.encoder === undefined) return undefined;
  const matches = matchShown(view.plain, wanted, replacement);
  if (matches.length > 0) {
    const edit = (ordinal: number) => {
      const { start = 0, found = "", replacement = "" } = matches[ordinal] ?? {};
      return splice(target, start, found, replacement);
    };
    return { starts: matches.map(({ start }) => start), edit };
  }
  const form = file.encoding === "mixed" ? singleByteForm(wanted) : undefined;
  if (form === undefined || form === wanted) return undefined;
  const starts = occurrences(view.plain, form, target.limit);
  if (starts.length === 0) return undefined;
  const written = singleByteForm(replacement);
  if (written === undefined) throw unknownEncoding(name);
  return { starts, edit: (ordinal) => splice(target, starts[ordinal] ?? 0, form, written) };
}

/** The block as it looks: with other blanks, quotes or dashes, or letters that are composed otherwise. */
function findAlike(target: Target): Found | undefined {
  const { view: { plain }, wanted, replacement, limit } = target, folded = foldLookAlikes(wanted);
  // deno-lint-ignore no-control-regex -- ASCII looks like nothing else
  if (wanted.length === 0 || !/[^\x00-\x7f]/.test(plain + wanted)) return undefined;
  const text = foldedView(plain), at = occurrences(text.folded, folded, limit);
  if (at.length === 0) return undefined;
  const places = at.map((index) => {
    const start = text.original(index);
    let end = text.original(index + folded.length);
    while (end > start && foldLookAlikes(plain.charAt(end - 1)) === "") end--; // what has no width there stays
    return { start, end };
  });
  if (places.some(({ start, end }) => foldLookAlikes(plain.slice(start, end)) !== folded)) return undefined;
  const edit = (ordinal: number) => {
    const { start = 0, end = 0 } = places[ordinal] ?? {};
    return splice(target, start, plain.slice(start, end), replacement);
  };
  return { starts: places.map(({ start }) => start), edit };
}

function splice(target: Target, plainStart: number, wanted: string, replacement: string): Edit {
  const { file: { text }, view } = target;
  const start = view.original(plainStart), end = view.original(plainStart + wanted.length);
  const insert = replacement.includes("\n")
    ? withEnds(target, start, text.slice(start, end), wanted, replacement)
    : replacement;
  return { start, end, insert };
}

/** The replacement with the line ends of this place: a line that was there keeps its own. */
function withEnds({ cr, endAt }: Target, start: number, replaced: string, wanted: string, replacement: string): string {
  const ends = splitLines(cr ? replaced : replaced + "\n").map(({ end }) => end);
  const own = ends.slice(0, wanted.split("\n").length - 1);
  const style = own[0] ?? endAt(start);
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

function occurrences(text: string, wanted: string, limit: number): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && starts.length < limit; at = text.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
  }
  return starts;
}
