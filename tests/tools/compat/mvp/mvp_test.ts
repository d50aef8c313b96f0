import assert from "node:assert/strict";
import { handleRead } from "../../../../src/tools/handle/read.ts";
import { listDir } from "../../../../src/tools/compat/mvp/list_dir.ts";
import { readFile } from "../../../../src/tools/compat/mvp/read_file.ts";
import { stat } from "../../../../src/tools/compat/mvp/stat.ts";
import { look } from "../../look.ts";

Deno.test("read_file answers with the raw text and its length", async () => {
  await using app = await look({ "a.txt": "one\r\ntwo é\n" });
  const { result, text } = await app.call(readFile, { path: "a.txt" });
  assert.deepEqual(result, { data: "one\r\ntwo é\n", meta: { path: "a.txt", length: 11 } });
  assert.equal(text, "one\r\ntwo é\n");
});

Deno.test("read_file gives the start of a file that is too long, and a handle on all of it", async () => {
  await using app = await look({ "a.txt": "0123456789\n".repeat(10) });
  const { result } = await app.call(readFile, { path: "a.txt", max_bytes: 25 });
  assert.equal(result.data, "0123456789\n0123456789\n");
  assert.deepEqual([result.meta.truncated, result.meta.size_bytes], [true, 110]);
  const all = await app.call(handleRead, { handle: result.meta.handle ?? "", unit: "bytes", offset: 22, limit: 200 });
  assert.equal(all.result.content.length, 88);
});

Deno.test("read_file refuses what is not text, not a file, not inside", async () => {
  await using app = await look({ "bin": "a\0b", "dir/": "" });
  await assert.rejects(app.call(readFile, { path: "bin" }), { code: "INVALID_ARGUMENT" });
  await assert.rejects(app.call(readFile, { path: "dir" }), { code: "IS_DIRECTORY" });
  await assert.rejects(app.call(readFile, { path: "/etc/passwd" }), { code: "INVALID_PATH" });
});

Deno.test("list_dir answers with sorted names", async () => {
  await using app = await look({ "b.txt": "", "a/": "", ".hidden": "" });
  assert.deepEqual((await app.call(listDir, {})).result, {
    data: ["a", "b.txt"],
    meta: { path: ".", hidden: 1 },
  });
  assert.deepEqual((await app.call(listDir, { include_hidden: true })).result.data, [".hidden", "a", "b.txt"]);
  const some = await app.call(listDir, { max_entries: 1 });
  assert.deepEqual(some.result, { data: ["a"], meta: { path: ".", hidden: 1, total: 2, truncated: true } });
  await assert.rejects(app.call(listDir, { path: "b.txt" }), { code: "NOT_A_DIRECTORY" });
});

Deno.test("stat answers with size, time, mode and type of what a link leads to", async () => {
  await using app = await look({ "a.txt": "12345" });
  await Deno.chmod(`${app.root}/a.txt`, 0o644);
  await Deno.utime(`${app.root}/a.txt`, 0, 1_700_000_000);
  await Deno.symlink("a.txt", `${app.root}/link`);
  const wanted = { data: { size: 5, mtime: 1_700_000_000, mode: "0644", type: "file" } };
  assert.deepEqual((await app.call(stat, { path: "a.txt" })).result, wanted);
  assert.deepEqual((await app.call(stat, { path: "link" })).result, wanted);
  assert.equal((await app.call(stat, { path: "." })).result.data.type, "dir");
});
