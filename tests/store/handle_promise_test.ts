import assert from "node:assert/strict";
import { openStore, withDirectory } from "./support.ts";

const range = { unit: "lines", offset: 0, limit: 10 } as const;

Deno.test(
  "a promised handle has its id at once, and a reader waits for its payload",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const making = Promise.withResolvers<string>();
    const id = store.handles.promise({ kind: "list", owner: "a", meta: { path: "." } }, making.promise);
    const reading = store.handles.read(id, "a", range);
    making.resolve("one\ntwo\n");
    const { content, total, meta } = await reading;
    assert.deepEqual([content, total, meta], ["one\ntwo", 2, { path: "." }]);
    assert.deepEqual(store.handles.list("a").map((handle) => handle.id), [id]);
    await assert.rejects(store.handles.read(id, "b", range), { code: "HANDLE_NOT_FOUND" });
  }),
);

Deno.test(
  "a promised handle whose making fails is as if it had never been, and the operator is told",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.promise({ kind: "list", owner: "a" }, Promise.reject(new Error("the walk was too long")));
    await assert.rejects(store.handles.read(id, "a", range), { code: "HANDLE_NOT_FOUND" });
    assert.match(store.warnings.join(), /the walk was too long/);
  }),
);

Deno.test(
  "a promised handle that is larger than the quota is refused at once",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir, maxBytes: 10_000 });
    const promise = (bytes: number) =>
      store.handles.promise({ kind: "cmd", owner: "a" }, Promise.resolve("x".repeat(bytes)), bytes);
    assert.throws(() => promise(10_000), { code: "WRITE_FAILED" });
    assert.equal((await store.handles.read(promise(5_000), "a", { ...range, unit: "bytes" })).total, 5_000);
  }),
);

Deno.test(
  "a copy of a file that is still being made is found by those who page through the file",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const source = { path: "/a", sizeBytes: 4, mtimeMs: 0, version: "1" },
      request = { kind: "file", owner: "a", source };
    const making = Promise.withResolvers<string>();
    const id = store.handles.promise(request, making.promise);
    assert.equal(store.handles.copyOf(request), id);
    making.resolve("text");
    assert.equal((await store.handles.read(id, "a", range)).content, "text");
    assert.equal(store.handles.copyOf(request), id);
  }),
);
