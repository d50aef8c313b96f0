import assert from "node:assert/strict";
import { findWords } from "../../scripts/words.ts";

Deno.test("findWords names registry hosts anywhere, and says where", () => {
  const host = ["https://registry.np", "mjs.org/x"].join("");
  assert.deepEqual(findWords("README.md", `fine\nfrom ${host}`), ["README.md:2: names a package registry's host"]);
  assert.deepEqual(findWords("README.md", "get it with npm install, see https://deno.land"), []);
});

Deno.test("findWords wants a reason behind every silenced lint", () => {
  const silence = "// deno-lint-" + "ignore no-console";
  assert.deepEqual(findWords("src/a.ts", silence), ["src/a.ts:1: silences a lint without a reason"]);
  assert.deepEqual(findWords("src/a.ts", `${silence} -- the terminal is the product here`), []);
  assert.deepEqual(findWords("docs/a.md", silence), []);
});

Deno.test("findWords finds tests that are left out", () => {
  const left = "Deno.test." + "only(";
  assert.deepEqual(findWords("tests/a_test.ts", left), ["tests/a_test.ts:1: leaves tests out"]);
});
