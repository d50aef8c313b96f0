import { besideNote, cutAround, cutLine } from "../../src/core/bound.ts";
import { boundHead, fitLines } from "../../src/core/bound_lines.ts";
import { estimateTokens, lineTokens } from "../../src/core/tokens.ts";
import { shortSize } from "../../src/core/bytes.ts";
import assert from "node:assert/strict";

Deno.test("cutLine keeps short lines and says how much of a long one is missing", () => {
  assert.equal(cutLine("abc", 3), "abc");
  assert.equal(cutLine("abcdef", 4), "abcd…[+2]");
});

Deno.test("cutLine does not split a surrogate pair", () => {
  assert.equal(cutLine("ab😀cd", 3), "ab…[+4]");
});

Deno.test("cutAround keeps the match in sight wherever it is", () => {
  const line = "x".repeat(500) + "NEEDLE" + "y".repeat(500);
  const cut = cutAround(line, 500, 506, 40);
  assert.match(cut, /^\[\+\d+\]…x+NEEDLEy+…\[\+\d+\]$/);
  assert.equal(cut.replaceAll(/\[\+\d+\]|…/g, "").length, 40);
  assert.match(cutAround(line, 0, 5, 40), /^x+…\[\+966\]$/);
  assert.match(cutAround(line, 1001, 1006, 40), /^\[\+966\]…y+$/);
  assert.equal(cutAround("short", 0, 5, 40), "short");
});

Deno.test("cutAround shows the start of a match longer than the window", () => {
  assert.equal(cutAround("ab" + "x".repeat(100), 2, 102, 10), "[+2]…xxxxxxxxxx…[+90]");
});

Deno.test("fitLines stops at the budget and counts as many lines as must be shown whatever they cost", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line number ${index}`);
  const fits = fitLines(lines, 60, 1);
  assert.ok(fits > 5 && fits < 20, String(fits));
  assert.equal(fitLines(lines, 1, 1), 1);
  assert.equal(fitLines(lines, 10_000, 1), 100);
  assert.equal(fitLines(lines, 1, 0), 0);
  assert.equal(fitLines([], 10, 1), 0);
});

Deno.test("lineTokens adds up to the estimate of the whole text", () => {
  const lines = ["const a = 1;", "", "  return x;", "Überschrift", "2026-05-06 12:00:00 ok", "}", "", "漢字"];
  const sum = lines.reduce((total, line) => total + lineTokens(line), 0);
  assert.ok(Math.abs(sum - estimateTokens(lines.join("\n"))) <= 2, String(sum));
});

Deno.test("boundHead takes whole lines, or the beginning of a first line that is too long, and says where the rest begins", () => {
  const head = boundHead("one\ntwo\nthree\n", 5);
  assert.deepEqual(head, { text: "one", offset: 1, unit: "lines", total: 3 });
  const long = boundHead("ä".repeat(1_000), 20);
  assert.equal(long.unit, "bytes");
  assert.equal(long.offset, 2 * long.text.length);
  assert.equal(long.total, 2_000);
  assert.ok(estimateTokens(long.text) <= 20 && long.text.length > 10);
});

Deno.test("besideNote keeps the same room free for every note, and little of a small budget", () => {
  assert.deepEqual([4_000, 400, 100, 0].map(besideNote), [3_900, 300, 75, 0]);
});

Deno.test("shortSize uses three figures at most", () => {
  assert.deepEqual([0, 999, 1000, 1536, 14_000, 2_200_000, 5e9, 1023 * 1024].map(shortSize), [
    "0",
    "999",
    "1.0K",
    "1.5K",
    "14K",
    "2.1M",
    "4.7G",
    "1.0M",
  ]);
});
