import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/tokens.ts";
import { fsList } from "../../../src/tools/fs/list.ts";
import { handleRead } from "../../../src/tools/handle/read.ts";
import { look } from "../look.ts";

const many = (count: number, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), ""]));

Deno.test("linux_fs_list shows a tree, directories first, with sizes only where they warn", async () => {
  const big = new Uint8Array(2_200_000);
  await using app = await look({
    "src/cli/run.ts": "",
    "src/a.ts": "abc",
    "README.md": "",
    "big.bin": big,
    "empty/": "",
  });
  await Deno.symlink("src/a.ts", `${app.root}/link`);
  const { result, text } = await app.call(fsList, {});
  assert.equal(
    text,
    ["empty/", "src/", "  cli/", "  a.ts", "README.md", "big.bin  2.1M", "link -> src/a.ts"].join("\n"),
  );
  assert.deepEqual(result.entries.map(({ path, type, size_bytes }) => [path, type, size_bytes]), [
    ["empty", "dir", undefined],
    ["src", "dir", undefined],
    ["src/cli", "dir", undefined],
    ["src/a.ts", "file", 3],
    ["README.md", "file", 0],
    ["big.bin", "file", 2_200_000],
    ["link", "symlink", undefined],
  ]);
  assert.match(result.entries[3]?.mtime_iso ?? "", /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual([result.truncated, result.handle], [false, null]);
});

Deno.test("linux_fs_list gives paths that can be used as they are, also below the root", async () => {
  await using app = await look({ "src/cli/run.ts": "" });
  const { result, text } = await app.call(fsList, { path: "src" });
  assert.deepEqual(result.entries.map(({ path }) => path), ["src/cli", "src/cli/run.ts"]);
  assert.equal(text, "cli/\n  run.ts");
});

Deno.test("linux_fs_list with depth 0 is about the directory itself", async () => {
  await using app = await look({ "src/a.ts": "" });
  const { result, text } = await app.call(fsList, { path: "src", depth: 0 });
  assert.deepEqual(result.entries.map(({ path, type }) => [path, type]), [["src", "dir"]]);
  assert.equal(text, "src/");
});

Deno.test("linux_fs_list writes odd names so that each row is one entry", async () => {
  await using app = await look({
    "a\nb": "",
    'q"uote': "",
    "two  blanks": "",
    "x -> y": "",
    "dir\n/in": "",
    "é漢": "",
  });
  const { text, result } = await app.call(fsList, {});
  assert.deepEqual(text.split("\n"), [
    '"dir\\n"/',
    "  in",
    '"a\\nb"',
    '"q\\"uote"',
    '"two  blanks"',
    '"x -> y"',
    "é漢",
  ]);
  assert.ok(result.entries.some(({ path }) => path === "a\nb"));
});

Deno.test("linux_fs_list shows names that are not UTF-8, which the runtime leaves out", async () => {
  await using app = await look({ "a.txt": "", "sub/b.txt": "", "z.txt": "" });
  const shell =
    `touch "$(printf 'bad\\377.txt')" "$(printf 'sub/c\\351.txt')" && mkdir "$(printf 'd\\376')" && touch "$(printf 'd\\376')"/in`;
  await new Deno.Command("sh", { args: ["-c", shell], cwd: app.root }).output();
  const text = '"d\\xfe"/\nsub/\n  b.txt\n  "c\\xe9.txt"\na.txt\n"bad\\xff.txt"\nz.txt';
  assert.equal((await app.call(fsList, {})).text, text);
  for (const path of ["", "/sub"]) await Deno.utime(app.root + path, 0, 1_700_000_000); // unchanged for long: remembered
  for (let round = 0; round < 2; round++) assert.equal((await app.call(fsList, {})).text, text);
  await new Deno.Command("sh", { args: ["-c", "rm -- bad*"], cwd: app.root }).output();
  const { text: later, result } = await app.call(fsList, { file_glob: "*.txt" });
  assert.equal(later, 'a.txt\nz.txt\nsub/b.txt\nsub/"c\\xe9.txt"');
  assert.ok(result.entries.every(({ path }) => path.isWellFormed()));
});

Deno.test("linux_fs_list stops at its bound, counts the rest per directory and keeps all behind a handle", async () => {
  await using app = await look({ ...many(700, (index) => `many/f${1000 + index}`), "few/a": "", "top.txt": "" });
  const { result, text } = await app.call(fsList, { max_entries: 20 });
  assert.equal(result.entries.length, 20);
  assert.deepEqual(result.omitted, [{ path: "many", count: 684 }]);
  assert.match(text, /^few\/\n {2}a\nmany\/\n {2}f1000\n/);
  assert.match(text, /\n {2}… 684 more\ntop\.txt\n\[20 entries of \. shown · rest: linux_handle_read H_list_\S+\]$/);
  const all = await app.call(handleRead, { handle: result.handle ?? "", limit: 1000 });
  assert.equal(all.result.total, 704);
  const rows = all.result.content.split("\n");
  assert.ok(rows.includes("many/") && rows.includes("many/f1699") && rows.includes("few/a"));
});

Deno.test("linux_fs_list shows no more than the operator's token budget", async () => {
  await using app = await look(many(400, (index) => `a_rather_long_file_name_${index}.txt`), {
    settings: { "mcp.tools.result_tokens": 1_000 },
  });
  const { result, text } = await app.call(fsList, { max_entries: 5_000 });
  assert.ok(estimateTokens(text) <= 1_000, String(estimateTokens(text)));
  assert.equal(result.truncated, true);
  assert.ok(result.entries.length > 50);
});

Deno.test("linux_fs_list filters by glob and shows whole paths then", async () => {
  await using app = await look({ "src/a.ts": "", "src/b.js": "", "test/c.ts": "" });
  assert.equal((await app.call(fsList, { file_glob: "*.ts" })).text, "src/a.ts\ntest/c.ts");
  assert.equal((await app.call(fsList, { file_glob: "*.rs" })).text, "[no file matches *.rs in .]");
});

Deno.test("linux_fs_list leaves out hidden and ignored entries unless told otherwise, and says how many and which", async () => {
  await using app = await look({ ".env": "", ".gitignore": "*.log", "a.log": "", "b.txt": "", ".git/config": "" });
  assert.equal(
    (await app.call(fsList, {})).text,
    "b.txt\n[3 hidden (.env, .git/, .gitignore), 1 ignored (a.log) left out]",
  );
  assert.equal(
    (await app.call(fsList, { respect_gitignore: false })).text,
    "a.log\nb.txt\n[3 hidden (.env, .git/, .gitignore) left out]",
  );
  assert.equal(
    (await app.call(fsList, { include_hidden: true })).text,
    ".git/\n.env\n.gitignore\nb.txt\n[1 ignored (a.log) left out]",
  );
  await using bare = await look({ "d/": "" });
  assert.equal((await bare.call(fsList, { path: "d" })).text, "[d is empty]");
});

Deno.test("linux_fs_list neither enters what belongs to the server nor hides that it is there", async () => {
  await using app = await look({ "data/llmc.db": "", "a.txt": "" }, { dataInRoot: true });
  assert.equal((await app.call(fsList, { depth: 5 })).text, "data/\na.txt");
  await assert.rejects(app.call(fsList, { path: "data" }), { code: "INVALID_PATH" });
});

Deno.test("linux_fs_list tells a file and a missing directory apart", async () => {
  await using app = await look({ "a.txt": "" });
  await assert.rejects(app.call(fsList, { path: "a.txt" }), { code: "NOT_A_DIRECTORY" });
  await assert.rejects(app.call(fsList, { path: "missing" }), { code: "NOT_FOUND" });
});

Deno.test("linux_fs_list of plain files costs no token beyond their names", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `file${1000 + index}.txt`);
  await using app = await look(Object.fromEntries(names.map((name) => [name, ""])));
  assert.equal((await app.call(fsList, {})).text, names.join("\n"));
});
