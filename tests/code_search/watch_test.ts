/** Questions walk a folder only when something in it has changed. @module */
import assert from "node:assert/strict";
import type { IndexFiles } from "../../src/sys/files/index_files.ts";
import { makeTreeWatches } from "../../src/sys/files/tree_watch.ts";
import { tempTree } from "../support/temp_tree.ts";
import { testFiles, type TestIndex, testIndex } from "./test_index.ts";

const ignore = Deno.permissions.querySync({ name: "ffi" }).state !== "granted";
/** Opened once: the library stays open. */
const watches = ignore ? () => null : makeTreeWatches();
const code = (word: string) => `/** Winds up the ${word}. */\nexport function wind_${word}() {\n  return 1;\n}\n`;

/** Files that count how often they are walked. */
function countedFiles(): { files: IndexFiles; walks(): number } {
  let walks = 0;
  const files: IndexFiles = {
    ...testFiles,
    scan(...args) {
      walks++;
      return testFiles.scan(...args);
    },
  };
  return { files, walks: () => walks };
}

Deno.test({
  name: "a folder without changes is not walked again, and each kind of change is seen at once",
  ignore,
  async fn() {
    const { files, walks } = countedFiles();
    await using test = await testIndex({
      "src/clock.ts": code("clock"),
      "src/deep/er/toy.ts": code("toy"),
      "lib/watch.ts": code("watch"),
    }, { files, watches });
    const found = async (word: string) => (await test.paths(word)).sort();
    await test.ask("clock");
    const path = (name: string) => `${test.root}/${name}`;
    const changes: [what: string, change: () => Promise<void> | void, word: string, paths: string[]][] = [
      ["an edit that keeps size and time", () => sameStamp(test, "src/clock.ts", code("clack")), "clack", [
        "src/clock.ts",
      ]],
      ["a new file", () => test.write("src/deep/er/crank.ts", code("crank")), "crank", ["src/deep/er/crank.ts"]],
      ["a new folder in a new folder", () => test.write("a/b/c/music.ts", code("music")), "music", ["a/b/c/music.ts"]],
      ["an edit in the new folder", () => test.write("a/b/c/music.ts", code("mural")), "mural", ["a/b/c/music.ts"]],
      ["a folder that is renamed", () => Deno.rename(path("a/b"), path("a/z")), "mural", ["a/z/c/music.ts"]],
      ["an edit below it", () => test.write("a/z/c/music.ts", code("motor")), "motor", ["a/z/c/music.ts"]],
      ["text that is appended", () => append(path("lib/watch.ts"), code("winch")), "winch", ["lib/watch.ts"]],
      ["a rule that ignores", () => test.write("lib/.gitignore", "watch.ts\n"), "winch", []],
      ["a rule that goes", () => test.remove("lib/.gitignore"), "winch", ["lib/watch.ts"]],
      ["a file that is deleted", () => test.remove("lib/watch.ts"), "winch", []],
      ["a folder that is deleted", () => test.remove("a"), "motor", []],
    ];
    for (const [what, change, word, paths] of changes) {
      await change();
      assert.deepEqual(await found(word), paths, what);
      const before = walks();
      for (let turn = 0; turn < 3; turn++) assert.deepEqual(await found(word), paths, what);
      assert.equal(walks(), before, `${what}: walked again without a change`);
    }
  },
});

async function append(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { append: true });
}

/** Writes other text of the same length and puts the time of the file back. */
async function sameStamp(test: TestIndex, path: string, text: string): Promise<void> {
  const { mtime, size } = await Deno.stat(`${test.root}/${path}`);
  assert.equal(text.length, size);
  await test.write(path, text);
  if (mtime !== null) await Deno.utime(`${test.root}/${path}`, mtime, mtime);
}

Deno.test({
  name: "a rebuild and a sync walk the folder whether or not something has changed",
  ignore,
  async fn() {
    const { files, walks } = countedFiles();
    await using test = await testIndex({ "a.ts": code("clock") }, { files, watches });
    await test.ask("clock");
    for (const walk of [() => test.index.sync(), () => test.index.rebuild()]) {
      const before = walks();
      await walk();
      assert.ok(walks() > before);
    }
  },
});

Deno.test({
  name: "a tree is quiet only when every folder of it is watched",
  ignore,
  async fn() {
    await using tree = await tempTree({ "in/a": "1" });
    for (const folder of ["/proc", tree.path("missing"), tree.path("in/a")]) {
      const watch = watches();
      watch?.begin();
      watch?.add(tree.path("in"));
      assert.equal(watch?.isQuiet(), true);
      watch?.add(folder);
      assert.equal(watch?.isQuiet(), false, folder);
      watch?.close();
    }
    const watch = watches();
    watch?.begin();
    watch?.add(tree.path("in"));
    await Deno.writeTextFile(tree.path("in/a"), "2");
    assert.equal(watch?.isQuiet(), false);
    assert.equal(watch?.isQuiet(), false, "until the next walk begins");
    watch?.begin();
    assert.equal(watch?.isQuiet(), true);
    watch?.close();
    assert.equal(watch?.isQuiet(), false, "closed");
  },
});
