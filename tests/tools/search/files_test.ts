import assert from "node:assert/strict";
import { handleRead } from "../../../src/tools/handle/read.ts";
import { searchFiles } from "../../../src/tools/search/files.ts";
import { look } from "../look.ts";

Deno.test("linux_search_files lists paths, best first, one a line", async () => {
  await using app = await look({ "app/x.ts": "", "src/app.ts": "", "src/deep/my_app.ts": "", "b.md": "" });
  const { result, text } = await app.call(searchFiles, { pattern: "app" });
  assert.equal(text, "src/app.ts\nsrc/deep/my_app.ts\napp/x.ts");
  assert.deepEqual(result, {
    hits: [{ path: "src/app.ts" }, { path: "src/deep/my_app.ts" }, { path: "app/x.ts" }],
    total_hits: 3,
    truncated: false,
    handle: null,
    engine: "rg",
    left_out: {},
  });
  assert.equal((await app.call(searchFiles, { pattern: "app", root: "src" })).text, "src/app.ts\nsrc/deep/my_app.ts");
  assert.equal((await app.call(searchFiles, { pattern: "app", file_glob: "src/*" })).text, "src/app.ts");
  assert.equal((await app.call(searchFiles, { pattern: "*.md" })).text, "b.md");
});

Deno.test("linux_search_files keeps what does not fit behind a handle", async () => {
  await using app = await look(
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${100 + index}.txt`, ""])),
  );
  const { result, text } = await app.call(searchFiles, { pattern: "f1", max_results: 10 });
  assert.deepEqual([result.hits.length, result.total_hits, result.truncated], [10, 50, true]);
  assert.match(text, /\[10 of 50 files · rest: linux_handle_read H_names_\S+ offset 10\]$/);
  const rest = await app.call(handleRead, { handle: result.handle ?? "", offset: 10 });
  assert.equal(rest.result.content.split("\n")[0], "f110.txt");
  assert.equal(rest.result.total, 50);
});

Deno.test("linux_search_files says what was searched when nothing fits", async () => {
  await using app = await look({ "a.txt": "", ".hidden.txt": "" });
  assert.equal(
    (await app.call(searchFiles, { pattern: "hidden" })).text,
    "[no file matches 'hidden' in . · not searched: 1 hidden (.hidden.txt)]",
  );
  assert.equal((await app.call(searchFiles, { pattern: "hidden", include_hidden: true })).text, ".hidden.txt");
});

Deno.test("linux_search_files writes odd names on one line each", async () => {
  await using app = await look({ "a\nb.txt": "", 'q"q.txt': "" });
  await new Deno.Command("sh", { args: ["-c", "touch \"$(printf 'bad\\377.txt')\""], cwd: app.root }).output();
  const { text, result } = await app.call(searchFiles, { pattern: ".txt" });
  assert.deepEqual(text.split("\n").sort(), ['"a\\nb.txt"', '"bad\\xff.txt"', '"q\\"q.txt"']);
  assert.ok(result.hits.every(({ path }) => path.isWellFormed()));
});

Deno.test("linux_search_files works without ripgrep and says so", async () => {
  await using app = await look({ "a.txt": "" }, { withoutRipgrep: true });
  assert.equal((await app.call(searchFiles, { pattern: "a" })).text, "a.txt\n[built-in search, no ripgrep]");
});

Deno.test("linux_search_files wants a directory inside the roots", async () => {
  await using app = await look({ "a.txt": "" });
  await assert.rejects(app.call(searchFiles, { pattern: "a", root: "a.txt" }), { code: "NOT_A_DIRECTORY" });
  await assert.rejects(app.call(searchFiles, { pattern: "a", root: ".." }), { code: "INVALID_PATH" });
});
