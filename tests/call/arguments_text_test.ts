import assert from "node:assert/strict";
import { argumentsText } from "../../src/call/arguments_text.ts";

Deno.test("the arguments of a call are shown whole, to whoever has to answer for it", () => {
  const command = `echo ${"x".repeat(300)}; rm -rf notes`;
  assert.equal(argumentsText({ command, timeout: 5, argv: undefined }), `command: ${command}\ntimeout: 5`);
  assert.equal(argumentsText({ path: "a", content: "one\ntwo" }), "path: a\ncontent:\n  | one\n  | two");
  assert.equal(argumentsText({ path: "a\nrecursive: false" }), "path:\n  | a\n  | recursive: false");
  assert.equal(argumentsText({ env: { A: "1" }, argv: ["a", "b"] }), 'env: {"A":"1"}\nargv: ["a","b"]');
  assert.equal(argumentsText({}), "");
});

Deno.test("nothing of an argument is hidden, reordered or taken for a line of another one", () => {
  assert.equal(argumentsText({ path: "a\u202eb\r\x1b[2K" }), "path: a\\u{202e}b\\u{d}\\u{1b}[2K");
  assert.equal(argumentsText({ "a\nb": "c" }), "a\\nb: c");
  assert.equal(argumentsText({ argv: ["\u2066x"] }), 'argv: ["\\u{2066}x"]');
});

Deno.test("arguments are shown whole or not at all", () => {
  const long = "y".repeat(500_000);
  assert.equal(argumentsText({ content: long }), `content: ${long}`);
  assert.equal(argumentsText({ content: long + long + long }), null);
});
