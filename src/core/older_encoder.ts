/**
 * Encodes text in an older encoding. It is made from `TextDecoder`, which decodes these and encodes none, so that what was
 * read is written back to the byte.
 * @module
 */
import { makeDecoder, type OlderEncoding } from "./encodings.ts";

/** Encodes text. */
export interface OlderEncoder {
  /** @throws Unstorable for a character that the encoding does not have. */
  encode(text: string): Uint8Array;
}

/** A character that an encoding does not have. */
export class Unstorable extends Error {
  constructor(readonly character: string) {
    super("the encoding does not have this character");
  }
}

/** Makes an encoder. That takes a millisecond for encodings of one byte, and up to 60 for GB18030. */
export function makeOlderEncoder(encoding: OlderEncoding): OlderEncoder {
  const codes = codesOf(encoding), others = JAPANESE.has(encoding) ? JIS_TWINS : null;
  const codeOf = (character: string): number | undefined =>
    codes.get(character) ?? codes.get(others?.get(character) ?? "") ??
      (encoding === "gb18030" ? beyondFirstPlane(character) : undefined);
  return {
    encode(text) {
      const bytes = new Uint8Array(text.length * 4);
      let length = 0;
      for (const character of text) {
        const point = character.codePointAt(0) ?? 0, code = point < 0x80 ? point : codeOf(character);
        if (code === undefined) throw new Unstorable(character);
        for (let shift = code > 0xffffff ? 24 : code > 0xffff ? 16 : code > 0xff ? 8 : 0; shift >= 0; shift -= 8) {
          bytes[length++] = code >>> shift;
        }
      }
      return bytes.slice(0, length);
    },
  };
}

const JAPANESE: ReadonlySet<string> = new Set(["shift_jis", "euc-jp"]);

/** Characters for which the tables of JIS and of Windows have different ones in one place. */
const JIS_TWINS: ReadonlyMap<string, string> = new Map([
  ["\u301c", "\uff5e"],
  ["\u2212", "\uff0d"],
  ["\u2016", "\u2225"],
  ["\u2014", "\u2015"],
  ["\u00a2", "\uffe0"],
  ["\u00a3", "\uffe1"],
  ["\u00a6", "\uffe4"],
  ["\u00ac", "\uffe2"],
]);

/** Big5 has these twice, and the second place is the usual one. */
const LATER_IN_BIG5 = "═╞╡╪十卅";

/** Bytes of every character beyond ASCII, as one number. The first of several is the one to write. */
function codesOf(encoding: OlderEncoding): Map<string, number> {
  const codes = new Map<string, number>(), isBig5 = encoding === "big5";
  for (const group of groupsOf(encoding)) {
    const decoded = makeDecoder(encoding).decode(Uint8Array.from(group.flatMap((sequence) => [...sequence, 10])));
    decoded.split("\n").forEach((text, index) => {
      const sequence = group[index], point = text.codePointAt(0) ?? 0;
      if (sequence === undefined || point < 0x80 || point === 0xfffd || text.length !== (point > 0xffff ? 2 : 1)) {
        return;
      }
      if (codes.has(text) && !(isBig5 && LATER_IN_BIG5.includes(text))) return;
      codes.set(text, sequence.reduce((code, byte) => code * 256 + byte, 0));
    });
  }
  return codes;
}

type Sequence = readonly number[];

/** Every sequence of bytes that may be a character, those to prefer first. */
function groupsOf(encoding: OlderEncoding): Sequence[][] {
  const single = range(0x80, 0xff).map((byte) => [byte]);
  switch (encoding) {
    case "shift_jis": // what NEC took over from IBM is written as IBM has it
      return [single, pairs([...range(0x81, 0x9f), ...range(0xe0, 0xec), ...range(0xef, 0xfc), 0xed, 0xee], 0x40)];
    case "euc-jp": {
      const double = pairs(range(0xa1, 0xfe), 0xa1);
      return [double, range(0xa1, 0xdf).map((byte) => [0x8e, byte]), double.map((pair) => [0x8f, ...pair])];
    }
    case "big5": // the additions of Hong Kong last
      return [pairs([...range(0xa1, 0xfe), ...range(0x81, 0xa0)], 0x40)];
    case "euc-kr":
      return [pairs(range(0x81, 0xfe), 0x41)];
    case "gbk":
      return [single, pairs(range(0x81, 0xfe), 0x40)];
    case "gb18030":
      return [pairs(range(0x81, 0xfe), 0x40), ...range(0x81, 0x84).map(quadruples)];
    default:
      return [single];
  }
}

function pairs(leads: readonly number[], firstTrail: number): Sequence[] {
  const trails = range(firstTrail, 0xfe);
  return leads.flatMap((lead) => trails.map((trail) => [lead, trail]));
}

function quadruples(lead: number): Sequence[] {
  const digits = range(0x30, 0x39), inner = range(0x81, 0xfe);
  return digits.flatMap((second) => inner.flatMap((third) => digits.map((last) => [lead, second, third, last])));
}

/** GB18030 counts through what is beyond the first plane. */
function beyondFirstPlane(character: string): number | undefined {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x10000) return undefined;
  let rest = point - 0x10000;
  const last = rest % 10, third = (rest = Math.floor(rest / 10)) % 126;
  const second = (rest = Math.floor(rest / 126)) % 10, lead = Math.floor(rest / 10);
  return (((0x90 + lead) * 256 + 0x30 + second) * 256 + 0x81 + third) * 256 + 0x30 + last;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
