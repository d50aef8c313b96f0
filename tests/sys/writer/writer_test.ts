import assert from "node:assert/strict";
import { makeWriter, type Writer, type WriterDeps } from "../../../src/sys/writer/writer.ts";
import { failingDisk } from "../../support/failing_disk.ts";
import { type TempTree, tempTree } from "../../support/temp_tree.ts";
import { needing, ROOT_USER } from "../../support/needs.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function writerFor(tree: TempTree, more: Partial<WriterDeps> = {}): Writer {
  return makeWriter({ kept: [tree.root], dataDir: tree.path("data"), backupsBeside: false, ...more });
}

async function rejectsWith(work: Promise<unknown>, code: string, message = /./): Promise<void> {
  await assert.rejects(work, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, `${error.message}`);
    assert.match(error.message, message);
    return true;
  });
}

const modeOf = async (path: string) => ((await Deno.lstat(path)).mode ?? 0) & 0o7777;

Deno.test("write replaces the content, keeps the mode and leaves nothing else behind", async () => {
  await using tree = await tempTree({ "run.sh": "old" });
  await Deno.chmod(tree.path("run.sh"), 0o751);
  await writerFor(tree).change([tree.path("run.sh")], (files) => files.write(tree.path("run.sh"), bytes("new")));
  assert.equal(await Deno.readTextFile(tree.path("run.sh")), "new");
  assert.equal(await modeOf(tree.path("run.sh")), 0o751);
  assert.deepEqual(Object.keys(await tree.snapshot()), ["run.sh"]);
});

Deno.test("write is atomic: a reader sees the old or the new content, never a mixture", async () => {
  await using tree = await tempTree({ "a": "x".repeat(300_000) });
  const path = tree.path("a");
  const writer = writerFor(tree);
  let writing = true;
  const reading = (async () => {
    const seen = new Set<string>();
    while (writing) {
      const text = await Deno.readTextFile(path);
      seen.add(`${text.length} ${text.at(0) === text.at(-1)}`);
    }
    return seen;
  })();
  for (let round = 0; round < 20; round++) {
    await writer.change([path], (files) => files.write(path, bytes("xy"[round % 2]!.repeat(300_000 + round % 2))));
  }
  writing = false;
  for (const state of await reading) assert.match(state, /^30000[01] true$/);
});

Deno.test("write keeps every name of a file with several names", async () => {
  await using tree = await tempTree({ "a": "a long old content" });
  await Deno.link(tree.path("a"), tree.path("b"));
  const writer = writerFor(tree);
  for (const content of ["short", "a very much longer content than the old one was"]) {
    await writer.change([tree.path("a")], (files) => files.write(tree.path("a"), bytes(content)));
    assert.equal(await Deno.readTextFile(tree.path("b")), content);
  }
});

Deno.test("write refuses a file that its owner made read-only, although the directory would let it be replaced", async () => {
  await using tree = await tempTree({ "a": "old" });
  await Deno.chmod(tree.path("a"), 0o444);
  // Root, as in a container, may write it; so the refusal comes from the stand-in.
  const { ops } = failingDisk({ at: 1, errno: "EACCES", only: ["open"] });
  const write = writerFor(tree, { ops }).change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("new")));
  await rejectsWith(write, "PERMISSION_DENIED");
  assert.equal(await Deno.readTextFile(tree.path("a")), "old");
});

Deno.test("write goes in place where the directory takes no new file", async () => {
  await using tree = await tempTree({ "a": "old" });
  const { ino } = await Deno.stat(tree.path("a"));
  // What a directory without write permission answers; root, as in a container, is never refused by a real one.
  const { ops } = failingDisk({ at: 1, errno: "EACCES", only: ["create"] });
  await writerFor(tree, { ops }).change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("brand new")));
  assert.equal(await Deno.readTextFile(tree.path("a")), "brand new");
  assert.equal((await Deno.stat(tree.path("a"))).ino, ino);
});

Deno.test(needing("write keeps the owner, and goes in place where it may not", ROOT_USER), async () => {
  await using tree = await tempTree({ "a": "old" });
  await Deno.chown(tree.path("a"), 12345, 12346);
  await writerFor(tree).change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("new")));
  const { ops } = failingDisk({ at: 1, errno: "EPERM", only: ["chown"] });
  const { ino } = await Deno.stat(tree.path("a"));
  await writerFor(tree, { ops }).change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("newer")));
  const info = await Deno.stat(tree.path("a"));
  assert.deepEqual([info.uid, info.gid, info.ino], [12345, 12346, ino]);
  assert.equal(await Deno.readTextFile(tree.path("a")), "newer");
});

Deno.test("write goes in place when extended attributes cannot be taken along", async () => {
  await using tree = await tempTree({ "a": "old" });
  const { ino } = await Deno.stat(tree.path("a"));
  const writer = writerFor(tree, { copyAttributes: () => Promise.resolve(false) });
  await writer.change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("new")));
  assert.equal((await Deno.stat(tree.path("a"))).ino, ino);
  assert.deepEqual(Object.keys(await tree.snapshot()), ["a"]);
});

Deno.test("write refuses what is not a regular file", async () => {
  await using tree = await tempTree({ "dir/": "", "target": "t" });
  await Deno.symlink("target", tree.path("link"));
  const write = (name: string) =>
    writerFor(tree).change([tree.path(name)], (files) => files.write(tree.path(name), bytes("x")));
  await rejectsWith(write("dir"), "IS_DIRECTORY");
  await rejectsWith(write("link"), "INVALID_PATH", /symbolic link/);
  await rejectsWith(write("none/a"), "NOT_FOUND");
  await rejectsWith(write("target/a"), "NOT_A_DIRECTORY");
  assert.equal(await Deno.readTextFile(tree.path("target")), "t");
});

Deno.test("a change after a read is refused when another program was faster", async () => {
  await using tree = await tempTree({ "a": "one" });
  const path = tree.path("a");
  await rejectsWith(
    writerFor(tree).change([path], async (files) => {
      await files.read(path, 100);
      await Deno.writeTextFile(path, "theirs!");
      await files.write(path, bytes("mine"));
    }),
    "SHA_MISMATCH",
  );
  assert.deepEqual(Object.keys(await tree.snapshot()), ["a"]);
  assert.equal(await Deno.readTextFile(path), "theirs!");
});

Deno.test("twenty parallel edits of one file all survive", async () => {
  await using tree = await tempTree({ "a": "" });
  const path = tree.path("a");
  const writer = writerFor(tree);
  await Promise.all(Array.from({ length: 20 }, (_, n) =>
    writer.change([path], async (files) => {
      const old = new TextDecoder().decode(await files.read(path, 1_000));
      await files.write(path, bytes(`${old}${n};`));
    })));
  const numbers = (await Deno.readTextFile(path)).split(";").filter(Boolean).map(Number);
  assert.deepEqual(numbers.sort((a, b) => a - b), Array.from({ length: 20 }, (_, n) => n));
});

Deno.test("changes of a directory wait for changes below it, others do not wait", async () => {
  await using tree = await tempTree({ "d/a": "1", "e/a": "1" });
  const writer = writerFor(tree);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = writer.change([tree.path("d/a")], async () => {
    await gate;
    order.push("below");
  });
  const second = writer.change([tree.path("d")], () => Promise.resolve(void order.push("directory")));
  await writer.change([tree.path("e/a")], () => Promise.resolve(void order.push("elsewhere")));
  open();
  await Promise.all([first, second]);
  assert.deepEqual(order, ["elsewhere", "below", "directory"]);
});

Deno.test("waiting for another change ends when the call is cancelled, and the queue goes on", async () => {
  await using tree = await tempTree({ "a": "1" });
  const writer = writerFor(tree);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = writer.change([tree.path("a")], () => gate);
  const aborter = new AbortController();
  const second = writer.change([tree.path("a")], () => Promise.resolve("ran"), aborter.signal);
  const third = writer.change([tree.path("a")], () => Promise.resolve("ran"));
  aborter.abort();
  await rejectsWith(second, "TIMEOUT");
  open();
  await first;
  assert.equal(await third, "ran");
});

Deno.test("a path that is not held cannot be changed", async () => {
  await using tree = await tempTree({ "a": "1", "ab": "1" });
  const change = writerFor(tree).change([tree.path("a")], (files) => files.write(tree.path("ab"), bytes("x")));
  await assert.rejects(change, /without its lock/);
});

Deno.test("create makes a file once and never replaces one", async () => {
  await using tree = await tempTree();
  const path = tree.path("a");
  const create = (text: string) => writerFor(tree).change([path], (files) => files.create(path, bytes(text)));
  await create("first");
  await rejectsWith(create("second"), "INVALID_ARGUMENT", /already exists/);
  assert.equal(await Deno.readTextFile(path), "first");
  assert.equal((await Deno.stat(path)).nlink, 1);
  assert.deepEqual(Object.keys(await tree.snapshot()), ["a"]);
});

Deno.test("create works where there are no hard links", async () => {
  await using tree = await tempTree({ "there": "1" });
  const create = (name: string) => {
    const { ops } = failingDisk({ at: 1, errno: "EPERM", only: ["link"] });
    return writerFor(tree, { ops }).change([tree.path(name)], (files) => files.create(tree.path(name), bytes("new")));
  };
  await create("a");
  await rejectsWith(create("there"), "INVALID_ARGUMENT", /already exists/);
  assert.deepEqual(Object.keys(await tree.snapshot()), ["a", "there"]);
  assert.equal(await Deno.readTextFile(tree.path("there")), "1");
});

Deno.test("append adds to the end, also of a file with two names", async () => {
  await using tree = await tempTree({ "a": "one\n" });
  await Deno.link(tree.path("a"), tree.path("b"));
  const writer = writerFor(tree);
  for (const name of ["a", "new"]) {
    await writer.change([tree.path(name)], (files) => files.append(tree.path(name), bytes("two\n")));
  }
  assert.equal(await Deno.readTextFile(tree.path("b")), "one\ntwo\n");
  assert.equal(await Deno.readTextFile(tree.path("new")), "two\n");
});

Deno.test("makeDirectories makes parents, answers which, and refuses a file in the way", async () => {
  await using tree = await tempTree({ "file": "" });
  const make = (name: string) =>
    writerFor(tree).change([tree.path(name)], (files) => files.makeDirectories(tree.path(name)));
  assert.deepEqual(await make("a/b/c"), ["a", "a/b", "a/b/c"].map(tree.path));
  assert.deepEqual(await make("a/b"), []);
  await rejectsWith(make("file"), "NOT_A_DIRECTORY");
  await rejectsWith(make("file/x"), "NOT_A_DIRECTORY");
});

Deno.test("temporary files of a killed server go after an hour, and only they", async () => {
  const old = ".llmc-0123456789abcdef01234567.tmp",
    young = ".llmc-89abcdef0123456789abcdef.tmp",
    other = ".llmc-notes.tmp";
  await using tree = await tempTree({ [old]: "1", [young]: "1", [other]: "1", "a": "1" });
  const writer = writerFor(tree, { now: () => Date.now() + 61 * 60 * 1000 });
  // The clock is an hour ahead, so what is young must be touched in its future.
  await Deno.utime(tree.path(young), new Date(), new Date(Date.now() + 30 * 60 * 1000));
  await writer.change([tree.path("a")], (files) => files.write(tree.path("a"), bytes("2")));
  assert.deepEqual(Object.keys(await tree.snapshot()), [young, other, "a"].sort());
});

Deno.test("a commit whose backups have no place changes nothing and says where the place should be", async () => {
  await using tree = await tempTree({ "a": "old", "data": "a file, no folder" });
  const path = tree.path("a"), writer = makeWriter({ kept: [], dataDir: tree.path("data"), backupsBeside: false });
  const change = writer.change([path], (files) => files.commit([{ do: "write", path, data: new Uint8Array(1) }]));
  await assert.rejects(change, { code: "WRITE_FAILED", message: /cannot be kept in the data directory/ });
  assert.equal(await Deno.readTextFile(path), "old");
});

Deno.test("of the backups of commits the newest hundred stay", async () => {
  const old = Object.fromEntries(
    Array.from({ length: 105 }, (_, n) => [`data/backups/20200101T000${100 + n}Z-0000000${n % 10}/x`, "x"]),
  );
  await using tree = await tempTree({ "a": "old", "data/backups/notes/keep": "mine", ...old });
  await writerFor(tree).change(
    [tree.path("a")],
    (files) => files.commit([{ do: "write", path: tree.path("a"), data: bytes("new") }]),
  );
  const sets = await Array.fromAsync(Deno.readDir(tree.path("data/backups")), ({ name }) => name);
  assert.equal(sets.length, 101);
  assert(sets.includes("notes"));
  assert.equal(sets.filter((name) => name.startsWith("2020")).sort()[0], "20200101T000106Z-00000006");
});
