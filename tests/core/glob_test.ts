import assert from "node:assert/strict";
import { hasGlob, ignoresCase, isHidden, nameSieve, rankPath, splitGlobs } from "../../src/core/glob.ts";

Deno.test("hasGlob tells globs from substrings", () => {
  for (const glob of ["*.ts", "a?b", "[ab]", "{a,b}"]) assert.equal(hasGlob(glob), true, glob);
  for (const text of ["app", "a.b", "a+b", "(x)"]) assert.equal(hasGlob(text), false, text);
});

Deno.test("ignoresCase holds for patterns without capitals", () => {
  assert.equal(ignoresCase("app.ts"), true);
  assert.equal(ignoresCase("App.ts"), false);
});

Deno.test("isHidden sees a dot at the start of any part", () => {
  assert.equal(isHidden(".git/config"), true);
  assert.equal(isHidden("src/.env"), true);
  assert.equal(isHidden("src/a.b/c"), false);
});

Deno.test("splitGlobs cuts at commas outside braces and brackets", () => {
  assert.deepEqual(splitGlobs("*.ts, *.{js,jsx},[a,b]*,"), ["*.ts", "*.{js,jsx}", "[a,b]*"]);
  assert.deepEqual(splitGlobs("{a,[b,c\\,d"), ["{a", "[b", "c\\,d"]);
  assert.deepEqual(splitGlobs("[{".repeat(120_000)).length, 1); // in one pass: it took minutes
  assert.deepEqual(splitGlobs("a\\,b"), ["a\\,b"]);
  assert.deepEqual(splitGlobs(" "), []);
});

Deno.test("nameSieve takes the name part of portable globs only", () => {
  assert.deepEqual(nameSieve(["src/**/*.ts", "*.{js,jsx}"]), ["*.ts", "*.{js,jsx}"]);
  for (const glob of ["!*.ts", "[ab].ts", "src/**", "@(a|b)", "a\\*", "{1..3}x", "{a,{b,c}}"]) {
    assert.equal(nameSieve([glob]), null, glob);
  }
  assert.equal(nameSieve([]), null);
});

Deno.test("rankPath prefers the name over the folder, early over late, shallow over deep", () => {
  const paths = ["app/other.ts", "deep/er/app.ts", "src/my_app.ts", "src/app_main.ts", "src/app.ts"];
  const ranked = paths.toSorted((a, b) => rankPath(a, "app") - rankPath(b, "app"));
  assert.deepEqual(ranked, ["src/app.ts", "deep/er/app.ts", "src/app_main.ts", "src/my_app.ts", "app/other.ts"]);
});
