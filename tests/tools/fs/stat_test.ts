import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fsStat } from "../../../src/tools/fs/stat.ts";
import { look } from "../look.ts";

Deno.test("linux_fs_stat tells type, size, time, mode, owner, lines and hash of a file", async () => {
  await using app = await look({ "src/a.ts": "one\ntwo" });
  await Deno.chmod(`${app.root}/src/a.ts`, 0o640);
  await Deno.utime(`${app.root}/src/a.ts`, 0, 1_700_000_000);
  const { result } = await app.call(fsStat, { path: "src/a.ts" });
  assert.deepEqual(result, {
    path: "src/a.ts",
    type: "file",
    size_bytes: 7,
    mtime_iso: "2023-11-14T22:13:20.000Z",
    mode: "0640",
    owner: `${Deno.uid()}:${Deno.gid()}`,
    nlink: 1,
    lines: 2,
    sha256: createHash("sha256").update("one\ntwo").digest("hex"),
  });
});

Deno.test("linux_fs_stat looks at a link itself, also at a dangling one", async () => {
  await using app = await look({ "a.txt": "x" });
  await Deno.symlink("nowhere", `${app.root}/link`);
  const { result } = await app.call(fsStat, { path: "link" });
  assert.deepEqual([result.type, result.symlink_target, result.sha256], ["symlink", "nowhere", undefined]);
});

Deno.test("linux_fs_stat answers for everything that has a name", async () => {
  await using app = await look({ "dir/": "", "bin.dat": "a\0b", "big.bin": new Uint8Array(9_000_000) });
  await new Deno.Command("mkfifo", { args: [`${app.root}/pipe`] }).output();
  const of = async (path: string) => (await app.call(fsStat, { path })).result;
  assert.equal((await of("dir")).type, "dir");
  assert.equal((await of("pipe")).type, "fifo");
  assert.deepEqual([(await of("bin.dat")).lines, (await of("bin.dat")).sha256?.length], [undefined, 64]);
  assert.deepEqual([(await of("big.bin")).size_bytes, (await of("big.bin")).sha256], [9_000_000, undefined]);
  await assert.rejects(of("missing"), { code: "NOT_FOUND" });
  await assert.rejects(of("/etc/passwd"), { code: "INVALID_PATH" });
});
