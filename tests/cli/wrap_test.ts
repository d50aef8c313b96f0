import assert from "node:assert/strict";
import { wrap } from "../../src/cli/wrap.ts";

Deno.test("wrap breaks at blanks, keeps line ends, and leaves a long word whole", () => {
  assert.deepEqual(wrap("one two three", 8), ["one two", "three"]);
  assert.deepEqual(wrap("one\n\ntwo", 8), ["one", "", "two"]);
  assert.deepEqual(wrap("read /a/rather/long/path now", 8), ["read", "/a/rather/long/path", "now"]);
  assert.deepEqual(wrap("anything else", Infinity), ["anything else"]);
});
