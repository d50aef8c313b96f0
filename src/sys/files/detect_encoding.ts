/** Detects the legacy encoding of a text from the frequency of character pairs. @module */
import { detectAll } from "jschardet";
import { encodingNamed, isOlder, makeDecoder, type OlderEncoding } from "../../core/encodings.ts";

/** The encodings to choose from, as the detector calls them. */
const CANDIDATES = [
  ...["CP932", "EUC-JP", "CP949", "GB18030", "Big5", "CP874", "KOI8-R", "KOI8-U", "IBM866"],
  ...["Windows-1250", "Windows-1251", "Windows-1252", "Windows-1253", "Windows-1254", "Windows-1255", "Windows-1256"],
  ...["Windows-1257", "ISO-8859-2", "ISO-8859-5", "ISO-8859-7", "ISO-8859-9"],
];
/** More text than this makes no difference. */
const MAX_SAMPLE_BYTES = 16 * 1024;
/** Less is a guess: the detector is this sure of a few words. */
const MIN_CONFIDENCE = 0.1;
/** How much surer than of the next encoding, in which the same bytes are another text. */
const MIN_LEAD = 1.3;
/** Different characters beyond ASCII: a word or two of an East Asian encoding is a text in most of the others. */
const MIN_CHARACTERS = { double: 4, single: 3 };
const DOUBLE: ReadonlySet<string> = new Set(["shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5"]);

/**
 * The encoding of a text that is not UTF-8.
 *
 * @returns null where several come into question: what is written in the wrong one is lost.
 */
export function detectEncoding(bytes: Uint8Array): OlderEncoding | null {
  const sample = linesBeyondAscii(bytes);
  const found = detectAll(sample, { detectEncodings: CANDIDATES, minimumThreshold: 0 });
  const [best, ...others] = found.flatMap(({ encoding, confidence }) => {
    const known = encodingNamed(encoding ?? "");
    return known !== null && isOlder(known) ? [{ encoding: known, confidence }] : [];
  });
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return null;
  const text = makeDecoder(best.encoding).decode(sample);
  if (!isProperText(text, DOUBLE.has(best.encoding))) return null;
  const rival = others.find(({ encoding }) => makeDecoder(encoding).decode(sample) !== text);
  if (rival !== undefined && best.confidence < MIN_LEAD * rival.confidence) return null;
  return best.encoding === "gb18030" && !hasQuadruples(sample) ? "gbk" : best.encoding;
}

/** Lines with bytes beyond ASCII, as many as make a sample; a character may be cut at its end. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, MAX_SAMPLE_BYTES));
  let length = 0;
  for (let start = 0; start < bytes.length && length < sample.length;) {
    const feed = bytes.indexOf(10, start), end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte >= 0x80)) {
      const part = line.subarray(0, sample.length - length);
      sample.set(part, length);
      length += part.length;
    }
    start = end;
  }
  return sample.subarray(0, length);
}

function isProperText(text: string, isDouble: boolean): boolean {
  const characters = new Set(text.match(/[^\p{ASCII}\ufffd]/gu));
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return broken <= 1 && characters.size >= MIN_CHARACTERS[isDouble ? "double" : "single"];
}

/** Whether a text has characters of four bytes, which only GB18030 has. */
function hasQuadruples(bytes: Uint8Array): boolean {
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] ?? 0, next = bytes[at + 1] ?? 0;
    if (lead < 0x81) continue;
    if (next >= 0x30 && next <= 0x39) return true;
    at++;
  }
  return false;
}
