import assert from "node:assert/strict";
import { readIgnoreFile } from "../../src/core/ignore_rules.ts";

/** Paths that rules ignore; one that ends in a slash is a folder. */
const ignored = (rules: string, ...paths: string[]) => {
  const file = readIgnoreFile(rules);
  return paths.filter((path) => file.test(path.replace(/\/$/, ""), path.endsWith("/")) === "ignored");
};

Deno.test("readIgnoreFile compares names where a rule has no slash, else paths from its folder", () => {
  assert.deepEqual(ignored("*.log\n", "a.log", "x/b.log", "a.txt"), ["a.log", "x/b.log"]);
  assert.deepEqual(ignored("/a\n", "a", "x/a"), ["a"]);
  assert.deepEqual(ignored("doc/*.txt\n", "doc/a.txt", "x/doc/a.txt", "doc/x/a.txt"), ["doc/a.txt"]);
  assert.deepEqual(ignored("**/foo/bar\n", "foo/bar", "x/foo/bar", "foo/x/bar"), ["foo/bar", "x/foo/bar"]);
  assert.deepEqual(ignored("a/**/b\n", "a/b", "a/x/y/b"), ["a/b", "a/x/y/b"]);
  assert.deepEqual(ignored("abc/**\n", "abc/", "abc/x", "abc/x/y"), ["abc/x", "abc/x/y"]);
});

Deno.test("readIgnoreFile knows folders, negation, comments, escapes and spaces", () => {
  assert.deepEqual(ignored("build/\n", "build/", "build", "build/x", "x/build/"), ["build/", "build/x", "x/build/"]);
  assert.deepEqual(ignored("*.a\n!keep.a\n", "x.a", "keep.a"), ["x.a"]);
  assert.deepEqual(
    ignored("dir/\n!dir/keep\n", "dir/keep"),
    ["dir/keep"],
    "nothing in an ignored folder is taken back",
  );
  assert.deepEqual(ignored("# a\n\\#b\n\\!c\n", "# a", "#b", "!c"), ["#b", "!c"]);
  assert.deepEqual(ignored("a  \nb\\ \n", "a", "b ", "b"), ["a", "b "]);
  assert.deepEqual(ignored("[ab].c\r\n[!x]y\n", "a.c", "c.c", "xy", "zy"), ["a.c", "zy"]);
  assert.deepEqual(ignored("A\n", "a", "A"), ["A"], "names on Linux differ by case");
});

Deno.test("readIgnoreFile comes to an end for rules that make other engines try everything", () => {
  const path = `${"a/".repeat(500)}${"a".repeat(200)}`;
  for (
    const rule of ["a/**/".repeat(12), "**/a/".repeat(60), "*a".repeat(100), "[a-z]*".repeat(100), "?*".repeat(100)]
  ) {
    assert.equal(readIgnoreFile(`${rule}b\n`).test(path, false), null, rule);
  }
});
