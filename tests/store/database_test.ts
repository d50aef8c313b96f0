import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { openSqlite } from "../../src/sys/database.ts";
import { namesIn, openStore, startProgram, withDirectory } from "./support.ts";

const put = (store: ReturnType<typeof openStore>) => store.handles.put({ kind: "cmd", owner: "a", payload: "text" });
const read = (store: ReturnType<typeof openStore>, id: string) =>
  store.handles.read(id, "a", { unit: "lines", offset: 0, limit: 1 });
const names = (directory: string, pattern: RegExp) => namesIn(directory).filter((name) => pattern.test(name)).sort();
const code = (expected: string) => (error: unknown) => error instanceof OpsError && error.code === expected;
const at = Date.UTC(2026, 0, 2, 3, 4, 5);

for (
  const [what, spoil] of [
    ["is something else", (path: string) => Deno.writeTextFileSync(path, "this was never a database. ".repeat(500))],
    ["is cut short", (path: string) => Deno.truncateSync(path, Math.floor(Deno.statSync(path).size / 2) + 100)],
    ["has other tables", (path: string) => {
      Deno.removeSync(path);
      const database = openSqlite(path);
      database.exec("create table handles (x)");
      database.close();
    }],
  ] as const
) {
  Deno.test(
    `a database that ${what} is set aside and a new one started`,
    withDirectory(async (dataDir) => {
      {
        using store = openStore({ dataDir });
        for (let index = 0; index < 300; index++) put(store);
      }
      spoil(`${dataDir}/llmc.db`);
      using store = openStore({ dataDir, now: () => at });
      const id = put(store);
      assert.equal((await read(store, id)).content, "text");
      assert.equal(store.handles.list().length, 1);
      assert.deepEqual(names(dataDir, /corrupt/), ["llmc.db.corrupt-20260102T030405Z"]);
      assert.equal(store.warnings.length, 1);
      assert.match(store.warnings[0] ?? "", /llmc\.db\.corrupt-20260102T030405Z and started a new one/);
    }),
  );
}

Deno.test(
  "a database of a newer version is kept untouched beside a new one",
  withDirectory((dataDir) => {
    {
      using store = openStore({ dataDir });
      put(store);
      store.database.read((prepare) => prepare("pragma user_version = 99").run());
    }
    using store = openStore({ dataDir, now: () => at });
    put(store);
    assert.equal(store.handles.list().length, 1);
    assert.deepEqual(names(dataDir, /newer/), ["llmc.db.newer-20260102T030405Z"]);
  }),
);

Deno.test(
  "damage that shows while running costs what was stored, not the call",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    for (let index = 0; index < 300; index++) put(store);
    store.database.read((prepare) => prepare("pragma wal_checkpoint(truncate)").all());
    const size = (await Deno.stat(`${dataDir}/llmc.db`)).size;
    using file = await Deno.open(`${dataDir}/llmc.db`, { write: true });
    for (let page = 4096; page < size; page += 4096) {
      await file.seek(page, Deno.SeekMode.Start);
      await file.write(new Uint8Array(4096).fill(0xa5));
    }
    const other = openSqlite(`${dataDir}/llmc.db`);
    other.exec("pragma user_version = 1"); // a change by somebody else: the good pages in memory are not used any more
    other.close();
    const id = put(store);
    assert.equal((await read(store, id)).content, "text");
    assert.equal(names(dataDir, /corrupt/).length, 1);
  }),
);

Deno.test(
  "of processes that meet a damaged database one replaces it",
  withDirectory(async (dataDir) => {
    await Deno.writeTextFile(`${dataDir}/llmc.db`, "this was never a database. ".repeat(500));
    const children = ["one", "two", "three"].map((owner) => startProgram("put_handles.ts", [dataDir, owner, "30"]));
    const outputs = await Promise.all(children.map((child) => child.output()));
    assert.ok(outputs.every(({ success }) => success));
    using store = openStore({ dataDir });
    assert.equal(store.handles.list().length, 90);
    assert.equal(names(dataDir, /^llmc\.db\.corrupt-\w+$/).length, 1);
  }),
);

Deno.test(
  "a data directory that is deleted under a running server is made anew",
  withDirectory(async (directory) => {
    const dataDir = `${directory}/data`;
    using store = openStore({ dataDir });
    put(store);
    await Deno.remove(dataDir, { recursive: true });
    const id = put(store);
    assert.equal((await read(store, id)).content, "text");
    const large = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(400_000) });
    assert.deepEqual(names(`${dataDir}/blobs`, /./), [large]);
  }),
);

Deno.test(
  "a data directory that cannot be used refuses puts with a hint, and is tried again",
  withDirectory((directory) => {
    let now = at;
    const dataDir = `${directory}/data`;
    Deno.writeTextFileSync(dataDir, "a file where the directory should be");
    using store = openStore({ dataDir, now: () => now });
    assert.throws(() => put(store), (error) => {
      assert.ok(error instanceof OpsError);
      assert.equal(error.code, "WRITE_FAILED");
      assert.match(error.hint, /mcp\.data_dir/);
      assert.ok(!error.message.includes(directory));
      return true;
    });
    assert.throws(() => store.handles.list(), code("HANDLE_NOT_FOUND"));
    assert.doesNotThrow(() => store.handles.sweep());
    Deno.removeSync(dataDir);
    assert.throws(() => put(store), code("WRITE_FAILED"));
    now += 2_001;
    put(store);
    assert.equal(store.handles.list().length, 1);
  }),
);

Deno.test(
  "a full disk refuses puts, and what is there can be read",
  withDirectory(async (dataDir) => {
    const program = new URL("fill_disk.ts", import.meta.url).pathname;
    // A limit on the size of files stands for the full disk: both fail the write, and this one needs no mount.
    const limited = `trap '' XFSZ; ulimit -f 4096; exec "$0" run -A --no-check --quiet "$1" "$2"`;
    const command = new Deno.Command("sh", { args: ["-c", limited, Deno.execPath(), program, dataDir] });
    const { stdout, stderr } = await command.output();
    const told = JSON.parse(new TextDecoder().decode(stdout) || `"${new TextDecoder().decode(stderr)}"`);
    assert.equal(told.code, "WRITE_FAILED");
    assert.match(told.message, /cannot be written/);
    assert.ok(told.kept > 5 && told.read === 50_000);
    using store = openStore({ dataDir });
    assert.equal(store.handles.list().length, told.kept);
  }),
);
