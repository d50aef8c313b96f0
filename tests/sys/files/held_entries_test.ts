import assert from "node:assert/strict";
import { entriesByPath, type EntryFacts, mainFacts } from "../../../src/sys/files/entries.ts";
import { makeHeldEntries } from "../../../src/sys/files/held_entries.ts";
import { tempTree } from "../../support/temp_tree.ts";
import { needing, ORDINARY_USER } from "../../support/needs.ts";

Deno.test("held entries have the same facts as Deno gives by path", async () => {
  await using tree = await tempTree({ "file.txt": "content\n", "dir/inner": "" });
  using entries = makeHeldEntries();
  await Deno.symlink("file.txt", tree.path("link"));
  await Deno.chmod(tree.path("file.txt"), 0o4751);
  await Deno.utime(tree.path("file.txt"), 1_000.5, 2_000.25);
  await new Deno.Command("mkfifo", { args: [tree.path("fifo")] }).output();
  const paths = [
    ...["file.txt", "dir", "link", "fifo", "dir/inner"].map((name) => tree.path(name)),
    tree.root,
    "/",
    "/dev/null",
  ];
  for (const path of paths) {
    assert.deepEqual(comparable(entries.lstat(path)), comparable(await Deno.lstat(path)), path);
  }
  assert.equal(entries.readLink(tree.path("link")), "file.txt");
});

Deno.test("held entries of one folder have the same facts together as one by one", async () => {
  await using tree = await tempTree({ "file.txt": "content\n", "dir/inner": "" });
  await Deno.symlink("file.txt", tree.path("link"));
  await Deno.utime(tree.path("file.txt"), 1_000.5, 5_000_000_000.25);
  await Deno.writeTextFile(tree.path("é".repeat(127)), "a long name before a short one");
  await Deno.writeTextFile(tree.path("x".repeat(255)), "");
  const names = ["x".repeat(255), "é".repeat(127), "file.txt", "dir", "link"];
  using entries = makeHeldEntries();
  for (const look of [entries, entriesByPath]) {
    const found = look.factsOf(tree.root, [...names, "missing", "x".repeat(256), "é".repeat(200)]);
    assert.deepEqual([...found.keys()], names);
    for (const [name, facts] of found) {
      assert.deepEqual(inSeconds(facts), inSeconds(mainFacts(await Deno.lstat(tree.path(name)))), name);
    }
    assert.equal(look.factsOf(tree.path("missing"), ["file.txt"]).size, 0);
    assert.equal(look.factsOf("", ["dev"]).get("dev")?.type, "dir");
    assert.equal(look.factsOf("/dev", ["null"]).get("null")?.type, "char_device");
  }
});

/** Deno takes the fraction of the inode's time from that of the content. */
function inSeconds({ changedMs, ...rest }: EntryFacts): unknown {
  return { ...rest, changedSeconds: Math.trunc(changedMs / 1000) };
}

/** Deno says null where it means no, and takes the fraction from the time of the last change. */
function comparable(info: Deno.FileInfo): unknown {
  const { ctime, isBlockDevice, isCharDevice, isFifo, isSocket, ...rest } = info;
  const seconds = Math.trunc((ctime?.getTime() ?? 0) / 1000);
  return { ...rest, seconds, special: [isBlockDevice, isCharDevice, isFifo, isSocket].map(Boolean) };
}

Deno.test("held entries change the mode of what a path names, and of nothing that a link leads to", async () => {
  await using tree = await tempTree({ "file.txt": "", "dir/inner": "" });
  using entries = makeHeldEntries();
  await Deno.symlink("file.txt", tree.path("link"));
  entries.chmod(tree.path("file.txt"), 0o640);
  entries.chmod(tree.path("dir"), 0o711);
  const mode = async (name: string) => ((await Deno.lstat(tree.path(name))).mode ?? 0) & 0o7777;
  assert.deepEqual([await mode("file.txt"), await mode("dir")], [0o640, 0o711]);
  assert.throws(() => entries.chmod(tree.path("link"), 0o777));
  assert.equal(await mode("file.txt"), 0o640);
});

Deno.test("held entries fail as Deno does", async () => {
  await using tree = await tempTree({ "file.txt": "" });
  using entries = makeHeldEntries();
  await Deno.symlink("loop", tree.path("loop"));
  const cases: [string, string, new (message: string) => Error][] = [
    ["missing", "ENOENT", Deno.errors.NotFound],
    ["missing/below", "ENOENT", Deno.errors.NotFound],
    ["file.txt/below", "ENOTDIR", Deno.errors.NotADirectory],
    ["loop/below", "ELOOP", Deno.errors.FilesystemLoop],
    ["x".repeat(300), "ENAMETOOLONG", Error],
  ];
  for (const [name, code, type] of cases) {
    assert.throws(
      () => entries.lstat(tree.path(name)),
      (error) => error instanceof type && "code" in error && error.code === code,
      name,
    );
  }
  assert.throws(() => entries.readLink(tree.path("file.txt")), { code: "EINVAL" });
});

Deno.test(
  needing("held entries look at what lies in a folder that may be searched and not read", ORDINARY_USER),
  async () => {
    await using tree = await tempTree({ "dir/file.txt": "x" });
    using entries = makeHeldEntries();
    await Deno.chmod(tree.path("dir"), 0o311);
    assert.equal(entries.lstat(tree.path("dir/file.txt")).size, 1);
    entries.chmod(tree.path("dir/file.txt"), 0o600);
    assert.throws(() => entries.lstat(tree.path("dir/missing")), { code: "EACCES" });
    await Deno.chmod(tree.path("dir"), 0o700);
  },
);

Deno.test("entries take over the times of others, and held ones those of links to the nanosecond", async () => {
  await using tree = await tempTree({ "from": "", "to": "", "dir/": "" });
  await Deno.symlink("from", tree.path("old"));
  await Deno.symlink("from", tree.path("new"));
  await Deno.utime(tree.path("from"), 1_000, 2_000);
  const touch = ["-h", "-m", "-d", "2001-09-09 01:46:40.123456789 UTC", tree.path("old")];
  assert.ok((await new Deno.Command("touch", { args: touch }).output()).success);
  using held = makeHeldEntries();
  for (const entries of [entriesByPath, held]) {
    for (const to of ["to", "dir"]) {
      await Deno.utime(tree.path(to), 1, 1);
      entries.copyTimes(tree.path("from"), tree.path(to));
      const { atime, mtime } = await Deno.stat(tree.path(to));
      assert.deepEqual([atime?.getTime(), mtime?.getTime()], [1_000_000, 2_000_000]);
    }
  }
  held.copyTimes(tree.path("old"), tree.path("new"));
  const { stdout } = await new Deno.Command("stat", { args: ["-c", "%.9Y", tree.path("new")] }).output();
  assert.equal(new TextDecoder().decode(stdout), "1000000000.123456789\n");
  assert.equal((await Deno.stat(tree.path("from"))).mtime?.getTime(), 2_000_000);
  assert.throws(() => held.copyTimes(tree.path("old"), tree.path("none")), { code: "ENOENT" });
});
