import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { namesIn, openStore, stampOf, withDirectory } from "./support.ts";

const LARGE = 400_000;
const code = (expected: string) => (error: unknown) => error instanceof OpsError && error.code === expected;
const lines = (offset: number, limit: number) => ({ unit: "lines", offset, limit }) as const;
const bytes = (offset: number, limit: number) => ({ unit: "bytes", offset, limit }) as const;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n") + "\n";

Deno.test(
  "an id names kind and time and has 100 random bits",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, now: () => Date.UTC(2025, 11, 1, 18, 0, 0) });
    const ids = Array.from({ length: 200 }, () => store.handles.put({ kind: "srch", owner: "a", payload: "x" }));
    for (const id of ids) assert.match(id, /^H_srch_20251201T180000Z_[a-z2-7]{20}$/);
    assert.equal(new Set(ids).size, ids.length);
  }),
);

for (const [size, count] of [["small", 50], ["large", 60_000]] as const) {
  Deno.test(
    `a ${size} payload reads back line by line, with the exact total`,
    withDirectory(async (dataDir) => {
      using store = openStore({ dataDir });
      const payload = numbered(count);
      const id = store.handles.put({ kind: "file", owner: "a", payload, meta: { path: "x.ts" } });
      const slice = await store.handles.read(id, "a", lines(3, 2));
      assert.equal(slice.content, "line 3\nline 4");
      assert.deepEqual([slice.offset, slice.returned, slice.total, slice.more], [3, 2, count, true]);
      assert.deepEqual([slice.kind, slice.meta, slice.stale], ["file", { path: "x.ts" }, false]);
      const last = await store.handles.read(id, "a", lines(-2, 10));
      assert.equal(last.content, `line ${count - 2}\nline ${count - 1}`);
      assert.deepEqual([last.offset, last.returned, last.more], [count - 2, 2, false]);
      const beyond = await store.handles.read(id, "a", lines(count + 5, 10));
      assert.deepEqual([beyond.content, beyond.returned, beyond.more], ["", 0, false]);
    }),
  );

  Deno.test(
    `a ${size} payload reads back whole by following offset + returned`,
    withDirectory(async (dataDir) => {
      using store = openStore({ dataDir });
      const payload = numbered(count).replaceAll("7", "ñ€😀");
      const id = store.handles.put({ kind: "file", owner: "a", payload });
      for (const unit of ["lines", "bytes"] as const) {
        let whole = "", offset = 0, more = true;
        while (more) {
          const slice = await store.handles.read(id, "a", { unit, offset, limit: 9_973 });
          assert.equal(slice.offset, offset);
          whole += slice.content + (unit === "lines" ? "\n" : "");
          offset += slice.returned;
          more = slice.more;
        }
        assert.ok(whole === payload, unit);
      }
    }),
  );
}

Deno.test(
  "bytes that are not text come back as bytes do, with their exact count",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({
      kind: "cmd",
      owner: "a",
      payload: Uint8Array.of(0x41, 0xff, 0x80, 0x42, 0xe2, 0x82),
    });
    const slice = await store.handles.read(id, "a", bytes(1, 2));
    assert.deepEqual([slice.content, slice.returned, slice.total], ["\ufffd\ufffd", 2, 6]);
  }),
);

Deno.test(
  "no cut at any byte breaks a character",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const text = "aé€😀b";
    const size = new TextEncoder().encode(text).length;
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: text });
    for (let offset = -size; offset < size; offset++) {
      for (let limit = 1; limit <= size; limit++) {
        const slice = await store.handles.read(id, "a", bytes(offset, limit));
        assert.ok(!slice.content.includes("\ufffd"), `${offset} ${limit}`);
        assert.ok(text.includes(slice.content) && slice.returned > 0, `${offset} ${limit}`);
      }
    }
  }),
);

Deno.test(
  "an empty payload is a handle of no lines",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "" });
    const slice = await store.handles.read(id, "a", lines(0, 10));
    assert.deepEqual([slice.content, slice.returned, slice.total, slice.more], ["", 0, 0, false]);
  }),
);

Deno.test(
  "a byte order mark is not part of the first line",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "file", owner: "a", payload: "\ufeffone\r\ntwo\r\n" });
    const slice = await store.handles.read(id, "a", lines(0, 10));
    assert.deepEqual([slice.content, slice.total], ["one\ntwo", 2]);
  }),
);

Deno.test(
  "files with carriage returns alone have lines",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "file", owner: "a", payload: "one\rtwo\rthree" });
    const slice = await store.handles.read(id, "a", lines(1, 1));
    assert.deepEqual([slice.content, slice.total, slice.more], ["two", 3, true]);
  }),
);

Deno.test(
  "a slice stays under 1 MiB and goes on at the right line",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const payload = ("€".repeat(1_900) + "\n").repeat(1_000);
    const id = store.handles.put({ kind: "cmd", owner: "a", payload });
    const first = await store.handles.read(id, "a", lines(0, 1_000_000));
    assert.ok(new TextEncoder().encode(first.content).length <= 1024 * 1024);
    assert.ok(first.returned > 100 && first.more);
    assert.equal(first.endByte, first.returned * (1_900 * 3 + 1));
    const rest = await store.handles.read(id, "a", bytes(0, 1_000_000_000));
    assert.ok(rest.returned <= 1024 * 1024 && rest.more);
  }),
);

Deno.test(
  "a token budget ends a slice of lines early",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: numbered(1_000) });
    const slice = await store.handles.read(id, "a", { unit: "lines", offset: 10, limit: 500, maxTokens: 100 });
    assert.ok(slice.returned >= 10 && slice.returned < 100);
    assert.ok(slice.content.startsWith("line 10\n") && slice.content.endsWith(`line ${9 + slice.returned}`));
  }),
);

Deno.test(
  "a line of many megabytes is cut with a mark, and what follows is found",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "x".repeat(5_000_000) + "\nend\n" });
    const slice = await store.handles.read(id, "a", lines(0, 5));
    assert.match(slice.content, /^x{2000}…\[\+\d+\]\nend$/);
    assert.equal(slice.cutLines, 1);
  }),
);

Deno.test(
  "a handle of another owner answers like one that does not exist",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "alice", payload: "secret" });
    const missing = id.replace(/.{4}$/, "aaaa");
    const answer = (wanted: string) =>
      store.handles.read(wanted, "bob", lines(0, 1)).then(
        () => "read",
        (error) => [error.code, error.message, error.hint],
      );
    const [foreign, none] = [await answer(id), await answer(missing)];
    assert.deepEqual(foreign, [
      "HANDLE_NOT_FOUND",
      `Handle ${id} does not exist.`,
      new OpsError("HANDLE_NOT_FOUND", "").hint,
    ]);
    assert.deepEqual(none, [foreign[0], `Handle ${missing} does not exist.`, foreign[2]]);
    assert.equal(store.handles.remove(id, "bob"), false);
    assert.deepEqual(store.handles.list("bob"), []);
    assert.equal((await store.handles.read(id, "alice", lines(0, 1))).content, "secret");
  }),
);

Deno.test(
  "the operator reads, lists and removes every handle",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const first = store.handles.put({ kind: "cmd", owner: "alice", payload: "1", meta: { a: 1 } });
    const second = store.handles.put({ kind: "file", owner: "bob", payload: "22" });
    assert.deepEqual(store.handles.list().map(({ id }) => id), [second, first]);
    assert.deepEqual(store.handles.list("alice").map(({ id }) => id), [first]);
    assert.equal((await store.handles.read(first, "*", lines(0, 1))).content, "1");
    assert.equal(store.handles.remove(first, "*"), true);
    assert.equal(store.handles.remove(first, "*"), false);
    assert.throws(() => store.handles.info(first, "*"), code("HANDLE_NOT_FOUND"));
  }),
);

Deno.test(
  "ids that are no ids are not found, whatever they hold",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    for (const id of ["", "H_", "../blobs/x", "H_a_20251201T180000Z_' or 1=1", "x".repeat(100_000), "H_cmd\0"]) {
      await assert.rejects(store.handles.read(id, "*", lines(0, 1)), code("HANDLE_NOT_FOUND"));
      assert.equal(store.handles.remove(id, "*"), false);
    }
  }),
);

Deno.test(
  "an expired handle is gone at once, its file with the next put",
  withDirectory(async (dataDir) => {
    let now = 1_000_000;
    using store = openStore({ dataDir, ttlHours: 2, now: () => now });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) });
    now += 2 * 3_600_000 - 1;
    assert.equal(store.handles.info(id, "a").expiresMs, now + 1);
    now += 1;
    await assert.rejects(store.handles.read(id, "a", lines(0, 1)), code("HANDLE_NOT_FOUND"));
    assert.deepEqual(store.handles.list(), []);
    assert.equal(namesIn(`${dataDir}/blobs`).length, 1);
    const next = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) });
    assert.deepEqual(namesIn(`${dataDir}/blobs`), [next]);
  }),
);

Deno.test(
  "the oldest handles make room, by bytes, files and all",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, maxBytes: 2_000_000 });
    const ids = Array.from(
      { length: 8 },
      () => store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) }),
    );
    assert.deepEqual(store.handles.list().map(({ id }) => id), ids.slice(-4).reverse());
    assert.equal([...Deno.readDirSync(`${dataDir}/blobs`)].length, 4);
    const { handles, bytes: kept } = store.handles.usage();
    assert.ok(handles === 4 && kept >= 4 * LARGE && kept <= 2_000_000);
  }),
);

Deno.test(
  "handles of nothing are bounded too",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, maxBytes: 10_000 });
    for (let index = 0; index < 100; index++) store.handles.put({ kind: "cmd", owner: "a", payload: "" });
    const kept = store.handles.list().length;
    assert.ok(kept > 5 && kept < 20);
  }),
);

Deno.test(
  "a payload above the quota is refused and evicts nothing",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir, maxBytes: 1_000_000 });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "small" });
    assert.throws(
      () => store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(1_000_000) }),
      code("WRITE_FAILED"),
    );
    assert.equal(store.handles.info(id, "a").sizeBytes, 5);
  }),
);

Deno.test(
  "removing and expiring count down what is kept",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "small" });
    store.handles.put({ kind: "cmd", owner: "a", payload: "small" });
    store.handles.remove(id, "a");
    assert.equal(store.handles.usage().handles, 1);
  }),
);

Deno.test(
  "what is kept is private to its user",
  withDirectory((directory) => {
    const dataDir = `${directory}/new/data`;
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) });
    const mode = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
    for (const path of [dataDir, `${dataDir}/blobs`]) assert.equal(mode(path), 0o700, path);
    for (const path of ["llmc.db", "llmc.db-wal", "llmc.db-shm", `blobs/${id}`]) {
      assert.equal(mode(`${dataDir}/${path}`), 0o600, path);
    }
  }),
);

Deno.test(
  "a sweep removes payload files that no handle owns, finished or not",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) });
    for (const name of [id.replace(/.{4}$/, "aaaa"), `${id.replace(/.{4}$/, "bbbb")}.part`]) {
      await Deno.writeTextFile(`${dataDir}/blobs/${name}`, "left by a killed process");
    }
    store.handles.sweep();
    assert.deepEqual(namesIn(`${dataDir}/blobs`), [id]);
    assert.equal((await store.handles.read(id, "a", bytes(0, 10))).returned, 10);
    assert.deepEqual(store.warnings, []);
  }),
);

Deno.test(
  "sweeps give the space of removed handles back",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir });
    const ids = Array.from(
      { length: 40 },
      () => store.handles.put({ kind: "c", owner: "a", payload: "z".repeat(200_000) }),
    );
    const size = () => Number(store.database.read((prepare) => prepare("pragma page_count").get())?.page_count);
    const full = size();
    for (const id of ids) store.handles.remove(id, "a");
    store.handles.sweep();
    assert.ok(size() < full / 4, `${size()} of ${full}`);
  }),
);

Deno.test(
  "a payload file that is cut short or missing is a handle that does not exist",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const id = store.handles.put({ kind: "cmd", owner: "a", payload: "y".repeat(LARGE) });
    await Deno.truncate(`${dataDir}/blobs/${id}`, 1_000);
    await assert.rejects(store.handles.read(id, "a", bytes(0, 10)), code("HANDLE_NOT_FOUND"));
    await Deno.remove(`${dataDir}/blobs/${id}`);
    await assert.rejects(store.handles.read(id, "a", bytes(0, 10)), code("HANDLE_NOT_FOUND"));
  }),
);

Deno.test(
  "a copy says when its file changed or went, and still reads",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/source.txt`;
    await Deno.writeTextFile(path, "before\n");
    const source = await stampOf(path, "7c211433f02071597741e6ff5a8ea34789abbf43c2c3a04b9f6d5e5bdc3a1b1c");
    const id = store.handles.put({ kind: "file", owner: "a", payload: "before\n", source });
    const look = async () => {
      const { stale, content } = await store.handles.read(id, "a", lines(0, 9));
      assert.equal(content, "before");
      return stale;
    };
    assert.equal(await look(), false);
    await Deno.writeTextFile(path, "longer than before\n");
    assert.equal(await look(), true);
    await Deno.remove(path);
    assert.equal(await look(), true);
  }),
);

Deno.test(
  "a file that was only touched is not stale when its hash is known",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir });
    const path = `${dataDir}/source.txt`;
    await Deno.writeTextFile(path, "abc");
    const sha256 = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
    const known = store.handles.put({ kind: "f", owner: "a", payload: "abc", source: await stampOf(path, sha256) });
    const unknown = store.handles.put({ kind: "f", owner: "a", payload: "abc", source: await stampOf(path) });
    await Deno.utime(path, 1_000, 1_000);
    assert.equal((await store.handles.read(known, "a", lines(0, 9))).stale, false);
    assert.equal((await store.handles.read(unknown, "a", lines(0, 9))).stale, true);
    await Deno.writeTextFile(path, "abd");
    assert.equal((await store.handles.read(known, "a", lines(0, 9))).stale, true);
  }),
);

Deno.test(
  "the guard is asked at every reading, and its refusal counts as gone",
  withDirectory(async (dataDir) => {
    let allowed = true;
    const checkSource = (path: string) =>
      allowed ? Promise.resolve(path) : Promise.reject(new OpsError("INVALID_PATH", "outside"));
    using store = openStore({ dataDir, checkSource });
    const path = `${dataDir}/source.txt`;
    await Deno.writeTextFile(path, "abc");
    const source = await stampOf(path);
    const copy = store.handles.put({ kind: "f", owner: "a", payload: "abc", source });
    const reference = store.handles.reference({ kind: "f", owner: "a", source });
    allowed = false;
    assert.deepEqual(await store.handles.read(copy, "a", lines(0, 9)).then(({ stale, content }) => [stale, content]), [
      true,
      "abc",
    ]);
    await assert.rejects(store.handles.read(reference, "a", lines(0, 9)), code("INVALID_PATH"));
  }),
);

Deno.test(
  "the copy of a version of a file is found by its owner while it has half of its life ahead",
  withDirectory(async (dataDir) => {
    let nowMs = 0;
    using store = openStore({ dataDir, now: () => nowMs, ttlHours: 2 });
    await Deno.writeTextFile(`${dataDir}/a.txt`, "content");
    const source = { ...await stampOf(`${dataDir}/a.txt`), version: "1" };
    const request = { kind: "file", owner: "a", source, meta: { path: "a.txt" } };
    assert.equal(store.handles.copyOf(request), null);
    const id = store.handles.put({ ...request, payload: "content" });
    assert.equal(store.handles.copyOf(request), id);
    for (
      const other of [
        { ...request, owner: "b" },
        { ...request, meta: { path: "b.txt" } },
        { ...request, source: { ...source, version: "2" } },
        { ...request, source: { ...source, path: `${dataDir}/b.txt` } },
      ]
    ) assert.equal(store.handles.copyOf(other), null);
    const { version: _, ...unversioned } = source;
    store.handles.put({ ...request, source: unversioned, payload: "content" });
    assert.equal(store.handles.copyOf({ ...request, source: unversioned }), null);
    nowMs = 3_600_000;
    assert.equal(store.handles.copyOf(request), id);
    nowMs++;
    assert.equal(store.handles.copyOf(request), null);
  }),
);

Deno.test(
  "a copy that made room for others is not found",
  withDirectory(async (dataDir) => {
    using store = openStore({ dataDir, maxBytes: 4_000 });
    await Deno.writeTextFile(`${dataDir}/a.txt`, "content");
    const request = { kind: "file", owner: "a", source: { ...await stampOf(`${dataDir}/a.txt`), version: "1" } };
    store.handles.put({ ...request, payload: "content" });
    store.handles.put({ kind: "file", owner: "a", payload: "x".repeat(3_000) });
    assert.equal(store.handles.copyOf(request), null);
  }),
);
