import assert from "node:assert/strict";
import { baseName, isInside, isInsideAny, joinPath, normalizePath, parentOf } from "../../src/core/path.ts";

Deno.test("isInside compares whole names", () => {
  const table: [path: string, parent: string, expected: boolean][] = [
    ["/a", "/a", true],
    ["/a/b", "/a", true],
    ["/ab", "/a", false],
    ["/a", "/a/b", false],
    ["/", "/", true],
    ["/a", "/", true],
    ["/", "/a", false],
    ["/a/b", "/a/", true],
    ["src/a", "src", true],
    ["srca", "src", false],
  ];
  for (const [path, parent, expected] of table) assert.equal(isInside(path, parent), expected, `${path} in ${parent}`);
});

Deno.test("isInsideAny is false for no parents", () => {
  assert.equal(isInsideAny("/a", []), false);
  assert.equal(isInsideAny("/a/b", ["/c", "/a"]), true);
});

Deno.test("joinPath, parentOf and baseName agree at the root", () => {
  for (
    const [folder, name, path] of [["/", "a", "/a"], ["/a", "b", "/a/b"], ["", "a", "a"], ["a", "b", "a/b"]] as const
  ) {
    assert.equal(joinPath(folder, name), path);
    assert.equal(parentOf(path), folder);
    assert.equal(baseName(path), name);
  }
  assert.equal(parentOf("/"), "/");
});

Deno.test("normalizePath resolves dots and doubled slashes, and never climbs above the root", () => {
  assert.equal(normalizePath("/a/./b//c/"), "/a/b/c");
  assert.equal(normalizePath("/a/../../b"), "/b");
  assert.equal(normalizePath("b/../c", "/a"), "/a/c");
  assert.equal(normalizePath("", "/"), "/");
});
