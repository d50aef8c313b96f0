import assert from "node:assert/strict";
import { argumentsText } from "../../src/call/arguments_text.ts";

Deno.test("the arguments of a call are shown whole, to whoever has to answer for it", () => {
  const command = `echo ${"x".repeat(300)}; rm -rf notes`;
  assert.equal(argumentsText({ command, timeout: 5, argv: undefined }), `command: ${command}\ntimeout: 5`);
  assert.equal(argumentsText({ path: "a", content: "one\ntwo" }), "path: a\ncontent:\n    one\n    two");
  assert.equal(argumentsText({ path: "a\nrecursive: false" }), "path:\n    a\n    recursive: false");
  assert.equal(argumentsText({ env: { A: "1" }, argv: ["a", "b"] }), 'env: {"A":"1"}\nargv: ["a","b"]');
  assert.equal(argumentsText({}), "");
});

Deno.test("that arguments are cut is said", () => {
  const text = argumentsText({ content: "y".repeat(40_000) });
  assert.ok(text.length < 33_000);
  assert.match(text, /y\n\[7241 characters more are not shown\]$/);
});
