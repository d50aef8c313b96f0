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
