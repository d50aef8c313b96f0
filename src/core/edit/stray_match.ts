/** Matches text with bytes that are not UTF-8: as it was displayed, or as Latin-1. @module */
import { OpsError } from "../error.ts";
import { type FileText, isMostlyUtf8, requireStorable, strayByte, straySequences } from "./text_file.ts";

/** One place where a block stands as shown. */
export interface ShownMatch {
  /** Index in the searched text. */
  readonly start: number;
  /** What stands there, with the real bytes. */
  readonly found: string;
  /** The replacement with every U+FFFD turned back into the bytes that it stood for. */
  readonly replacement: string;
}

/** A piece of the text and how it is shown. */
interface Piece {
  readonly real: string;
  /** Where it is shown. */
  readonly at: number;
}

/**
 * Finds a block that was copied from a listing in which each stray sequence is one U+FFFD.
 *
 * @throws OpsError INVALID_ARGUMENT when the replacement keeps some of the marks but not all: which ones is a guess.
 */
export function matchShown(text: string, wanted: string, replacement: string): readonly ShownMatch[] {
  if (!wanted.includes("\ufffd")) return [];
  const marks = replacement.split("\ufffd").length - 1;
  const { shown, pieces } = show(text);
  const matches: ShownMatch[] = [];
  // Index of the first piece at or behind the match, and how much longer the text before it is than it is shown.
  let next = 0, longer = 0;
  const passUntil = (shownIndex: number) => {
    const first = next;
    for (let piece = pieces[next]; piece !== undefined && piece.at < shownIndex; piece = pieces[++next]) {
      longer += piece.real.length - 1;
    }
    return pieces.slice(first, next);
  };
  for (let at = shown.indexOf(wanted); at >= 0; at = shown.indexOf(wanted, at + wanted.length)) {
    passUntil(at);
    const start = at + longer;
    const inside = passUntil(at + wanted.length);
    if (marks !== 0 && marks !== inside.length) throw unclear();
    const real = inside.values();
    const written = replacement.replace(/\ufffd/g, () => real.next().value?.real ?? "");
    matches.push({ start, found: text.slice(start, at + wanted.length + longer), replacement: written });
  }
  return matches;
}

/**
 * The text with each character beyond ASCII as the stray byte that Latin-1 or Windows-1252 stores it as;
 * undefined when one has no such byte.
 */
export function singleByteForm(text: string): string | undefined {
  const parts: string[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) parts.push(character);
    else if (code >= 0xa0 && code <= 0xff) parts.push(strayByte(code));
    else {
      const at = WINDOWS_1252.indexOf(character);
      if (at < 0 || character === "\0") return undefined;
      parts.push(strayByte(0x80 + at));
    }
  }
  return parts.join("");
}

/** Bytes 0x80 to 0x9F; NUL where there is no character. */
const WINDOWS_1252 = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

function show(text: string): { readonly shown: string; readonly pieces: readonly Piece[] } {
  const pieces: Piece[] = [];
  const parts: string[] = [];
  let length = 0, start = 0;
  for (const { 0: run, index } of text.matchAll(/[\u{dc80}-\u{dcff}\u{fffd}]+/gu)) {
    length += index - start;
    parts.push(text.slice(start, index));
    for (const real of run.match(/\ufffd|[^\ufffd]+/g) ?? []) {
      for (const sequence of real === "\ufffd" ? [real] : straySequences(real)) {
        pieces.push({ real: sequence, at: length++ });
        parts.push("\ufffd");
      }
    }
    start = index + run.length;
  }
  parts.push(text.slice(start));
  return { shown: parts.join(""), pieces };
}

/**
 * A new text with every U+FFFD turned back into the bytes that it stands for in the old text, in order; unchanged when
 * the numbers differ.
 */
export function restoreStray(before: string, after: string): string {
  const { pieces } = show(before);
  if (pieces.length !== after.split("\ufffd").length - 1) return after;
  const real = pieces.values();
  return after.replace(/\ufffd/g, () => real.next().value?.real ?? "");
}

/**
 * Refuses text that cannot be written into a file: a character that its encoding does not have, or any beyond ASCII where
 * the encoding is not known and not most of the file is UTF-8.
 *
 * @param name How the error names the file.
 * @throws OpsError INVALID_ARGUMENT.
 */
export function refuseUnstorable(file: FileText, insert: string, name: string): void {
  if (file.encoding === "mixed" && hasWide(insert) && !isMostlyUtf8(file.text)) throw unknownEncoding(name);
  requireStorable(file, insert, name);
}

/** The error for text that a file of an unknown encoding cannot take. */
export function unknownEncoding(name: string): OpsError {
  return new OpsError(
    "INVALID_ARGUMENT",
    `${name} is not UTF-8, and how it stores characters beyond ASCII is not known`,
    "Name it in 'encoding' (shift_jis, windows-1251, …), write only ASCII into it, or convert the file to UTF-8 first.",
  );
}

/** Whether a text holds characters beyond ASCII, stray bytes apart. */
function hasWide(text: string): boolean {
  return /[\u{80}-\u{dc7f}\u{dd00}-\u{10ffff}]/u.test(text);
}

function unclear(): OpsError {
  return new OpsError(
    "INVALID_ARGUMENT",
    "'new_text' has a different number of U+FFFD characters than 'old_text', so the bytes they stand for are ambiguous",
    "Keep every U+FFFD of 'old_text' in its order, or none.",
  );
}
