import assert from "node:assert/strict";
import { pathTest } from "../../../src/sys/files/globs.ts";

const fits = (glob: string, ...paths: string[]) => paths.filter(pathTest(glob));

Deno.test("pathTest compares the name when the glob has no slash, else the whole path", () => {
  assert.deepEqual(fits("*.ts", "a.ts", "src/b.ts", "c.js"), ["a.ts", "src/b.ts"]);
  assert.deepEqual(fits("src/*.ts", "a.ts", "src/b.ts", "src/x/c.ts", "y/src/d.ts"), ["src/b.ts"]);
  assert.deepEqual(fits("/src/**/*.ts", "src/b.ts", "src/x/c.ts"), ["src/b.ts", "src/x/c.ts"]);
  assert.deepEqual(fits("./a.ts", "a.ts", "src/a.ts"), ["a.ts"]);
  assert.deepEqual(fits("src/", "src/a", "src/b/c", "d"), ["src/a", "src/b/c"]);
});

Deno.test("pathTest takes lists, braces and negations", () => {
  assert.deepEqual(fits("*.ts,*.{js,jsx}", "a.ts", "b.jsx", "c.md"), ["a.ts", "b.jsx"]);
  assert.deepEqual(fits("!*.test.ts", "a.ts", "a.test.ts"), ["a.ts"]);
  assert.deepEqual(fits("*.ts,!*.test.ts", "a.ts", "a.test.ts", "b.js"), ["a.ts"]);
});

Deno.test("pathTest treats hidden and odd names like all others", () => {
  assert.deepEqual(fits("*.txt", ".hidden.txt", "new\nline.txt", "bad\udcff.txt"), [
    ".hidden.txt",
    "new\nline.txt",
    "bad\udcff.txt",
  ]);
});

Deno.test("pathTest refuses globs that are empty or would take for ever", () => {
  assert.throws(() => pathTest(" , "), { code: "INVALID_ARGUMENT" });
  assert.throws(() => pathTest("{a,b,c,d}".repeat(6)), { code: "INVALID_ARGUMENT", message: /alternatives/ });
  assert.throws(() => pathTest("{1..100000}"), { code: "INVALID_ARGUMENT", message: /alternatives/ });
  assert.throws(() => pathTest("+(a|b).ts"), { code: "INVALID_ARGUMENT", message: /repeats/ });
  assert.throws(() => pathTest("a".repeat(70_000)), { code: "INVALID_ARGUMENT" });
});

Deno.test("pathTest takes extended groups, ranges, classes and escapes", () => {
  assert.deepEqual(fits("@(a|b).ts", "a.ts", "b.ts", "c.ts", "ab.ts"), ["a.ts", "b.ts"]);
  assert.deepEqual(fits("a?(b).ts", "a.ts", "ab.ts", "abb.ts"), ["a.ts", "ab.ts"]);
  assert.deepEqual(fits("!(*.test).ts", "a.ts", "a.test.ts"), ["a.ts"]);
  assert.deepEqual(fits("f{1..3}", "f0", "f1", "f3", "f4"), ["f1", "f3"]);
  assert.deepEqual(fits("{a,b{c,d}}.ts", "a.ts", "bc.ts", "bd.ts", "b.ts"), ["a.ts", "bc.ts", "bd.ts"]);
  assert.deepEqual(fits("[a-c]*[!0-9]", "ax", "b1", "dx"), ["ax"]);
  assert.deepEqual(fits("[[:upper:]]*", "Ab", "ab"), ["Ab"]);
  assert.deepEqual(fits("\\*", "*", "a"), ["*"]);
  assert.deepEqual(fits("a/**/b", "a/b", "a/x/b", "a/x/y/b", "b"), ["a/b", "a/x/b", "a/x/y/b"]);
  assert.deepEqual(fits("**/x/**", "x", "x/a", "a/x/b", "y"), ["x", "x/a", "a/x/b"]);
});

Deno.test("pathTest comes to an end for globs that make other engines try everything", () => {
  const text = "a".repeat(250), path = "a/".repeat(1_000) + "c";
  for (const shape of ["*a", "a*", "**/a/", "?*", "[a-z]*", "*?a", "*[a]", "**/"]) {
    for (const times of [8, 30, 120]) {
      for (const glob of [`${shape.repeat(times)}b`, `(${shape.repeat(times)}+)+b`]) {
        assert.deepEqual(fits(glob, text, path), [], glob);
      }
    }
  }
});
