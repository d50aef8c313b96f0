/// <reference lib="deno.unstable" />
/** The index survives kills, damage, other servers, and a data directory that it may not write. @module */
import { openDatabase } from "../../src/sys/database.ts";
import { INDEX_FORMAT } from "../../src/code_search/index_schema.ts";
import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { makeFileEntry } from "../../src/code_search/file_entry.ts";
import { indexPath } from "../../src/code_search/index_database.ts";
import { type IndexerVerbs, makeIndexer } from "../../src/code_search/indexer.ts";
import { putFile } from "../../src/code_search/index_writer.ts";
import { LEASE_MS, makeLease } from "../../src/code_search/lease.ts";
import { makeStems } from "../../src/code_search/words.ts";
import type { IndexFiles } from "../../src/sys/files/index_files.ts";
import { openTestIndex, testFiles, testGrammars, testIndex } from "./test_index.ts";

const tree = (count: number, word: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [
    `src/part${at % 7}/file${at}.ts`,
    `/** Folds ${word} number ${at}. */\nexport function fold${at}(paper: string) {\n  return paper + "${word}";\n}\n`,
  ]));

/** Everything that an index holds, without what differs from run to run. */
async function contentOf(dataDir: string, root: string): Promise<unknown> {
  const index = openDatabase(await indexPath(dataDir, root), INDEX_FORMAT);
  try {
    const all = (sql: string) => index.prepare(sql).all().map((row) => JSON.stringify(row)).sort();
    return {
      files: all("select path, hash, chunks from files"),
      chunks: all(`select f.path, c.ordinal, c.symbol, c.start_line, c.end_line, w.name, w.body from chunks c
        join files f on f.id = c.file_id join chunk_words w on w.rowid = c.id`),
      words: all("select count(*) as n from chunk_words"),
      orphans: all("select * from chunks where file_id not in (select id from files)"),
      ranges: all(`select f.path from files f where chunks > 0 and (first_chunk, chunks) != (
        select min(id), max(id) - min(id) + 1 from chunks where file_id = f.id)`),
      names: all("select name, count(*) as n from names group by name"),
    };
  } finally {
    index.close();
  }
}

Deno.test("killed in the middle of indexing, it goes on and ends with the same index", async () => {
  await using test = await testIndex(tree(400, "crane"));
  const script = new URL("./indexing_child.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, test.root, test.dataDir],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read(); // it says when a part of the files is in
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  const before = (await test.index.status())[0];
  assert.equal(before?.state, "indexing");
  assert.ok(before.files > 0 && before.files < 400, `${before.files} files were in when it was killed`);
  const answer = await test.index.search({ q: "folds crane number 3", scope: "both", k: 3, budgetTokens: 600 });
  assert.equal(answer.provenance, true);
  await test.index.sync();
  assert.equal((await test.index.status())[0]?.state, "ready");
  await using fresh = await testIndex({});
  const other = openTestIndex(test.root, fresh.dataDir);
  await other.index.sync();
  await other.index.close();
  assert.deepEqual(await contentOf(test.dataDir, test.root), await contentOf(fresh.dataDir, test.root));
});

Deno.test("two servers on one index at once do not harm it and both see every file", async () => {
  await using test = await testIndex(tree(200, "boat"));
  const other = openTestIndex(test.root, test.dataDir);
  await Promise.all([test.index.sync(), other.index.sync()]);
  for (let turn = 0; turn < 3; turn++) {
    await test.write(`src/part0/new${turn}.ts`, `/** Folds kite ${turn}. */\nexport function kite${turn}() {}\n`);
    await Promise.all([test.index.sync(), other.index.sync()]);
  }
  for (const index of [test.index, other.index]) {
    const { snippets } = await index.search({ q: "kite2", scope: "both", k: 1, budgetTokens: 600 });
    assert.match(snippets[0]?.src ?? "", /new2\.ts/);
    assert.equal((await index.status())[0]?.files, 203);
  }
  await using fresh = await testIndex({});
  const third = openTestIndex(test.root, fresh.dataDir);
  await third.index.sync();
  await third.index.close();
  assert.deepEqual(await contentOf(test.dataDir, test.root), await contentOf(fresh.dataDir, test.root));
  await other.index.close();
});

Deno.test("the lease of a server that was killed runs out, that of a living one does not", async () => {
  await using test = await testIndex(tree(1, "swan"));
  await test.index.sync();
  const index = openDatabase(await indexPath(test.dataDir, test.root), INDEX_FORMAT);
  let now = 1_000_000;
  const first = makeLease(index, "first", () => now), second = makeLease(index, "second", () => now);
  assert.equal(first.take(), true);
  now += LEASE_MS - 1;
  assert.equal(second.take(), false);
  assert.equal(first.take(), true);
  now += LEASE_MS + 1;
  assert.equal(second.take(), true);
  second.release();
  assert.equal(first.take(), true);
  index.close();
});

Deno.test("a damaged index is set aside and rebuilt, with a warning", async () => {
  await using test = await testIndex(tree(60, "fan"));
  await test.index.sync();
  await test.index.close();
  const path = await indexPath(test.dataDir, test.root);
  for (const damage of ["start", "middle", "text"]) {
    const bytes = damage === "text" ? new TextEncoder().encode("no database at all") : await Deno.readFile(path);
    if (damage === "start") bytes.fill(0x41, 0, 512);
    if (damage === "middle") bytes.fill(0x5a, 4_096);
    for (const ending of ["-wal", "-shm"]) await Deno.remove(path + ending).catch(() => {});
    await Deno.writeFile(path, bytes);
    const opened = openTestIndex(test.root, test.dataDir);
    await opened.index.sync();
    let answer = await opened.index.search({ q: "folds fan number 7", scope: "both", k: 1, budgetTokens: 600 });
    if (answer.snippets.length === 0) { // the damage was met by this very question
      await opened.index.sync();
      answer = await opened.index.search({ q: "folds fan number 7", scope: "both", k: 1, budgetTokens: 600 });
    }
    assert.match(answer.snippets[0]?.src ?? "", /file7\.ts/, damage);
    assert.match(answer.index.warnings?.join() ?? "", /corrupt.*rebuilt/, damage);
    await opened.index.close();
  }
  const names = await Array.fromAsync(Deno.readDir(`${test.dataDir}/index`), ({ name }) => name);
  assert.ok(names.some((name) => /\.corrupt-\d+$/.test(name)), "the damaged file is kept");
});

Deno.test("an index that is deleted while the server runs is made again", async () => {
  await using test = await testIndex(tree(20, "lotus"));
  assert.equal((await test.ask("folds lotus number 7")).snippets.length > 0, true);
  await Deno.remove(`${test.dataDir}/index`, { recursive: true });
  const { snippets, index } = await test.ask("folds lotus number 7");
  assert.match(snippets[0]?.src ?? "", /file7\.ts/);
  assert.equal(index.files, 20);
});

Deno.test("a data directory that cannot be written is told as INDEX_UNAVAILABLE, with what to do", async () => {
  await using test = await testIndex({ ...tree(2, "frog"), "../blocked": "a file, not a directory" });
  const { index } = openTestIndex(test.root, `${test.root}/../blocked/data`);
  await assert.rejects(index.search({ q: "frog", scope: "both", k: 1, budgetTokens: 600 }), (error) => {
    assert.ok(error instanceof OpsError);
    assert.equal(error.code, "INDEX_UNAVAILABLE");
    assert.match(error.message, /data directory cannot be written/);
    assert.match(error.hint, /mcp\.data_dir/);
    assert.ok(!error.message.includes("blocked"), "no path of the data directory");
    return true;
  });
  const { plan, index: state } = await index.bootload("s", "t");
  assert.ok(plan.length > 0);
  assert.match(state.warnings?.join() ?? "", /cannot be written/);
  await index.close();
});

Deno.test("a read-only data directory is told as INDEX_UNAVAILABLE to a server without the rights of root", async () => {
  await using test = await testIndex(tree(2, "toad"));
  const worker = new Worker(new URL("./read_only_child.ts", import.meta.url), {
    type: "module",
    deno: { permissions: { read: true, write: false, env: false, net: false, run: false, ffi: false, sys: false } },
  });
  const { promise, resolve } = Promise.withResolvers<MessageEvent>();
  worker.onmessage = resolve;
  worker.postMessage({ root: test.root, dataDir: test.dataDir });
  const { data } = await promise;
  worker.terminate();
  assert.equal(data.code, "INDEX_UNAVAILABLE");
  assert.match(data.message, /data directory cannot be written/);
});

Deno.test("an index that cannot be brought up to date still answers from what it has, and says so", async () => {
  await using test = await testIndex(tree(20, "heron"));
  await test.index.sync();
  const full: IndexerVerbs = {
    ...test.indexer,
    refresh: () => Promise.reject(new Error("database or disk is full")),
    close: () => Promise.resolve(),
  };
  const { index } = openTestIndex(test.root, test.dataDir, { indexer: full });
  const answer = await index.search({ q: "folds heron number 7", scope: "both", k: 1, budgetTokens: 600 });
  assert.match(answer.snippets[0]?.src ?? "", /file7\.ts/);
  assert.equal(answer.index.fresh, false);
  assert.match(answer.index.warnings?.join() ?? "", /disk of the data directory is full/);
  await index.close();
});

Deno.test("a question that waits for the index ends as soon as it is aborted", async () => {
  await using test = await testIndex(tree(5, "stork"));
  const slow: IndexerVerbs = { ...test.indexer, refresh: () => new Promise(() => {}), close: () => Promise.resolve() };
  const { index } = openTestIndex(test.root, test.dataDir, { indexer: slow });
  const abort = new AbortController();
  const asked = index.search({ q: "stork", scope: "both", k: 1, budgetTokens: 600, signal: abort.signal });
  abort.abort(new Error("no longer wanted"));
  await assert.rejects(asked, /no longer wanted/);
  await index.close();
});

Deno.test("a question that was aborted before it began leaves no failure behind that nobody hears of", async () => {
  await using test = await testIndex(tree(5, "stork"));
  const failing: IndexerVerbs = {
    ...test.indexer,
    refresh: () => Promise.reject(new Error("database or disk is full")),
    close: () => Promise.resolve(),
  };
  const { index } = openTestIndex(test.root, `${test.dataDir}/other`, { indexer: failing });
  const request = { q: "stork", scope: "both", k: 1, budgetTokens: 600 } as const;
  const signal = AbortSignal.abort(new Error("no longer wanted"));
  await assert.rejects(index.search({ ...request, signal }), /no longer wanted/);
  await assert.rejects(index.search(request), /disk of the data directory is full/); // by now the first has failed too
  await index.close();
});

Deno.test("what another run writes while a question is answered is in the answer", async () => {
  await using test = await testIndex({ "a.ts": "export function alpha() {}\n" });
  await test.ask("alpha");
  await test.write("b.ts", "/** Computes the zebra checksum. */\nexport function zebraChecksum() {}\n");
  const read = testFiles.read(`${test.root}/b.ts`, 1_000);
  assert.ok(read);
  const entry = await makeFileEntry("b.ts", read.text, { grammars: testGrammars, stems: makeStems() });
  const writer = openDatabase(await indexPath(test.dataDir, test.root), INDEX_FORMAT);
  const busy: IndexerVerbs = {
    ...test.indexer,
    refresh() { // another server commits while the first look is over and this one finds nothing to do
      writer.write(() => putFile(writer, { path: "b.ts", readMs: Date.now(), ...read }, entry));
      const report = {
        state: "ready",
        fresh: true,
        stale: [],
        done: 0,
        total: 0,
        indexedAt: null,
        warnings: [],
      } as const;
      return Promise.resolve(report);
    },
    close: () => Promise.resolve(),
  };
  const { index } = openTestIndex(test.root, test.dataDir, { indexer: busy });
  const { snippets } = await index.search({ q: "zebra checksum", scope: "both", k: 1, budgetTokens: 600 });
  assert.match(snippets[0]?.src ?? "", /b\.ts/);
  await index.close();
  writer.close();
});

Deno.test("damage that a run of the indexer does not meet is repaired too, and the question answered", async () => {
  await using test = await testIndex(tree(20, "zebra"));
  await test.index.sync();
  // What words lead to, of which a run without changes reads nothing; this runtime's SQLite refuses to break it.
  const script = `import sqlite3, sys
index = sqlite3.connect(sys.argv[1])
index.execute("update chunk_words_data set block = ? where id > 1", (b"\\xff" * 8,))
index.commit()`;
  const args = ["-c", script, await indexPath(test.dataDir, test.root)];
  assert.ok((await new Deno.Command("python3", { args }).output()).success);
  const slow: IndexerVerbs = { // its messages take a turn, as those of another thread do
    ...test.indexer,
    async replaceDamaged(root) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await test.indexer.replaceDamaged(root);
    },
    close: () => Promise.resolve(),
  };
  const { index } = openTestIndex(test.root, test.dataDir, { indexer: slow });
  const request = { q: "folds zebra number 7", scope: "both", k: 1, budgetTokens: 600 } as const;
  let answer = await index.search(request);
  for (let again = 0; !answer.index.fresh && again < 30; again++) answer = await index.search(request);
  assert.match(answer.snippets[0]?.src ?? "", /file7\.ts/);
  assert.match(answer.index.warnings?.join() ?? "", /corrupt.*rebuilt/);
  await index.close();
});

Deno.test("a file that another server indexes meanwhile stays in the index", async () => {
  await using test = await testIndex({ "a.ts": "export function alpha() {}\n" });
  await test.index.sync();
  const other = openTestIndex(test.root, test.dataDir);
  const real = testFiles;
  let looks = 0;
  const files: IndexFiles = {
    ...real,
    async scan(...scanned) {
      const found = await real.scan(...scanned);
      if (looks++ === 0) {
        await test.write("c.ts", "export function cobra() {}\n");
        await other.index.sync();
      }
      return found;
    },
  };
  await test.write("b.ts", "export function bison() {}\n");
  const grammars = testGrammars, maxFileBytes = 1024 * 1024;
  const indexer = makeIndexer({ dataDir: test.dataDir, files, grammars, maxFileBytes, now: Date.now });
  const { removed } = await indexer.sync(test.root, false);
  assert.equal(removed, 0);
  const answer = await other.index.search({ q: "cobra", scope: "both", k: 1, budgetTokens: 600 });
  assert.match(answer.snippets[0]?.src ?? "", /c\.ts/);
  await indexer.close();
  await other.index.close();
});

Deno.test("a rebuild forgets and indexes again, and a cancelled run keeps what it has", async () => {
  await using test = await testIndex(tree(300, "dove"));
  const abort = new AbortController();
  const seen: number[] = [];
  const running = test.index.sync({
    signal: abort.signal,
    progress: (done) => {
      seen.push(done);
      abort.abort(new Error("enough"));
    },
  });
  await running.catch((error) => assert.match(String(error), /cancelled|enough/));
  const report = await test.index.rebuild();
  assert.equal(report.added, 300);
  assert.equal((await test.index.status())[0]?.chunks, 300);
});

Deno.test("the index of a folder that nobody has asked about for two months goes, one that is in use stays", async () => {
  await using test = await testIndex(tree(3, "crane"));
  await using other = await testIndex(tree(2, "swan"), { dataDir: test.dataDir });
  await using forgotten = await testIndex(tree(2, "heron"), { dataDir: test.dataDir });
  for (const each of [other, forgotten]) {
    await each.index.sync();
    await each.index.close();
  }
  const age = async (each: { root: string }, days: number) => {
    const path = await indexPath(test.dataDir, each.root), then = new Date(Date.now() - days * 86_400_000);
    for (const ending of ["", ".corrupt-1"]) {
      if (ending !== "") await Deno.copyFile(path, path + ending);
      await Deno.utime(path + ending, then, then);
    }
    return path.slice(path.lastIndexOf("/") + 1);
  };
  const kept = await age(other, 59), gone = await age(forgotten, 61);
  await test.index.sync();
  const names = await Array.fromAsync(Deno.readDir(`${test.dataDir}/index`), ({ name }) => name);
  const of = (base: string) => names.filter((name) => name.startsWith(base) && !name.endsWith(".lock")).sort();
  assert.deepEqual(of(kept), [kept, `${kept}.corrupt-1`]);
  assert.deepEqual(of(gone), []);
});
