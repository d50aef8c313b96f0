/** The index follows the files on disk: edited, deleted, renamed, replaced, unreadable. @module */
import assert from "node:assert/strict";
import { makeIndexFiles } from "../../src/sys/files/index_files.ts";
import { testFiles, testIndex } from "./test_index.ts";

const FIRST = "/** Waters the plants. */\nexport function waterPlants() {\n  return 1;\n}\n";
const SECOND = "/** Feeds the giraffe. */\nexport function feedGiraffe() {\n  return 2;\n}\n";

Deno.test("a search sees an edit that was made the moment before", async () => {
  await using test = await testIndex({ "a.ts": FIRST });
  assert.deepEqual(await test.paths("water the plants"), ["a.ts"]);
  for (let turn = 0; turn < 5; turn++) { // the same length and perhaps the same millisecond
    const word = ["zebra", "camel", "koala", "panda", "hyena"][turn];
    await test.write("a.ts", FIRST.replaceAll("plant", String(word)));
    const { snippets, index } = await test.ask(`water the ${word}`);
    assert.match(snippets[0]?.text ?? "", new RegExp(`Waters the ${word}s`));
    assert.equal(index.fresh, true);
  }
});

for (const [way, files] of [["as in the executable", testFiles], ["by path", makeIndexFiles([])]] as const) {
  Deno.test(`a search sees a change that keeps size and modification time, ${way}`, async () => {
    await using test = await testIndex({ "a.ts": FIRST }, { files });
    await test.ask("plants");
    const { mtime } = await Deno.stat(`${test.root}/a.ts`);
    assert.ok(mtime);
    await new Promise((resolve) => setTimeout(resolve, 150)); // mostly still in the second of the first writing
    await test.write("a.ts", FIRST.replaceAll("plants", "tigers"));
    await Deno.utime(`${test.root}/a.ts`, mtime, mtime);
    assert.match((await test.ask("water tigers")).snippets[0]?.text ?? "", /tigers/);
  });
}

Deno.test("files of every kind are found after others have been rewritten and deleted many times", async () => {
  await using test = await testIndex({ "a.ts": FIRST, "b.ts": SECOND, "c.md": "# Owls\n\nFeed the owl at night.\n" });
  for (let turn = 0; turn < 12; turn++) {
    await test.write("a.ts", `${FIRST}\n${SECOND.replaceAll("iraffe", `azelle${turn}`)}`.repeat(turn % 3 + 1));
    await test.write(`d${turn}.ts`, FIRST.replaceAll("lants", `ond${turn}`));
    if (turn > 0) await test.remove(`d${turn - 1}.ts`);
    await test.index.sync();
  }
  assert.deepEqual(await test.paths("giraffe"), ["b.ts"]);
  assert.equal((await test.paths("gazelle11"))[0], "a.ts");
  assert.equal((await test.paths("pond11"))[0], "d11.ts");
  assert.deepEqual(await test.paths("owl"), ["c.md"]);
  assert.deepEqual((await test.ask("gazelle3 pond4")).snippets.filter(({ text }) => /gazelle3|pond4/.test(text)), []);
});

Deno.test("deleted files leave the index", async () => {
  await using test = await testIndex({ "a.ts": FIRST, "b.ts": SECOND });
  assert.deepEqual(await test.paths("giraffe"), ["b.ts"]);
  await test.remove("b.ts");
  const { snippets, index } = await test.ask("giraffe");
  assert.deepEqual(snippets, []);
  assert.equal(index.files, 1);
});

Deno.test("a renamed file is found under its new name only", async () => {
  await using test = await testIndex({ "old/name.ts": FIRST });
  assert.deepEqual(await test.paths("water plants"), ["old/name.ts"]);
  await Deno.mkdir(`${test.root}/new`);
  await Deno.rename(`${test.root}/old/name.ts`, `${test.root}/new/other.ts`);
  assert.deepEqual(await test.paths("water plants"), ["new/other.ts"]);
});

Deno.test("a switch of 500 files is caught up with, and what is behind meanwhile is named", async () => {
  const branch = (word: string) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [
      `src/file${at}.ts`,
      `/** Polishes ${word} number ${at}. */\nexport function polish${at}() {\n  return "${word}";\n}\n`,
    ]));
  await using test = await testIndex(branch("lantern"));
  await test.index.sync();
  for (const [path, text] of Object.entries(branch("teapot"))) await test.write(path, text);
  await test.remove("src/file499.ts");
  const { snippets, index } = await test.index.search({
    q: "polishes lantern number 7",
    scope: "both",
    k: 10,
    budgetTokens: 8_000,
  });
  for (const { text, src } of snippets) assert.ok(!text.includes("lantern"), `${src} shows what is no longer there`);
  if (!index.fresh) assert.ok((index.stale?.length ?? 0) > 0, "files behind are named");
  const report = await test.index.sync();
  assert.equal(report.files, 499);
  const after = await test.ask("polishes teapot number 7");
  assert.equal(after.index.fresh, true);
  assert.match(after.snippets[0]?.text ?? "", /teapot number 7\./);
  assert.deepEqual((await test.ask("lantern")).snippets, []);
});

Deno.test("the first question long after one that met an index in the making sees what changed since", async () => {
  const lamps = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [
    `src/lamp${at}.ts`,
    `/** Lights lamp ${at}. */\nexport function light${at}() {\n  return ${at};\n}\n`,
  ]));
  await using test = await testIndex(lamps, { firstWaitMs: 0 });
  const ask = () => test.index.search({ q: "waters the plants", scope: "both", k: 3, budgetTokens: 2_000 });
  assert.equal((await ask()).index.state, "indexing");
  await test.index.sync();
  await test.write("new.ts", FIRST);
  const real = performance.now.bind(performance);
  performance.now = () => real() + 10_000;
  try {
    let answer = await ask();
    assert.equal(answer.index.state, "ready");
    // One question may be out of time before it has looked at every file, but then it says so.
    for (let again = 0; !answer.index.fresh && again < 30; again++) answer = await ask();
    assert.equal(answer.snippets[0]?.src.replace(/#.*/, ""), "new.ts");
  } finally {
    performance.now = real;
  }
});

Deno.test("a file that becomes binary, empty or a directory leaves the answers", async () => {
  await using test = await testIndex({ "a.ts": FIRST, "b.ts": SECOND, "c.ts": FIRST.replaceAll("plants", "walrus") });
  assert.deepEqual(await test.paths("walrus"), ["c.ts"]);
  await test.write("a.ts", new Uint8Array([0, 1, 2, 0, 255, 0, 7]));
  await test.write("b.ts", "");
  await test.remove("c.ts");
  await Deno.mkdir(`${test.root}/c.ts`);
  for (const q of ["plants", "giraffe", "walrus"]) assert.deepEqual(await test.paths(q), []);
});

Deno.test("nothing is indexed twice: a run without changes does nothing", async () => {
  await using test = await testIndex({ "a.ts": FIRST, "b.ts": SECOND });
  assert.equal((await test.index.sync()).added, 2);
  await new Promise((resolve) => setTimeout(resolve, 120)); // files younger than their reading are read once more
  await test.index.sync();
  const { indexed_at } = (await test.index.status())[0] ?? {};
  const { added, changed, removed } = await test.index.sync();
  assert.deepEqual({ added, changed, removed }, { added: 0, changed: 0, removed: 0 });
  assert.equal((await test.index.status())[0]?.indexed_at, indexed_at);
});
