import assert from "node:assert/strict";
import { findBlock } from "../../../src/core/edit/block.ts";
import { applyEdits } from "../../../src/core/edit/edits.ts";
import { decodeFile, encodeFile } from "../../../src/core/edit/text_file.ts";

/** Text in which every character is one byte. */
const bytesOf = (latin: string) => Uint8Array.from(latin, (unit) => unit.charCodeAt(0));

function edited(content: string, oldText: string, newText: string, expected = 1): string {
  const file = decodeFile(bytesOf(content), "'f'");
  const { edits } = findBlock(file, { oldText, newText, expected }, "'f'");
  return String.fromCharCode(...encodeFile({ ...file, text: applyEdits(file.text, edits) }));
}

Deno.test("findBlock takes the replacement literally", () => {
  for (const newText of ["$&", "$$", "$1", "\\1", "\\n", "$`", "$<x>"]) {
    assert.equal(edited("a X b", "X", newText), `a ${newText} b`);
  }
});

Deno.test("findBlock counts as a person does, without overlaps", () => {
  const count = (oldText: string) =>
    findBlock(decodeFile(bytesOf("aaaa"), "f"), { oldText, newText: "", expected: 0 }, "f").starts;
  assert.deepEqual(count("aa"), [0, 2]);
});

Deno.test("findBlock matches across line ends and gives new lines those of their surroundings", () => {
  assert.equal(edited("a\r\nb\r\nc\r\n", "a\nb", "a\nnew\nb"), "a\r\nnew\r\nb\r\nc\r\n");
  assert.equal(edited("a\nb\n", "a\r\nb", "a\r\nnew\r\nb"), "a\nnew\nb\n");
  assert.equal(edited("a\r\nx\nb\n", "x", "x\ny"), "a\r\nx\ny\nb\n");
  assert.equal(edited("a\rb\r", "a\nb", "a\nnew\nb"), "a\rnew\rb\r");
});

Deno.test("findBlock changes line ends for a request that spells them", () => {
  assert.equal(edited("a\r\nb\r\n", "a\r\nb", "a\nb"), "a\nb\r\n");
});

Deno.test("findBlock finds the last line although only its line end is missing", () => {
  assert.equal(edited("a\nlast", "last\n", "new\nend\n"), "a\nnew\nend");
  assert.equal(edited("a\nat last", "last\n", "new\n", 0), "a\nat last");
});

Deno.test("findBlock edits around bytes that are not UTF-8, and those that are shown as U+FFFD come back", () => {
  assert.equal(edited("caf\xe9\nx = 1\n", "x = 1", "x = 2"), "caf\xe9\nx = 2\n");
  assert.equal(edited("caf\xe9 cr\xe8me\n", "caf\ufffd cr\ufffdme", "<caf\ufffd cr\ufffdme>"), "<caf\xe9 cr\xe8me>\n");
  assert.equal(edited("caf\xe9\n", "café", "cafés “à la”"), "caf\xe9s \x93\xe0 la\x94\n");
});

Deno.test("findBlock refuses what would be written as other bytes than meant", () => {
  assert.throws(() => edited("caf\xe9 x\n", "x", "ü"), /not UTF-8/);
  assert.throws(() => edited("caf\xe9 x\n", "café", "日本"), /not UTF-8/);
  assert.throws(() => edited("caf\xe9 caf\xe9\n", "caf\ufffd caf\ufffd", "caf\ufffd"), /U\+FFFD/);
  assert.throws(() => edited("plain\n", "plain", "\ufffd"), /U\+FFFD/);
  assert.throws(() => edited("plain\n", "plain", "\ud83d"), /surrogate/);
  assert.throws(() => edited("plain\n", "", "x"), /empty/);
  assert.throws(() => edited("plain\n", "plain", "plain"), /the same/);
});

Deno.test("findBlock finds look-alikes where letters compose and lines differ in length", () => {
  const text = "e\u0301 — a\n\u1112\u1161\u11ab “x”\nplain\ne\u0301 “y”\n";
  const found = findBlock(
    { text, encoding: "utf-8", bom: false },
    { oldText: '\ud55c "x"\nplain\n\u00e9', newText: "z", expected: 1 },
    "f",
  );
  assert.equal(applyEdits(text, found.edits), "e\u0301 — a\nz “y”\n");
});
