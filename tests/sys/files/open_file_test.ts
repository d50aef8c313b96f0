import assert from "node:assert/strict";
import { openFile, readRegularSync } from "../../../src/sys/files/open_file.ts";
import { tempTree } from "../../support/temp_tree.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function makePipe(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(success);
}

Deno.test("openFile and readRegularSync do not wait at a pipe that nobody else has opened", async () => {
  await using tree = await tempTree({});
  const path = tree.path("pipe");
  await makePipe(path);
  using pipe = openFile(path, { read: true });
  assert.equal((await pipe.stat()).isFifo, true);
  assert.equal(readRegularSync(path, 10), undefined);
  using held = await Deno.open(path, { read: true, write: true }); // now there is a reader
  assert.ok(held);
  for (const options of [{ write: true }, { append: true }, { read: true, write: true }]) {
    assert.throws(() => openFile(path, options), { code: "ENXIO" });
  }
});

Deno.test("openFile reads and writes from where it was sent, and goes on from there", async () => {
  await using tree = await tempTree({ "a.txt": "0123456789" });
  using file = openFile(tree.path("a.txt"), { read: true, write: true });
  const read = async (count: number) => {
    const into = new Uint8Array(count);
    return text(into.subarray(0, await file.read(into) ?? 0));
  };
  assert.equal(await read(3), "012");
  await file.seek(7);
  assert.equal(await read(2), "78");
  assert.equal(await read(9), "9");
  assert.equal(await file.read(new Uint8Array(1)), null);
  await file.seek(3);
  assert.equal(await read(2), "34");
  await file.seek(1);
  assert.equal(await file.write(new TextEncoder().encode("ab")), 2);
  assert.equal(await file.write(new TextEncoder().encode("c")), 1);
  await file.truncate(6);
  await file.sync();
  assert.equal((await file.stat()).size, 6);
  assert.equal(await Deno.readTextFile(tree.path("a.txt")), "0abc45");
});

Deno.test("openFile is where it was sent also after it has written elsewhere", async () => {
  await using tree = await tempTree({ "a.txt": "0123456789" });
  using file = openFile(tree.path("a.txt"), { read: true, write: true });
  await file.seek(5);
  await file.write(new TextEncoder().encode("xy"));
  await file.seek(0);
  await file.write(new TextEncoder().encode("ab"));
  const into = new Uint8Array(3);
  assert.equal(await file.read(into), 3);
  assert.deepEqual([await Deno.readTextFile(tree.path("a.txt")), text(into)], ["ab234xy789", "234"]);
});

Deno.test("openFile appends, creates with a mode, and creates only what is not there", async () => {
  await using tree = await tempTree({ "a.txt": "one " });
  {
    using file = openFile(tree.path("a.txt"), { append: true });
    await file.write(new TextEncoder().encode("two "));
    await Deno.writeTextFile(tree.path("a.txt"), "three ", { append: true });
    await file.write(new TextEncoder().encode("four"));
  }
  assert.equal(await Deno.readTextFile(tree.path("a.txt")), "one two three four");
  openFile(tree.path("new"), { write: true, createNew: true, mode: 0o600 })[Symbol.dispose]();
  assert.equal(((await Deno.stat(tree.path("new"))).mode ?? 0) & 0o777, 0o600);
  assert.throws(() => openFile(tree.path("new"), { write: true, createNew: true }), Deno.errors.AlreadyExists);
  openFile(tree.path("other"), { append: true, create: true })[Symbol.dispose]();
  assert.equal((await Deno.stat(tree.path("other"))).size, 0);
});

Deno.test("openFile has the facts that Deno has, and its errors", async () => {
  await using tree = await tempTree({ "a.txt": "content", "dir/inner": "" });
  await Deno.symlink("a.txt", tree.path("link"));
  await Deno.utime(tree.path("a.txt"), 1_000.5, 2_000.25);
  using file = openFile(tree.path("a.txt"), { read: true });
  const { ctime: _, ...facts } = await file.stat();
  const { ctime: __, ...expected } = await Deno.stat(tree.path("a.txt"));
  for (const [name, value] of Object.entries(facts)) {
    assert.deepEqual(value, Reflect.get(expected, name) ?? false, name);
  }
  using directory = openFile(tree.path("dir"), { read: true });
  assert.equal((await directory.stat()).isDirectory, true);
  await directory.sync();
  await assert.rejects(directory.read(new Uint8Array(1)), Deno.errors.IsADirectory);
  assert.throws(() => openFile(tree.path("none"), { read: true }), Deno.errors.NotFound);
  assert.throws(() => openFile(tree.path("a.txt/none"), { read: true }), Deno.errors.NotADirectory);
  assert.throws(() => openFile(tree.path("dir"), { write: true }), Deno.errors.IsADirectory);
  assert.throws(() => openFile(tree.path("link"), { read: true }), Deno.errors.FilesystemLoop);
});

Deno.test("readRegularSync reads a file, its start or its end", async () => {
  await using tree = await tempTree({ "a.txt": "0123456789" });
  const read = (...args: [number, ("start" | "end")?]) => {
    const { bytes, sizeBytes } = readRegularSync(tree.path("a.txt"), ...args) ?? assert.fail();
    return [text(bytes), sizeBytes];
  };
  assert.deepEqual(read(100), ["0123456789", 10]);
  assert.deepEqual(read(4), ["0123", 10]);
  assert.deepEqual(read(4, "end"), ["6789", 10]);
  assert.deepEqual(read(100, "end"), ["0123456789", 10]);
  assert.equal(readRegularSync(tree.path(""), 10), undefined);
  assert.throws(() => readRegularSync(tree.path("none"), 10), Deno.errors.NotFound);
});

Deno.test("openFile reads at once from where it was sent, and the two ways of reading go on from each other", async () => {
  await using tree = await tempTree({ "a.txt": "0123456789" });
  using file = openFile(tree.path("a.txt"), { read: true });
  const into = new Uint8Array(3);
  const read = (count: number | null) => text(into.subarray(0, count ?? 0));
  assert.equal(read(file.readSync(into)), "012");
  assert.equal(read(await file.read(into)), "345");
  await file.seek(8);
  assert.equal(read(file.readSync(into)), "89");
  assert.equal(file.readSync(into), null);
  await file.seek(1);
  assert.equal(read(await file.read(into)), "123");
  assert.equal(read(file.readSync(into)), "456");
});
