import assert from "node:assert/strict";
import { byteLength, humanSize, joinBytes, sha256Hex } from "../../src/core/bytes.ts";

Deno.test("humanSize shows the digits that matter", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0B"],
    [999, "999B"],
    [1023, "1023B"],
    [1536, "1.5KB"],
    [512 * 1024 ** 2, "512MB"],
    [1023.4 * 1024 ** 2, "1023MB"],
    [1023.6 * 1024 ** 2, "1GB"],
    [8.2 * 1024 ** 3, "8.2GB"],
    [16 * 1024 ** 3, "16GB"],
    [99.96 * 1024 ** 3, "100GB"],
    [252.3 * 1024 ** 3, "252GB"],
    [3.6 * 1024 ** 4, "3.6TB"],
    [-5, "0B"],
  ];
  for (const [bytes, text] of cases) assert.equal(humanSize(bytes), text);
});

Deno.test("joinBytes puts the parts one behind the other", () => {
  assert.deepEqual([...joinBytes([])], []);
  assert.deepEqual([...joinBytes([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)])], [1, 2, 3]);
  assert.deepEqual([...joinBytes([new Uint8Array(), Uint8Array.of(4)])], [4]);
});

Deno.test("sha256Hex and byteLength take a text as UTF-8", async () => {
  assert.equal(await sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(await sha256Hex(Uint8Array.of(97, 98, 99)), await sha256Hex("abc"));
  assert.equal(byteLength("ä€"), 5);
});
