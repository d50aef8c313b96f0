/** Recognises UTF-16 and UTF-32 without a byte order mark. @module */
import { makeDecoder, type WideEncoding } from "./encodings.ts";

const PROBED_BYTES = 8 * 1024;
const CANDIDATES: readonly WideEncoding[] = ["utf-32le", "utf-32be", "utf-16le", "utf-16be"];
/** Controls that text does not use, halves of pairs, and what no character is assigned to. */
// deno-lint-ignore no-control-regex -- control characters are what is looked for
const FOREIGN = /[[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]--[\t\n\f\r\u001b\u0085]]/v;
/** Of NULs among the bytes: text in Latin letters has half of them, one in other letters those of its blanks. */
const LATIN_NUL_SHARE = 0.25;
/** Of line feeds among the bytes of that value: an ideograph may have such a byte, too. */
const MIN_FEED_SHARE = 0.2;
/** Shorter data can look like such text by chance. */
const MIN_CHARACTERS = 4;

/**
 * The encoding of text whose every character has two bytes or four; null for anything else.
 *
 * @param head The first bytes of the file.
 * @param isOtherText Whether the bytes without their NULs are text: then some NULs in between do not make it another one.
 */
export function wideWithoutMark(head: Uint8Array, isOtherText: () => boolean): WideEncoding | null {
  const probed = head.subarray(0, Math.min(head.length, PROBED_BYTES) & ~3 || head.length & ~1);
  const nuls = probed.reduce((count, byte) => byte === 0 ? count + 1 : count, 0);
  if (nuls === 0) return null;
  const feeds = probed.reduce((count, byte) => byte === 10 ? count + 1 : count, 0);
  const isLatin = nuls >= probed.length * LATIN_NUL_SHARE;
  const found = CANDIDATES.find((encoding) => isText(makeDecoder(encoding).decode(probed), feeds));
  return found === undefined || !isLatin && isOtherText() ? null : found;
}

function isText(text: string, feeds: number): boolean {
  const lineFeeds = text.split("\n").length - 1;
  return text.length >= MIN_CHARACTERS && /[\n ]|^[\x21-\x7e]+$/.test(text) && lineFeeds >= feeds * MIN_FEED_SHARE &&
    !FOREIGN.test(text.replace(/[\ud800-\udbff]$/, "")); // the second half may not be among what was looked at
}
