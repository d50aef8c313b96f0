import assert from "node:assert/strict";
import { encodingNamed, makeDecoder, titleOf } from "../../src/core/encodings.ts";
import { makeOlderEncoder, Unstorable } from "../../src/core/older_encoder.ts";
import { makeRandom } from "../support/random.ts";

const ENCODINGS = [
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "gbk",
  "gb18030",
  "big5",
  "windows-874",
  "koi8-r",
  "iso-8859-2",
] as const;

Deno.test("an older encoder is the inverse of the decoder, for every character of the first plane that it has", () => {
  for (const encoding of ENCODINGS) {
    const { encode } = makeOlderEncoder(encoding);
    let stored = 0;
    for (let point = 0x80; point < 0xe000; point++) {
      const character = String.fromCodePoint(point);
      if (!character.isWellFormed()) continue;
      try {
        const back = makeDecoder(encoding).decode(encode(character));
        if (back === character) stored++;
        else assert.ok(["shift_jis", "euc-jp"].includes(encoding), `${encoding} ${character} ${back}`);
      } catch (error) {
        assert.ok(error instanceof Unstorable, String(error));
        assert.equal(error.character, character);
      }
    }
    assert.ok(stored >= 80, `${encoding}: ${stored}`);
  }
});

Deno.test("GB18030 stores every character, also beyond the first plane", () => {
  const { encode } = makeOlderEncoder("gb18030");
  for (const text of ["中文é한", "😀𠀀\u{10ffff}"]) assert.equal(makeDecoder("gb18030").decode(encode(text)), text);
  assert.equal(encode("😀").toHex(), "9439fc36");
});

Deno.test("text of an older encoding that is decoded in pieces is the same as in one", () => {
  const random = makeRandom(7), text = "設定ファイル😀の説明\n".repeat(50);
  for (const encoding of ["gb18030", "utf-32le", "utf-32be"] as const) {
    const bytes = encoding === "gb18030"
      ? makeOlderEncoder(encoding).encode(text)
      : utf32(text, encoding === "utf-32le");
    const decoder = makeDecoder(encoding), parts: string[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = 1 + random.below(7);
      parts.push(decoder.decode(bytes.subarray(at, at + length), { stream: true }));
      at += length;
    }
    assert.equal(parts.join("") + decoder.decode(new Uint8Array()), text, encoding);
  }
});

Deno.test("encodings are known by the names that people and programs use", () => {
  const names = {
    "shift_jis": ["sjis", "Shift-JIS", "cp932", "MS932", "windows-31j"],
    "windows-1252": ["latin1", "Latin-1", "ISO-8859-1", "cp1252"],
    "windows-874": ["TIS-620", "cp874"],
    "euc-jp": ["euc_jp", "EUC-JP"],
    "utf-16le": ["UTF-16", "utf_16le"],
    "koi8-r": ["koi8_r"],
  };
  for (const [encoding, spellings] of Object.entries(names)) {
    for (const spelling of spellings) assert.equal(encodingNamed(spelling), encoding, spelling);
  }
  for (const strange of ["", "klingon", "replacement", "x-user-defined"]) assert.equal(encodingNamed(strange), null);
  assert.equal(titleOf("windows-874"), "TIS-620");
});

function utf32(text: string, isLittle: boolean): Uint8Array {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(points.length * 4));
  points.forEach((point, at) => view.setUint32(at * 4, point, isLittle));
  return new Uint8Array(view.buffer);
}
