import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { namesIn, openStore, stampOf, withDirectory } from "./support.ts";

const MIB = 1024 * 1024;
const lines = (offset: number, limit: number) => ({ unit: "lines", offset, limit }) as const;
const code = (expected: string) => (error: unknown) => error instanceof OpsError && error.code === expected;

/** Text at both ends of a file that takes no space between them. */
async function writeSparse(path: string, head: string, sizeBytes: number, tail: string): Promise<void> {
  using file = await Deno.open(path, { create: true, write: true });
  await file.write(new TextEncoder().encode(head));
  const bytes = new TextEncoder().encode(tail);
  await file.seek(sizeBytes - bytes.length, Deno.SeekMode.Start);
  await file.write(bytes);
}

Deno.test(
  "a reference reads the file as it is now and says that it changed",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/app.log`;
    await Deno.writeTextFile(path, "one\ntwo\n");
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path), meta: { path } });
    const before = await store.handles.read(id, "a", lines(1, 5));
    assert.deepEqual([before.content, before.total, before.stale, before.more], ["two", 2, false, false]);
    await Deno.writeTextFile(path, "three\n", { append: true });
    const after = await store.handles.read(id, "a", lines(2, 5));
    assert.deepEqual([after.content, after.total, after.stale], ["three", 3, true]);
    assert.deepEqual(namesIn(dataDir).filter((name) => name === "blobs"), []);
    assert.equal(store.handles.info(id, "a").reference, true);
  }),
);

Deno.test(
  "a reference whose file is gone or no file any more is not found",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir, checkSource: (path) => Promise.resolve(path) });
    const path = `${dataDir}/app.log`;
    await Deno.writeTextFile(path, "one\n");
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path) });
    await Deno.remove(path);
    await assert.rejects(store.handles.read(id, "a", lines(0, 1)), code("NOT_FOUND"));
    assert.ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
    await assert.rejects(store.handles.read(id, "a", lines(0, 1)), code("NOT_FOUND"));
  }),
);

Deno.test(
  "a reference whose path leads elsewhere now is stale",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/app.log`, other = `${dataDir}/other.log`;
    for (const file of [path, other]) {
      await Deno.writeTextFile(file, "same\n");
      await Deno.utime(file, 1_000, 1_000);
    }
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path) });
    assert.equal((await store.handles.read(id, "a", lines(0, 1))).stale, false);
    await Deno.remove(path);
    await Deno.symlink(other, path);
    assert.equal((await store.handles.read(id, "a", lines(0, 1))).stale, true);
  }),
);

Deno.test(
  "the ends of a file of 8 GiB are read without what lies between",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/huge.log`, sizeBytes = 8 * 1024 * MIB;
    await writeSparse(path, "first\nsecond\n", sizeBytes, "\nlast but one\nlast\n");
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path) });
    const head = await store.handles.read(id, "a", lines(0, 2));
    assert.deepEqual([head.content, head.total, head.more], ["first\nsecond", null, true]);
    const tail = await store.handles.read(id, "a", lines(-2, 1));
    assert.deepEqual([tail.content, tail.offset, tail.returned, tail.more], ["last but one", -2, 1, true]);
    const last = await store.handles.read(id, "a", lines(tail.offset + tail.returned, 5));
    assert.deepEqual([last.content, last.more, last.endByte], ["last", false, sizeBytes]);
    const bytes = await store.handles.read(id, "a", { unit: "bytes", offset: -5, limit: 100 });
    assert.deepEqual([bytes.content, bytes.offset, bytes.total], ["last\n", sizeBytes - 5, sizeBytes]);
  }),
);

Deno.test(
  "lines deep in a file above 64 MiB are found, and counted once the end was seen",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/long.log`;
    const block = Array.from({ length: 10_000 }, (_, index) => `${String(index).padStart(9)} ${"é".repeat(60)}\n`).join(
      "",
    );
    const blocks = Math.ceil(65 * MIB / new TextEncoder().encode(block).length);
    await Deno.writeTextFile(path, block.repeat(blocks) + "unfinished");
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path) });
    const total = blocks * 10_000 + 1;
    const at = async (offset: number) => await store.handles.read(id, "a", lines(offset, 1));
    const deep = await at(total - 20_002);
    assert.deepEqual([deep.content.trim().split(" ")[0], deep.total], ["9999", null]);
    assert.equal((await at(12_345)).content.trim().split(" ")[0], "2345");
    assert.deepEqual(await at(total).then(({ content, total, more }) => [content, total, more]), ["", total, false]);
    assert.deepEqual(await at(-1).then(({ content, offset }) => [content, offset]), ["unfinished", total - 1]);
  }),
);

Deno.test(
  "readers of one handle at the same time get their own lines",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const payload = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join("");
    const id = store.handles.put({ kind: "cmd", owner: "a", payload });
    const wanted = Array.from({ length: 40 }, (_, index) => (index * 7_919) % 200_000);
    const slices = await Promise.all(wanted.map((offset) => store.handles.read(id, "a", lines(offset, 1))));
    assert.deepEqual(slices.map(({ content }) => content), wanted.map((offset) => `line ${offset}`));
  }),
);

Deno.test(
  "a reading of a huge file stops when it is cancelled",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/huge.log`;
    await writeSparse(path, "first\n", 64 * 1024 * MIB, "\nlast\n");
    const id = store.handles.reference({ kind: "file", owner: "a", source: await stampOf(path) });
    const before = await bytesRead();
    await assert.rejects(store.handles.read(id, "a", lines(3, 1), AbortSignal.timeout(30)), { name: "TimeoutError" });
    assert.ok(await bytesRead() - before < 16 * 1024 * MIB, "most of the file was not read");
  }),
);

/** Bytes that this process has read so far, of whatever file. */
async function bytesRead(): Promise<number> {
  return Number((await Deno.readTextFile("/proc/self/io")).match(/^rchar: (\d+)$/m)?.[1]);
}
