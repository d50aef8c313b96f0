import assert from "node:assert/strict";
import { visible } from "../../src/core/visible.ts";

Deno.test("visible writes out what hides or reorders text; lines and other alphabets stay", () => {
  assert.equal(visible("a\tb\nc é 漢字 🙂 עברית"), "a\tb\nc é 漢字 🙂 עברית");
  assert.equal(visible("\0\x1b[31m\x7f\x9b\r"), "\\u{0}\\u{1b}[31m\\u{7f}\\u{9b}\\u{d}");
  assert.equal(visible("a\u202eb\u2066c\u200dd\u00ade\ufeff"), "a\\u{202e}b\\u{2066}c\\u{200d}d\\u{ad}e\\u{feff}");
  assert.equal(visible("x\u{e0041}y\u{e0101}\ufe0f"), "x\\u{e0041}y\\u{e0101}\\u{fe0f}");
  assert.equal(visible("\ud800"), "\ufffd");
});

Deno.test("visible writes out every bidirectional control and every blank that only looks like a space", () => {
  for (const control of "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
    assert.match(visible(control), /^\\u\{[\da-f]+\}$/);
  }
  for (
    const blank of "\u00a0\u1680\u2000\u2009\u202f\u205f\u3000\u2800\u3164\u115f\u1160\uffa0\u034f\u2028\u2029\u180e"
  ) {
    assert.match(visible(blank), /^\\u\{[\da-f]+\}$/);
  }
});
