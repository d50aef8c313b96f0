import assert from "node:assert/strict";
import { endsWithCr, lineNumber, makeEndFinder, plainView, splitLines } from "../../../src/core/edit/line_ends.ts";
import { makeRandom } from "../../support/random.ts";

Deno.test("splitLines and plainView lose nothing, and their indices lead back", () => {
  const random = makeRandom(2);
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random.below(14) }, () => random.pick(["a", "\r\n", "\r", "\n", "b"])).join("");
    assert.equal(splitLines(text).map((line) => line.text + line.end).join(""), text);
    const { plain, original, shown } = plainView(text);
    for (let index = 0; index <= plain.length; index++) {
      const at = original(index);
      assert.equal(shown(at), index);
      const wanted = text.startsWith("\r\n", at) || (text[at] === "\r" && !text.includes("\n")) ? "\n" : text[at];
      assert.equal(plain[index], wanted, JSON.stringify({ text, index }));
    }
  }
});

Deno.test("splitLines takes CR for a line end only where there is no LF", () => {
  assert.deepEqual(splitLines("a\rb\r").map(({ text, end }) => [text, end]), [["a", "\r"], ["b", "\r"]]);
  assert.deepEqual(splitLines("10%\r20%\nb").map(({ text, end }) => [text, end]), [["10%\r20%", "\n"], ["b", ""]]);
  assert.deepEqual(splitLines(""), []);
});

Deno.test("makeEndFinder answers with the end of the line, else with that of the line before, else LF", () => {
  const text = "a\r\nb\nc";
  assert.deepEqual([0, 3, 5].map(makeEndFinder(text)), ["\r\n", "\n", "\n"]);
  assert.equal(makeEndFinder("a\rb")(2), "\r");
  assert.equal(makeEndFinder("a")(0), "\n");
});

Deno.test("lineNumber counts from one", () => {
  assert.deepEqual([0, 1, 2, 3].map((index) => lineNumber("a\nb\n", index)), [1, 1, 2, 2]);
});

Deno.test("endsWithCr: only a text with CR and without LF ends its lines so", () => {
  assert.deepEqual(["a\rb", "a\r\nb", "a\nb", "plain", ""].map(endsWithCr), [true, false, false, false, false]);
});
