import assert from "node:assert/strict";
import { makeHeldEntries } from "../../../src/sys/files/held_entries.ts";
import { moveEntry } from "../../../src/sys/writer/move.ts";
import { fileOpsWith } from "../../../src/sys/writer/ops.ts";
import { type Changes, makeWriter } from "../../../src/sys/writer/writer.ts";
import { failingDisk, NEEDS_SPACE } from "../../support/failing_disk.ts";
import { type TempTree, tempTree } from "../../support/temp_tree.ts";
import { needing } from "../../support/needs.ts";

async function change(tree: TempTree, work: (files: Changes) => Promise<unknown>, ops = failingDisk().ops) {
  const writer = makeWriter({
    kept: [tree.root, tree.path("server/own")],
    dataDir: tree.path("data"),
    backupsBeside: false,
    ops,
  });
  await writer.change(["/"], work);
}

async function rejectsWith(work: Promise<unknown>, code: string, message = /./): Promise<void> {
  await assert.rejects(work, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}

/** Ops for which the two halves of a tree are different file systems. */
function twoDevices(tree: TempTree, ops = failingDisk().ops) {
  const isOther = (path: string) => path.startsWith(`${tree.path("other")}/`);
  const apart = (from: string, to: string) => {
    if (isOther(from) !== isOther(to)) throw Object.assign(new Error("cross-device"), { code: "EXDEV" });
  };
  return {
    ...ops,
    rename: async (from: string, to: string) => (apart(from, to), await ops.rename(from, to)),
    link: async (from: string, to: string) => (apart(from, to), await ops.link(from, to)),
  };
}

Deno.test("move never replaces what is there unless it is told to", async () => {
  await using tree = await tempTree({ "a": "a", "b": "b", "d/x": "x", "empty/": "" });
  const before = await tree.snapshot();
  await rejectsWith(change(tree, (f) => f.move(tree.path("a"), tree.path("b"))), "INVALID_ARGUMENT", /already exists/);
  await rejectsWith(
    change(tree, (f) => f.move(tree.path("a"), tree.path("d"))),
    "INVALID_ARGUMENT",
    /existing directory/,
  );
  await rejectsWith(
    change(tree, (f) => f.move(tree.path("d"), tree.path("empty"))),
    "INVALID_ARGUMENT",
    /existing directory/,
  );
  const overwrite = { overwrite: true };
  await rejectsWith(change(tree, (f) => f.move(tree.path("a"), tree.path("d"), overwrite)), "INVALID_ARGUMENT");
  await rejectsWith(
    change(tree, (f) => f.move(tree.path("empty"), tree.path("d"), overwrite)),
    "INVALID_ARGUMENT",
    /not empty/,
  );
  await rejectsWith(change(tree, (f) => f.move(tree.path("d"), tree.path("a"), overwrite)), "NOT_A_DIRECTORY");
  assert.deepEqual(await tree.snapshot(), before);
  await change(tree, (f) => f.move(tree.path("a"), tree.path("b"), overwrite));
  await change(tree, (f) => f.move(tree.path("d"), tree.path("empty"), overwrite));
  assert.deepEqual(Object.keys(await tree.snapshot()), ["b", "empty", "empty/x"]);
  assert.equal(await Deno.readTextFile(tree.path("b")), "a");
});

Deno.test("move refuses itself, its inside, roots, what is above them, and the server's own files", async () => {
  await using tree = await tempTree({ "a": "a", "d/x": "x", "server/own/db": "", "server/own2": "" });
  const before = await tree.snapshot();
  await rejectsWith(change(tree, (f) => f.move(tree.path("a"), tree.path("a"))), "INVALID_ARGUMENT", /same entry/);
  await rejectsWith(change(tree, (f) => f.move(tree.path("d"), tree.path("d/y/z"))), "INVALID_ARGUMENT", /into itself/);
  for (const kept of [tree.root, "/", tree.path("server"), tree.path("server/own")]) {
    await rejectsWith(change(tree, (f) => f.move(kept, tree.path("moved"))), "INVALID_PATH");
    await rejectsWith(change(tree, (f) => f.move(tree.path("a"), kept, { overwrite: true })), "INVALID_PATH");
    await rejectsWith(change(tree, (f) => f.remove(kept, { recursive: true })), "INVALID_PATH");
  }
  await rejectsWith(change(tree, (f) => f.move(tree.path("none"), tree.path("x"))), "NOT_FOUND");
  await rejectsWith(change(tree, (f) => f.move(tree.path("a"), tree.path("none/x"))), "NOT_FOUND", /directory/);
  assert.deepEqual(await tree.snapshot(), before);
});

Deno.test("move and remove act on a link, not on what it names", async () => {
  await using tree = await tempTree({ "target/file": "content" });
  await Deno.symlink("target", tree.path("to-directory"));
  await Deno.symlink("target/file", tree.path("to-file"));
  await Deno.symlink("nowhere", tree.path("dangling"));
  await change(tree, (f) => f.move(tree.path("to-directory"), tree.path("moved")));
  await change(tree, (f) => f.move(tree.path("dangling"), tree.path("moved-dangling")));
  await change(tree, (f) => f.remove(tree.path("to-file")));
  await change(tree, (f) => f.remove(tree.path("moved"), { recursive: true }));
  const { "moved-dangling": link, ...rest } = await tree.snapshot();
  assert.equal(link, "link nowhere");
  assert.deepEqual(Object.keys(rest), ["target", "target/file"]);
});

Deno.test("remove takes a directory only when told to, and never follows links out of it", async () => {
  await using tree = await tempTree({ "d/sub/file": "1", "d/.hidden": "2", "outside/file": "3" });
  await Deno.symlink(tree.path("outside"), tree.path("d/sub/link"));
  await rejectsWith(change(tree, (f) => f.remove(tree.path("d"))), "IS_DIRECTORY", /directory/);
  await change(tree, (f) => f.remove(tree.path("d"), { recursive: true }));
  assert.deepEqual(Object.keys(await tree.snapshot()), ["outside", "outside/file"]);
});

Deno.test("remove takes what it can and names what stays", async () => {
  await using tree = await tempTree({ "d/a": "1", "d/b": "2", "d/sub/c": "3", "outside/file": "3" });
  await Deno.symlink(tree.path("outside"), tree.path("d/link"));
  const { ops } = failingDisk();
  const busy = (path: string) => Promise.reject(Object.assign(new Error(path), { code: "EBUSY" }));
  const stubborn = {
    ...ops,
    removeTree: busy,
    remove: (path: string) => path.endsWith("/c") ? busy(path) : ops.remove(path),
  };
  await change(tree, async (files) => {
    const { kept, keptCount } = await files.remove(tree.path("d"), { recursive: true });
    assert.deepEqual(kept, [{ path: tree.path("d/sub/c"), reason: "EBUSY" }]);
    assert.equal(keptCount, 1);
  }, stubborn);
  assert.deepEqual(Object.keys(await tree.snapshot()), ["d", "d/sub", "d/sub/c", "outside", "outside/file"]);
});

Deno.test("move between file systems copies trees with modes and times, then removes the source", async () => {
  await using tree = await tempTree({ "d/run.sh": "x".repeat(3_000_000), "d/sub/b": "b", "single": "s", "other/": "" });
  await Deno.chmod(tree.path("d/run.sh"), 0o750);
  await Deno.utime(tree.path("d/run.sh"), 1_000_000_000, 1_000_000_000);
  await Deno.symlink("sub/b", tree.path("d/link"));
  const ops = twoDevices(tree);
  await change(tree, (f) => f.move(tree.path("d"), tree.path("other/d")), ops);
  await change(tree, (f) => f.move(tree.path("single"), tree.path("other/single")), ops);
  const names = ["other", "other/d", "other/d/link", "other/d/run.sh", "other/d/sub", "other/d/sub/b", "other/single"];
  assert.deepEqual(Object.keys(await tree.snapshot()), names);
  const info = await Deno.stat(tree.path("other/d/run.sh"));
  assert.deepEqual([(info.mode ?? 0) & 0o7777, info.size, info.mtime?.getTime()], [
    0o750,
    3_000_000,
    1_000_000_000_000,
  ]);
});

Deno.test("move between file systems leaves the source alone when the copy fails at any step", async () => {
  const files = { "d/a": "content of a", "d/sub/b": "b", "other/": "" };
  const run = async (at: number, errno: string) => {
    await using tree = await tempTree(files);
    const before = await tree.snapshot();
    const disk = failingDisk({ at, errno, only: [...NEEDS_SPACE, "read", "sync", "chmod", "copyTimes"] });
    const ops = twoDevices(tree, disk.ops);
    const error = await change(tree, (f) => f.move(tree.path("d"), tree.path("other/d")), ops).then(
      () => null,
      (e) => e,
    );
    if (error !== null) assert.deepEqual(await tree.snapshot(), before, `${errno} at call ${at}`);
    return error !== null;
  };
  let failures = 0;
  for (let at = 1; at < 25; at++) if (await run(at, at % 2 ? "ENOSPC" : "EIO")) failures++;
  assert(failures > 12, `${failures}`);
});

Deno.test("move between file systems never replaces a file that came into being meanwhile", async () => {
  await using tree = await tempTree({ "a": "mine", "other/": "" });
  const ops = twoDevices(tree);
  const chmod = async (path: string, mode: number) => {
    await Deno.writeTextFile(tree.path("other/a"), "theirs"); // late: after the look, before the exchange
    await ops.chmod(path, mode);
  };
  await rejectsWith(
    change(tree, (f) => f.move(tree.path("a"), tree.path("other/a")), { ...ops, chmod }),
    "INVALID_ARGUMENT",
    /already exists/,
  );
  assert.equal(await Deno.readTextFile(tree.path("other/a")), "theirs");
  assert.equal(await Deno.readTextFile(tree.path("a")), "mine");
  assert.deepEqual(Object.keys(await tree.snapshot()), ["a", "other", "other/a"]);
});

Deno.test("move between file systems refuses what cannot be made again there, before anything is gone", async () => {
  await using tree = await tempTree({ "d/a": "1", "other/": "" });
  await Deno.symlink("a", tree.path("d/link"));
  const before = await tree.snapshot();
  const ops = { ...twoDevices(tree), symlink: () => Promise.reject(new Deno.errors.NotCapable("no")) };
  await rejectsWith(
    change(tree, (f) => f.move(tree.path("d"), tree.path("other/d")), ops),
    "INVALID_ARGUMENT",
    /symbolic link/,
  );
  assert.deepEqual(await tree.snapshot(), before);
});

Deno.test("move between file systems keeps links, their times, second names, empty folders and nanoseconds", async () => {
  await using tree = await tempTree({ "d/a": "1", "d/empty/": "", "other/": "" });
  using entries = makeHeldEntries();
  const ops = twoDevices(tree, fileOpsWith(entries));
  const touched = ["d/a", "d/empty", "d/link", "d/out", "d"];
  await Deno.symlink("a", tree.path("d/link"));
  await Deno.symlink("/dev/null", tree.path("d/out"));
  await Deno.link(tree.path("d/a"), tree.path("d/second"));
  const stamp = ["-h", "-d", "2001-09-09 01:46:40.123456789 UTC", ...touched.map((path) => tree.path(path))];
  assert.ok((await new Deno.Command("touch", { args: stamp }).output()).success);
  await change(tree, (f) => f.move(tree.path("d"), tree.path("other/d")), ops);
  const { stdout } = await new Deno.Command("stat", {
    args: ["-c", "%.9Y %N %h", ...touched.map((path) => tree.path(`other/${path}`))],
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().replaceAll(`${tree.path("other")}/`, "").split("\n");
  assert.deepEqual(lines, [
    "1000000000.123456789 'd/a' 2",
    "1000000000.123456789 'd/empty' 2",
    "1000000000.123456789 'd/link' -> 'a' 1",
    "1000000000.123456789 'd/out' -> '/dev/null' 1",
    "1000000000.123456789 'd' 3",
  ]);
  const [first, second] = await Promise.all(["a", "second"].map((name) => Deno.stat(tree.path(`other/d/${name}`))));
  assert.equal(first?.ino, second?.ino);
});

Deno.test("move between file systems takes extended attributes along, or leaves the source alone and says why", async () => {
  await using tree = await tempTree({ "d/a": "1", "other/": "" });
  const copied: string[] = [];
  const copier = (isKept: boolean) => (from: string, to: string) => {
    copied.push(`${from.slice(tree.root.length)} ${to.includes("/a") ? "file" : "folder"}`);
    return Promise.resolve(isKept);
  };
  const move = (isKept: boolean) =>
    moveEntry(twoDevices(tree), tree.path("d"), tree.path("other/d"), {
      overwrite: false,
      show: (path) => path.slice(tree.root.length + 1),
      copyAttributes: copier(isKept),
    });
  const before = await tree.snapshot();
  await rejectsWith(move(false), "WRITE_FAILED", /attributes of 'd\/a' cannot be kept/);
  assert.deepEqual(await tree.snapshot(), before);
  copied.length = 0;
  await move(true);
  assert.deepEqual(copied, ["/d/a file", "/d folder"]);
});

const APART = await areApart("/tmp", "/dev/shm") ? null : "/tmp and /dev/shm are one file system";
Deno.test(needing("move works between two real file systems", APART), async () => {
  await using tree = await tempTree({ "d/a": "content" });
  const other = await Deno.makeTempDir({ dir: "/dev/shm" });
  try {
    await change(tree, (f) => f.move(tree.path("d"), `${other}/d`));
    assert.equal(await Deno.readTextFile(`${other}/d/a`), "content");
    await change(tree, (f) => f.move(`${other}/d/a`, tree.path("a")));
    assert.deepEqual(Object.keys(await tree.snapshot()), ["a"]);
  } finally {
    await Deno.remove(other, { recursive: true });
  }
});

async function areApart(...paths: string[]): Promise<boolean> {
  const devices = await Promise.all(paths.map((path) => Deno.stat(path).then(({ dev }) => dev, () => null)));
  return !devices.includes(null) && new Set(devices).size === paths.length;
}
