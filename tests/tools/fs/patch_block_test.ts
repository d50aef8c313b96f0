import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { makeTestApp, type TestApp } from "../../support/app.ts";

const PATCH = "linux_fs_patch_block";
const read = (app: TestApp, name: string) => Deno.readTextFile(`${app.root}/${name}`);

Deno.test("linux_fs_patch_block replaces one exact block and answers in one short line", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "one\ntwo\nthree\n" } });
  const { text, result, tokens } = await app.call(PATCH, { path: "a.ts", old_text: "two", new_text: "$& 2" });
  const new_sha256 = createHash("sha256").update("one\n$& 2\nthree\n").digest("hex");
  assert.equal(await read(app, "a.ts"), "one\n$& 2\nthree\n");
  assert.equal(text, `patched a.ts (line 2) sha256 ${new_sha256.slice(0, 12)}`);
  assert(tokens < 30);
  assert.deepEqual(result, {
    path: "a.ts",
    replacements_made: 1,
    lines: [2],
    before_snippet: "two",
    after_snippet: "$& 2",
    new_sha256,
    dry_run: false,
  });
});

Deno.test("linux_fs_patch_block replaces all when told how many there are", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "x = 1\ny\nx = 1\n" } });
  const result = await app.result(PATCH, {
    path: "a.ts",
    old_text: "x = 1",
    new_text: "x = 2",
    expected_replacements: 2,
  });
  assert.deepEqual([result["replacements_made"], result["lines"]], [2, [1, 3]]);
  assert.equal(await read(app, "a.ts"), "x = 2\ny\nx = 2\n");
});

Deno.test("linux_fs_patch_block names every match when the count is wrong, and writes nothing", async () => {
  const content = Array.from({ length: 30 }, (_, n) => `same\nother ${n}\n`).join("");
  await using app = await makeTestApp({ files: { "a.ts": content } });
  const { error } = await app.call(PATCH, { path: "a.ts", old_text: "same", new_text: "new" });
  assert.equal(error?.code, "PATCH_COUNT_MISMATCH");
  assert.match(error?.message ?? "", /matches 30 times in 'a.ts' \(lines 1, 3, 5, .*39, …\), expected 1/);
  assert.match(error?.hint ?? "", /expected_replacements to 30/);
  assert.equal(await read(app, "a.ts"), content);
});

Deno.test("linux_fs_patch_block shows the closest block with lines and marked differences when nothing matches", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "import x;\n\nfunction add(a, b) {\n\treturn a + b;\n}\n" } });
  const args = { path: "a.ts", old_text: "function add(a, b) {\n    return a + b;\n}", new_text: "x" };
  const { error, tokens } = await app.call(PATCH, args);
  assert.equal(error?.code, "PATCH_COUNT_MISMATCH");
  assert.match(error?.message ?? "", /Closest: lines 3-5, 99% alike/);
  assert.match(error?.message ?? "", /^4: \{- {4}-\}\{\+\\t\+\}return a \+ b;$/m);
  assert(tokens < 90, `${tokens}`);
  const unlike = await app.call(PATCH, { ...args, old_text: "zzzz qqqq" });
  assert.match(unlike.text, /nor anything like it/);
});

Deno.test("linux_fs_patch_block keeps byte order mark, line ends, mode and the bytes of other lines", async () => {
  await using app = await makeTestApp();
  const path = `${app.root}/a.txt`;
  await Deno.writeFile(
    path,
    Uint8Array.of(0xef, 0xbb, 0xbf, ...new TextEncoder().encode("first\r\nsecond\nthird\r\n")),
  );
  await Deno.chmod(path, 0o750);
  await app.result(PATCH, { path: "a.txt", old_text: "first\nsecond", new_text: "first\nnew\nsecond" });
  assert.deepEqual(
    await Deno.readFile(path),
    Uint8Array.of(0xef, 0xbb, 0xbf, ...new TextEncoder().encode("first\r\nnew\r\nsecond\nthird\r\n")),
  );
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o750);
  await Deno.writeFile(path, Uint8Array.of(0xe9, 10, 120, 10));
  await app.result(PATCH, { path: "a.txt", old_text: "x", new_text: "y" });
  assert.deepEqual(await Deno.readFile(path), Uint8Array.of(0xe9, 10, 121, 10));
});

Deno.test("linux_fs_patch_block with dry_run answers with a diff and writes nothing", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "one\ntwo\n" } });
  const { text } = await app.call(PATCH, { path: "a.ts", old_text: "two", new_text: "2", dry_run: true });
  assert.equal(text, "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n[dry run, nothing written]");
  assert.equal(await read(app, "a.ts"), "one\ntwo\n");
});

Deno.test("linux_fs_patch_block refuses files over two megabytes, binary files and what is no file", async () => {
  await using app = await makeTestApp({ files: { "big.txt": "x".repeat(2_100_000), "dir/a": "" } });
  await Deno.writeFile(`${app.root}/binary`, Uint8Array.of(1, 0, 2));
  const codeOf = async (path: string) => (await app.call(PATCH, { path, old_text: "a", new_text: "b" })).error?.code;
  assert.deepEqual(await Promise.all(["big.txt", "binary", "dir", "none", "../x"].map(codeOf)), [
    "OUTPUT_TOO_LARGE",
    "INVALID_ARGUMENT",
    "IS_DIRECTORY",
    "NOT_FOUND",
    "INVALID_PATH",
  ]);
});

Deno.test("twenty parallel calls of linux_fs_patch_block on one file all survive", async () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n};`);
  await using app = await makeTestApp({ files: { "a.ts": lines.join("\n") } });
  const answers = await Promise.all(
    lines.map((line, n) =>
      app.call(PATCH, { path: "a.ts", old_text: line, new_text: `edit ${n};` }, { owner: `other/${n}` })
    ),
  );
  assert(answers.every(({ error }) => error === undefined), answers.find(({ error }) => error)?.text);
  assert.equal(await read(app, "a.ts"), Array.from({ length: 20 }, (_, n) => `edit ${n};`).join("\n"));
});

Deno.test("a failing linux_fs_patch_block on two megabytes lets other calls through", async () => {
  const text = Array.from(
    { length: 30_000 },
    (_, n) => `  const value${n} = compute(${n}, "item ${n % 97}, with some text");`,
  ).join("\n");
  await using app = await makeTestApp({ files: { "big.ts": text.slice(0, 2_000_000), "small.ts": "x\n" } });
  const old_text = "const value123 = compute(123)\n  const valu = compute(\n";
  const failing = Array.from({ length: 8 }, () => app.call(PATCH, { path: "big.ts", old_text, new_text: "x" }));
  let pings = 0;
  const all = Promise.all(failing).then((answers) => (pings = -pings, answers));
  while (pings >= 0) {
    assert.equal((await app.call("linux_fs_stat", { path: "small.ts" })).error, undefined);
    if (pings >= 0) pings++;
    else break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (const { error } of await all) {
    assert.equal(error?.code, "PATCH_COUNT_MISMATCH");
  }
  assert(pings < -3, `${-pings} calls were answered meanwhile`);
});
