import assert from "node:assert/strict";
import { AMPLE_BYTES, linesOf, namesIn, openStore, startProgram, withDirectory } from "./support.ts";

/** Reads each handle back and compares it with what its process put there. */
async function assertWhole(dataDir: string, ids: readonly string[]): Promise<void> {
  using store = openStore({ dataDir, maxBytes: AMPLE_BYTES });
  for (const id of ids) {
    const { meta, total, content } = await store.handles.read(id, "*", { unit: "bytes", offset: 0, limit: 1 << 20 });
    const payload = `${meta.first}\n`.repeat(Number(meta.bytes) / (String(meta.first).length + 1));
    assert.ok(content === payload && total === new TextEncoder().encode(payload).length, id);
  }
  store.handles.sweep();
  const { handles } = store.handles.usage();
  assert.equal(handles, store.handles.list().length);
  const large = store.handles.list().filter(({ sizeBytes }) => sizeBytes > 256 * 1024).map(({ id }) => id);
  assert.deepEqual(namesIn(`${dataDir}/blobs`).sort(), large.sort());
  assert.deepEqual(store.warnings, []);
}

Deno.test(
  "every id that a killed process returned reads back whole",
  withDirectory(async (dataDir) => {
    const ids: string[] = [];
    for (const killAfter of [1, 2, 5, 11, 23, 40]) {
      const child = startProgram("put_handles.ts", [dataDir, `killed${killAfter}`, "1000000"]);
      let seen = 0;
      for await (const id of linesOf(child)) {
        ids.push(id);
        if (++seen === killAfter) child.kill("SIGKILL");
      }
      assert.equal((await child.status).signal, "SIGKILL");
    }
    assert.ok(ids.length >= 82);
    await assertWhole(dataDir, ids);
  }),
);

Deno.test(
  "processes that share a data directory lose nothing of each other",
  withDirectory(async (dataDir) => {
    const put = async (owner: string): Promise<string[]> => {
      const child = startProgram("put_handles.ts", [dataDir, owner, "60"]);
      const ids = await Array.fromAsync(linesOf(child));
      assert.ok((await child.status).success);
      return ids;
    };
    const ids = await Promise.all(["one", "two", "three"].map(put));
    assert.deepEqual(ids.map(({ length }) => length), [60, 60, 60]);
    await assertWhole(dataDir, ids.flat());
  }),
);
