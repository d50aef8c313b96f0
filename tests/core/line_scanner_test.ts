import assert from "node:assert/strict";
import { LineScanner, type LineWindow } from "../../src/core/line_scanner.ts";

const encoder = new TextEncoder();

function scan(text: string | Uint8Array, window: Partial<LineWindow> = {}, chunk = 7): LineScanner {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const scanner = new LineScanner({ from: 0, count: 100, maxTokens: 1e9, separator: 10, ...window });
  for (let at = 0; at < bytes.length; at += chunk) scanner.push(bytes.slice(at, at + chunk));
  scanner.end();
  return scanner;
}

Deno.test("LineScanner agrees with split on random texts, windows and chunk sizes", () => {
  let seed = 3;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: random(60) }, () => ["\n", "a", "é", "漢", "😀", "\r\n", " "][random(7)]).join(
      "",
    );
    const from = random(6), count = random(6) + 1;
    const all = text.split("\n").map((line) => line.replace(/\r$/, ""));
    if (all.at(-1) === "" && text.endsWith("\n") || text === "") all.pop();
    if (text.endsWith("\r")) continue; // a lone carriage return at the very end is a matter of taste
    const scanner = scan(text, { from, count }, random(9) + 1);
    assert.deepEqual(scanner.lines, all.slice(from, from + count), JSON.stringify(text));
    assert.equal(scanner.totalLines, all.length);
    assert.equal(scanner.hasMore, from + count < all.length, JSON.stringify({ text, from, count }));
  }
});

Deno.test("LineScanner splits at carriage returns when told to", () => {
  assert.deepEqual(scan("a\rb\rc", { separator: 13 }).lines, ["a", "b", "c"]);
});

Deno.test("LineScanner cuts long lines at 2,000 characters and says how many bytes are missing", () => {
  const scanner = scan(`short\n${"é".repeat(5000)}\nend`, {}, 1000);
  assert.equal(scanner.cutLines, 1);
  assert.equal(scanner.lines[1], "é".repeat(2000) + "…[+6000]");
  assert.equal(scanner.lines[2], "end");
});

Deno.test("LineScanner does not end a cut line with half a character", () => {
  const [line = ""] = scan("x" + "😀".repeat(3000), {}, 1000).lines;
  assert.ok(line.isWellFormed());
  assert.equal(line, "x" + "😀".repeat(999) + `…[+${2001 * 4}]`);
});

Deno.test("LineScanner stops at the token budget but keeps one line", () => {
  const text = "one two three\n".repeat(50);
  const some = scan(text, { maxTokens: 20 });
  assert.ok(some.lines.length > 1 && some.lines.length < 10);
  assert.equal(some.hasMore, true);
  assert.equal(some.totalLines, 50);
  assert.equal(scan(text, { maxTokens: 1 }).lines.length, 1);
});

Deno.test("LineScanner shows invalid UTF-8 as U+FFFD and says so, and takes a real U+FFFD for text", () => {
  const latin1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 10);
  assert.deepEqual(scan(latin1).lines, ["caf\ufffd"]);
  assert.equal(scan(latin1).hasInvalid, true);
  assert.equal(scan("real \ufffd here\n").hasInvalid, false);
});
