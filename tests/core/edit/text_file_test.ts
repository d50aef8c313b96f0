import assert from "node:assert/strict";
import { decodeFile, encodeFile, shownText } from "../../../src/core/edit/text_file.ts";
import { makeRandom } from "../../support/random.ts";

const decode = (...bytes: number[]) => decodeFile(Uint8Array.from(bytes), "'f'");

Deno.test("decodeFile and encodeFile keep every byte of 5000 random files, and show them as a decoder does", () => {
  const random = makeRandom(1);
  const bytes = [
    65,
    0xc3,
    0xa9,
    0xe2,
    0x82,
    0xac,
    0xf0,
    0x9f,
    0x98,
    0x80,
    0xff,
    0xed,
    0xa0,
    13,
    10,
    0xef,
    0xbb,
    0xbf,
    0xbd,
    0xc0,
    0xf4,
    0x90,
    0xe0,
  ];
  for (let round = 0; round < 5000; round++) {
    const file = Uint8Array.from({ length: random.below(14) }, () => random.pick(bytes));
    const decoded = decodeFile(file, "'f'");
    assert.deepEqual(encodeFile(decoded), file);
    const shown = new TextDecoder("utf-8", { ignoreBOM: true }).decode(decoded.bom ? file.subarray(3) : file);
    assert.equal(shownText(decoded.text), shown, String(file));
  }
});

Deno.test("decodeFile tells byte order marks from text and gives them back", () => {
  assert.deepEqual(decode(0xef, 0xbb, 0xbf, 65), { text: "A", encoding: "utf-8", bom: true });
  assert.deepEqual(decode(0xff, 0xfe, 65, 0), { text: "A", encoding: "utf-16le", bom: true });
  assert.deepEqual(decode(0xff, 0xfe, 0, 0, 65, 0, 0, 0), { text: "A", encoding: "utf-32le", bom: true });
  assert.deepEqual(decode(0xfe, 0xff, 0, 65), { text: "A", encoding: "utf-16be", bom: true });
  assert.deepEqual(
    encodeFile({ text: "é😀", encoding: "utf-16be", bom: true }),
    Uint8Array.of(0xfe, 0xff, 0, 0xe9, 0xd8, 0x3d, 0xde, 0),
  );
});

Deno.test("decodeFile refuses what text edits would damage, and says what it is", () => {
  assert.throws(() => decode(1, 0, 2), /is binary/);
  assert.throws(() => decode(0xff, 0xfe, 0, 0, 65, 0, 0), /UTF-32 and not well formed/);
  assert.throws(() => decode(0xff, 0xfe, 65), /not well formed/);
  assert.throws(() => decode(0xff, 0xfe, 0, 0xd8, 65, 0), /not well formed/);
});
