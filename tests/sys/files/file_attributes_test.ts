import assert from "node:assert/strict";
import { makeFileAttributes } from "../../../src/sys/files/file_attributes.ts";
import { makeWriter } from "../../../src/sys/writer/writer.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { needing } from "../../support/needs.ts";

const libc = Deno.dlopen("libc.so.6", {
  setxattr: { parameters: ["buffer", "buffer", "buffer", "usize", "i32"], result: "i32" },
  getxattr: { parameters: ["buffer", "buffer", "buffer", "usize"], result: "isize" },
}).symbols;
const c = (text: string) => new TextEncoder().encode(`${text}\0`);

function set(path: string, name: string, value: Uint8Array<ArrayBuffer>): boolean {
  return libc.setxattr(c(path), c(name), value, BigInt(value.length), 0) === 0;
}

function get(path: string, name: string): Uint8Array | null {
  const value = new Uint8Array(1_000);
  const length = Number(libc.getxattr(c(path), c(name), value, 1_000n));
  return length < 0 ? null : value.slice(0, length);
}

/** An access list in the kernel's form: the owner rw-, user 12345 r--, the group and mask r--, others nothing. */
const ACCESS_LIST = Uint8Array.of(
  ...[2, 0, 0, 0],
  ...[1, 0, 6, 0, 255, 255, 255, 255],
  ...[2, 0, 4, 0, 0x39, 0x30, 0, 0],
  ...[4, 0, 4, 0, 255, 255, 255, 255],
  ...[16, 0, 4, 0, 255, 255, 255, 255],
  ...[32, 0, 0, 0, 255, 255, 255, 255],
);

await using probe = await tempTree({ a: "" });
const hasAttributes = set(probe.path("a"), "user.llmc", c("x"));
const hasAccessLists = set(probe.path("a"), "system.posix_acl_access", ACCESS_LIST);
const ATTRIBUTES = hasAttributes ? null : "the file system has no extended attributes";
const ACCESS_LISTS = hasAccessLists ? null : "the file system has no access lists";

Deno.test(
  needing("a written file keeps its extended attributes and is still replaced in one step", ATTRIBUTES),
  async () => {
    await using tree = await tempTree({ a: "old" });
    using attributes = makeFileAttributes();
    const path = tree.path("a");
    set(path, "user.origin", c("somewhere"));
    set(path, "user.empty", new Uint8Array(0));
    const { ino } = await Deno.stat(path);
    const copyAttributes = (from: string, to: string) => Promise.resolve(attributes.copy(from, to));
    const writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false, copyAttributes });
    await writer.change([path], (files) => files.write(path, new TextEncoder().encode("new")));
    assert.equal(await Deno.readTextFile(path), "new");
    assert.notEqual((await Deno.stat(path)).ino, ino);
    assert.deepEqual(get(path, "user.origin"), c("somewhere"));
    assert.deepEqual(get(path, "user.empty"), new Uint8Array(0));
  },
);

Deno.test(needing("a written file keeps its access list and mode", ACCESS_LISTS), async () => {
  await using tree = await tempTree({ a: "old" });
  using attributes = makeFileAttributes();
  const path = tree.path("a");
  set(path, "system.posix_acl_access", ACCESS_LIST);
  const { mode } = await Deno.stat(path);
  const copyAttributes = (from: string, to: string) => Promise.resolve(attributes.copy(from, to));
  const writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false, copyAttributes });
  await writer.change([path], (files) => files.write(path, new TextEncoder().encode("new")));
  assert.deepEqual(get(path, "system.posix_acl_access"), ACCESS_LIST);
  assert.equal((await Deno.stat(path)).mode, mode);
});

Deno.test("copying attributes has nothing to do for plain files, and says so when a file is not there or a link", async () => {
  await using tree = await tempTree({ a: "", b: "" });
  await Deno.symlink("a", tree.path("link"));
  using attributes = makeFileAttributes();
  assert.equal(attributes.copy(tree.path("a"), tree.path("b")), true);
  assert.equal(attributes.copy(tree.path("none"), tree.path("b")), false);
  assert.equal(attributes.copy(tree.path("link"), tree.path("b")), false);
});
