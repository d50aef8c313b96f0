import assert from "node:assert/strict";
import { entryKind, entryNames, linkTarget, lookAlikesIn, realPathOf } from "../../../src/sys/files/real_path.ts";
import { tempTree } from "../../support/temp_tree.ts";

Deno.test("real paths: an entry is a file, a directory, a link, something else, or not there", async () => {
  await using tree = await tempTree({ "a.txt": "a", "sub/": "" });
  await Deno.symlink("a.txt", tree.path("link"));
  assert.equal(await entryKind(tree.path("a.txt")), "file");
  assert.equal(await entryKind(tree.path("sub")), "directory");
  assert.equal(await entryKind(tree.path("link")), "symlink");
  assert.equal(await entryKind("/dev/null"), "other");
  assert.equal(await entryKind(tree.path("missing")), null);
});

Deno.test("real paths: a link is read as it is written, and nothing else is one", async () => {
  await using tree = await tempTree({ "a.txt": "a" });
  await Deno.symlink("not/there", tree.path("link"));
  assert.equal(await linkTarget(tree.path("link")), "not/there");
  assert.equal(await linkTarget(tree.path("a.txt")), null);
});

Deno.test("real paths: each fault has a name", async () => {
  await using tree = await tempTree({ "a.txt": "a" });
  await Deno.symlink("loop", tree.path("loop"));
  assert.deepEqual(await realPathOf(tree.path("./a.txt")), { path: tree.path("a.txt") });
  assert.deepEqual(await realPathOf(tree.path("missing")), { fault: "missing" });
  assert.deepEqual(await realPathOf(tree.path("a.txt/x")), { fault: "not-a-directory" });
  assert.deepEqual(await realPathOf(tree.path("loop")), { fault: "loop" });
  assert.deepEqual(await realPathOf(tree.path("x".repeat(300))), { fault: "too-long" });
});

Deno.test("real paths: names that look like another one are found, all of them", async () => {
  await using tree = await tempTree({ "a\u00a0b": "", "a\u202fb": "", "c": "", "so\u00adft": "", "file": "" });
  assert.deepEqual((await lookAlikesIn(tree.root, "a b")).sort(), ["a\u00a0b", "a\u202fb"]);
  assert.deepEqual(await lookAlikesIn(tree.root, "soft"), ["so\u00adft"]);
  assert.deepEqual(await lookAlikesIn(tree.root, "d"), []);
  assert.deepEqual(await lookAlikesIn(tree.path("file"), "a"), []);
  assert.deepEqual(await lookAlikesIn(tree.path("missing"), "a"), []);
  const { size } = await Deno.stat(tree.root);
  assert.deepEqual(await lookAlikesIn(tree.root, "soft", size), ["so\u00adft"]);
  assert.deepEqual(await lookAlikesIn(tree.root, "soft", size - 1), [], "a larger folder is not looked through");
});

Deno.test("real paths: so many names of a folder are read, and none of a file", async () => {
  await using tree = await tempTree({ "a": "", "b": "", "c": "" });
  assert.deepEqual((await entryNames(tree.root, 3)).sort(), ["a", "b", "c"]);
  assert.equal((await entryNames(tree.root, 2)).length, 2);
  assert.equal((await entryNames(tree.root, 1)).length, 1);
  assert.deepEqual(await entryNames(tree.path("a"), 3), []);
});
