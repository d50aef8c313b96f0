import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { makeTestApp } from "../../support/app.ts";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const read = (root: string, name: string) => Deno.readTextFile(`${root}/${name}`);

Deno.test("linux_fs_write rewrites, appends and creates, and answers with bytes and hash", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "old" } });
  const rewritten = await app.result("linux_fs_write", { path: "a.txt", content: "né\r\n" });
  assert.deepEqual(rewritten, { path: "a.txt", bytes_written: 5, new_sha256: sha256("né\r\n"), created: false });
  const appended = await app.result("linux_fs_write", { path: "a.txt", content: "more", mode: "append" });
  assert.deepEqual(appended, { path: "a.txt", bytes_written: 4, new_sha256: sha256("né\r\nmore"), created: false });
  const created = await app.result("linux_fs_write", { path: "b.txt", content: "", mode: "create" });
  assert.deepEqual(created, { path: "b.txt", bytes_written: 0, new_sha256: sha256(""), created: true });
  assert.equal(await read(app.root, "a.txt"), "né\r\nmore");
  assert.equal(await read(app.root, "b.txt"), "");
});

Deno.test("linux_fs_write answers a model in one short line with the start of the hash", async () => {
  await using app = await makeTestApp();
  const { text, tokens } = await app.call("linux_fs_write", { path: "src.txt", content: "hello" });
  assert.equal(text, `created src.txt (5B) sha256 ${sha256("hello").slice(0, 12)}`);
  assert(tokens < 30);
});

Deno.test("linux_fs_write refuses to create what exists", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "old" } });
  const { error } = await app.call("linux_fs_write", { path: "a.txt", content: "new", mode: "create" });
  assert.deepEqual([error?.code, error?.message], ["INVALID_ARGUMENT", "'a.txt' already exists"]);
  assert.equal(await read(app.root, "a.txt"), "old");
});

Deno.test("linux_fs_write checks expected_sha256, whole or its start, and not on a missing file", async () => {
  await using app = await makeTestApp({ files: { "a.txt": "old" } });
  const write = (expected_sha256: string, path = "a.txt", mode = "rewrite") =>
    app.call("linux_fs_write", { path, content: "new", mode, expected_sha256 });
  const stale = await write(sha256("other"));
  assert.equal(stale.error?.code, "SHA_MISMATCH");
  assert.match(stale.text, new RegExp(sha256("old").slice(0, 12)));
  assert.equal((await write("0123")).error?.code, "INVALID_ARGUMENT");
  assert.equal((await write(sha256("wrong"), "a.txt", "append")).error?.code, "SHA_MISMATCH");
  assert.equal(await read(app.root, "a.txt"), "old");
  assert.equal((await write(sha256("old").slice(0, 12))).error, undefined);
  assert.equal((await write(sha256("new").toUpperCase())).error, undefined);
  assert.equal((await write(sha256("whatever"), "missing.txt")).error, undefined);
});

Deno.test("linux_fs_write makes missing folders and says so, but not in what is guarded or outside", async () => {
  await using app = await makeTestApp({ files: { "there/a.txt": "", "b.txt": "" } });
  const { text } = await app.call("linux_fs_write", { path: "there/deep/er/a.txt", content: "x" });
  assert.match(text, /^created there\/deep\/er\/a\.txt \(1B\) sha256 \w+, made there\/deep\/er\/$/);
  assert.equal(await read(app.root, "there/deep/er/a.txt"), "x");
  assert.doesNotMatch((await app.call("linux_fs_write", { path: "there/c.txt", content: "x" })).text, /made/);
  const codeOf = async (path: string) => (await app.call("linux_fs_write", { path, content: "" })).error?.code;
  assert.equal(await codeOf("b.txt/c.txt"), "NOT_A_DIRECTORY");
  assert.equal(await codeOf(".git/hooks/deep/x"), "INVALID_PATH");
  assert.equal(await codeOf("../elsewhere/x"), "INVALID_PATH");
  assert.deepEqual((await Array.fromAsync(Deno.readDir(app.root))).map(({ name }) => name).sort(), ["b.txt", "there"]);
});

Deno.test("linux_fs_write never writes U+FFFD or half a character that was not there", async () => {
  await using app = await makeTestApp({ files: { "marked.txt": "a \ufffd b" } });
  await Deno.writeFile(`${app.root}/latin.txt`, Uint8Array.of(99, 97, 102, 0xe9));
  for (const content of ["caf\ufffd", "half \ud83d"]) {
    const { error } = await app.call("linux_fs_write", { path: "latin.txt", content });
    assert.equal(error?.code, "INVALID_ARGUMENT");
  }
  assert.deepEqual(await Deno.readFile(`${app.root}/latin.txt`), Uint8Array.of(99, 97, 102, 0xe9));
  assert.equal((await app.call("linux_fs_write", { path: "marked.txt", content: "kept \ufffd" })).error, undefined);
});

Deno.test("linux_fs_write adds to a UTF-16 file in UTF-16", async () => {
  await using app = await makeTestApp();
  await Deno.writeFile(`${app.root}/wide.txt`, Uint8Array.of(0xfe, 0xff, 0, 65));
  await app.result("linux_fs_write", { path: "wide.txt", content: "é", mode: "append" });
  assert.deepEqual(await Deno.readFile(`${app.root}/wide.txt`), Uint8Array.of(0xfe, 0xff, 0, 65, 0, 0xe9));
});

Deno.test("linux_fs_write follows a link inside the root and refuses one that leads out, dangling or not", async () => {
  await using app = await makeTestApp({ files: { "real.txt": "old" } });
  await Deno.symlink("real.txt", `${app.root}/inside`);
  await Deno.symlink(`${app.config.dataDir}/../outside.txt`, `${app.root}/dangling`);
  await Deno.symlink(app.config.dataDir, `${app.root}/directory`);
  await app.result("linux_fs_write", { path: "inside", content: "new" });
  assert.equal(await read(app.root, "real.txt"), "new");
  assert((await Deno.lstat(`${app.root}/inside`)).isSymlink);
  for (const path of ["dangling", "directory/x", "/etc/llmc-test", "../x"]) {
    const { error } = await app.call("linux_fs_write", { path, content: "new" });
    assert.equal(error?.code, "INVALID_PATH", path);
  }
  await assert.rejects(Deno.lstat(`${app.config.dataDir}/../outside.txt`), Deno.errors.NotFound);
});

Deno.test("linux_fs_write refuses a directory, a pipe and a read-only server", async () => {
  await using app = await makeTestApp({ files: { "dir/a": "" } });
  await new Deno.Command("mkfifo", { args: [`${app.root}/pipe`] }).output();
  assert.equal((await app.call("linux_fs_write", { path: "dir", content: "" })).error?.code, "IS_DIRECTORY");
  assert.equal((await app.call("linux_fs_write", { path: "pipe", content: "" })).error?.code, "INVALID_PATH");
  await using still = await makeTestApp({ settings: { "mcp.read_only": true } });
  assert.equal((await still.call("linux_fs_write", { path: "a", content: "" })).error?.code, "FEATURE_DISABLED");
});
