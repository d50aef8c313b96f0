/** Masks long texts in pieces, so that other calls get their turn. @module */
import type { Masker } from "../core/secrets/masker.ts";
import { KEY_START } from "../core/secrets/private_key.ts";
import { makePacer } from "./pacer.ts";

/** Characters that are masked at once: in the worst case some 20 ms. */
export const PIECE_CHARS = 64 * 1024;
const KEY_END = "-----END";

/** The masked text. What is shorter than a piece is masked at once. */
export async function maskInPieces(text: string, mask: Masker["mask"]): Promise<string> {
  if (text.length <= PIECE_CHARS) return mask(text);
  const pacer = makePacer(new AbortController().signal);
  let result = "";
  for (const piece of piecesOf(text)) {
    await pacer();
    result += mask(piece);
  }
  return result;
}

/** Parts of a text in which secrets are looked for at once; together they are the text. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = pieceEnd(text, from);
    yield text.slice(from, end);
    from = end;
  }
}

/** With the piece that is under way when it ends, what a call may take of the thread that serves. */
const AT_ONCE_MS = 30;

/** The masked text, where that does not hold up other calls; null where it takes longer than a few pieces may. */
export function maskAtOnce(text: string, mask: Masker["mask"]): string | null {
  const endMs = performance.now() + AT_ONCE_MS;
  let result = "";
  for (const piece of piecesOf(text)) {
    if (performance.now() > endMs) return null;
    result += mask(piece);
  }
  return result;
}

/** After a line, and not inside a key that goes over lines. Looks no further back than the piece, and one piece ahead. */
function pieceEnd(text: string, from: number): number {
  const wanted = from + PIECE_CHARS;
  if (wanted >= text.length) return text.length;
  const ahead = text.slice(wanted, wanted + PIECE_CHARS), newline = ahead.indexOf("\n");
  const end = wanted + (newline < 0 ? ahead.length : newline + 1);
  const piece = text.slice(from, end), start = piece.lastIndexOf(KEY_START);
  if (start < 0 || piece.includes(KEY_END, start)) return end;
  const keyEnd = text.slice(end, end + PIECE_CHARS).indexOf(KEY_END);
  return keyEnd < 0 ? end : end + keyEnd;
}
