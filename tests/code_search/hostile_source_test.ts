/** Hostile source files: each is parsed in time linear in its length. @module */
import assert from "node:assert/strict";
import { importsOf } from "../../src/code_search/imports.ts";
import { GRAMMAR_NAMES } from "../../src/sys/grammar.ts";

const MANY = 1_000_000;

Deno.test("importsOf reads a million line ends, blanks and beginnings of imports once, in every language", () => {
  const texts = ["\n", " ", "\t\n", "from\n", "import \n", "#\n", '"', "use ", "mod\n", ". "].map((piece) =>
    piece.repeat(MANY / piece.length)
  );
  for (const grammar of GRAMMAR_NAMES) {
    // A pattern that looks through the rest at each line end would take a trillion steps.
    for (const text of texts) assert.ok(importsOf(text, grammar).length < 10, grammar);
  }
});

Deno.test("importsOf finds indented imports", () => {
  assert.deepEqual(importsOf("\n\n    import os\n\tfrom a.b import c\n", "python"), ["os", "a.b"]);
  assert.deepEqual(importsOf('import (\n\t"fmt"\n\n\tx "a/b"\n)\n', "go"), ["fmt", "a/b"]);
  assert.deepEqual(importsOf('  #  include <a.h>\n#include "b.h"\n', "c"), ["a.h", "b.h"]);
});
