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
  assert.throws(() => pathTest("*a".repeat(20)), { code: "INVALID_ARGUMENT", message: /stars/ });
  assert.throws(() => pathTest("a".repeat(70_000)), { code: "INVALID_ARGUMENT" });
});
