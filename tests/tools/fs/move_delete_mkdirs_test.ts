import assert from "node:assert/strict";
import { makeTestApp, type TestApp } from "../../support/app.ts";

const exists = (app: TestApp, name: string) => Deno.lstat(`${app.root}/${name}`).then(() => true, () => false);

Deno.test("linux_fs_move renames and moves, and refuses an existing target unless overwrite", async () => {
  await using app = await makeTestApp({ files: { "a": "a", "b": "b", "d/x": "x" } });
  const { text } = await app.call("linux_fs_move", { source: "a", target: "d/a" });
  assert.equal(text, "moved a → d/a");
  const refused = await app.call("linux_fs_move", { source: "b", target: "d/a" });
  assert.deepEqual([refused.error?.code, refused.error?.message], ["INVALID_ARGUMENT", "'d/a' already exists"]);
  const into = await app.call("linux_fs_move", { source: "b", target: "d" });
  assert.match(into.text, /give 'd\/b' as 'target'/);
  assert.deepEqual(await app.result("linux_fs_move", { source: "b", target: "d/a", overwrite: true }), {
    ok: true,
    source: "b",
    target: "d/a",
  });
  assert.equal(await Deno.readTextFile(`${app.root}/d/a`), "b");
});

Deno.test("linux_fs_move and linux_fs_delete act on a link, and never on roots, their parents or the outside", async () => {
  await using app = await makeTestApp({ files: { "a": "a" } });
  await Deno.symlink(app.config.homeDir, `${app.root}/link`);
  await app.result("linux_fs_move", { source: "link", target: "moved" });
  assert((await Deno.lstat(`${app.root}/moved`)).isSymlink);
  await app.result("linux_fs_delete", { path: "moved", recursive: true });
  assert((await Deno.stat(app.config.homeDir)).isDirectory);
  for (const path of [".", app.root, `${app.root}/..`, "/", "/etc/hostname", "~"]) {
    assert.equal((await app.call("linux_fs_delete", { path, recursive: true })).error?.code, "INVALID_PATH", path);
    assert.equal((await app.call("linux_fs_move", { source: path, target: "x" })).error?.code, "INVALID_PATH", path);
    const onto = await app.call("linux_fs_move", { source: "a", target: path, overwrite: true });
    assert.equal(onto.error?.code, "INVALID_PATH", path);
  }
  assert(await exists(app, "a"));
});

Deno.test("linux_fs_delete deletes a file, and a directory only with recursive", async () => {
  await using app = await makeTestApp({ files: { "a": "a", "d/x/y": "y" } });
  assert.equal((await app.call("linux_fs_delete", { path: "a" })).text, "deleted a");
  assert.equal((await app.call("linux_fs_delete", { path: "d" })).error?.code, "IS_DIRECTORY");
  assert.equal((await app.call("linux_fs_delete", { path: "a" })).error?.code, "NOT_FOUND");
  assert.deepEqual(await app.result("linux_fs_delete", { path: "d", recursive: true }), { ok: true, path: "d" });
  assert.equal(await exists(app, "d"), false);
});

Deno.test("linux_fs_mkdirs makes parents, accepts what is there, and refuses a file in the way", async () => {
  await using app = await makeTestApp({ files: { "file": "" } });
  const made = await app.result("linux_fs_mkdirs", { path: "a/b/c" });
  assert.deepEqual(made, { ok: true, path: "a/b/c", created: ["a", "a/b", "a/b/c"] });
  assert.equal((await app.call("linux_fs_mkdirs", { path: "a/b" })).text, "a/b exists");
  assert.equal((await app.call("linux_fs_mkdirs", { path: "a/b", exist_ok: false })).error?.code, "INVALID_ARGUMENT");
  assert.equal((await app.call("linux_fs_mkdirs", { path: "file/x" })).error?.code, "NOT_A_DIRECTORY");
  assert.equal((await app.call("linux_fs_mkdirs", { path: "../x" })).error?.code, "INVALID_PATH");
});
