import assert from "node:assert/strict";
import { entriesByPath } from "../../../src/sys/files/entries.ts";
import { makeHeldEntries } from "../../../src/sys/files/held_entries.ts";
import { makeIndexFiles } from "../../../src/sys/files/index_files.ts";
import { tempTree } from "../../support/temp_tree.ts";

const RULES = { enters: () => true, wants: (path: string) => path.endsWith(".txt") };

Deno.test("a scan gives each wanted file the stamp that reading it gives, however files are looked at", async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`many/${index}.txt`, `${index}`]));
  await using tree = await tempTree({ ...many, "a.txt": "content\n", "b.md": "", "closed.txt": "", "dir/c.txt": "c" });
  await Deno.symlink("a.txt", tree.path("link.txt"));
  await Deno.utime(tree.path("a.txt"), 1_000.5, 2_000.25); // the inode's own time stays that of now
  using held = makeHeldEntries();
  for (const entries of [held, entriesByPath]) {
    const files = makeIndexFiles([tree.path("closed.txt")], entries);
    const found = await files.scan(tree.root, RULES, new AbortController().signal);
    assert.deepEqual([...found.keys()].sort(), ["a.txt", "dir/c.txt", ...Object.keys(many)].sort());
    for (const [path, { sizeBytes, changedMs }] of found) {
      const read = files.read(tree.path(path), 100);
      assert.deepEqual({ sizeBytes, changedMs }, { sizeBytes: read?.sizeBytes, changedMs: read?.changedMs }, path);
      assert.deepEqual(files.stamp(tree.path(path)), { sizeBytes, changedMs }, path);
    }
    const changedMs = found.get("a.txt")?.changedMs ?? 0;
    assert.ok(Math.abs(Date.now() - changedMs) < 60_000, `${changedMs}`);
  }
});
