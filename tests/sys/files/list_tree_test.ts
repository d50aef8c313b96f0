import assert from "node:assert/strict";
import { pathTest } from "../../../src/sys/files/globs.ts";
import { listAll, listTree, type TreeRequest } from "../../../src/sys/files/list_tree.ts";
import { walkRoot } from "../../../src/sys/files/walk.ts";
import { tempTree } from "../../support/temp_tree.ts";

const NEVER = new AbortController().signal;
const DEFAULTS: TreeRequest = {
  depth: 2,
  maxEntries: 500,
  includeHidden: false,
  respectIgnore: false,
  closed: [],
  filter: null,
};

async function withTree(files: Record<string, string>, test: (root: string) => Promise<void>): Promise<void> {
  await using tree = await tempTree(files);
  await test(tree.root);
}

async function list(root: string, request: Partial<TreeRequest> = {}) {
  const full = { ...DEFAULTS, ...request };
  return await listTree(walkRoot(root, full), full, NEVER);
}

const paths = ({ entries }: { entries: readonly { path: string }[] }) => entries.map(({ path }) => path);

Deno.test("listTree sorts, puts directories first and stops at the depth", async () => {
  await withTree({ "b.txt": "", "a.txt": "12345", "z/in.txt": "", "z/deep/er.txt": "", "c/": "" }, async (root) => {
    const tree = await list(root);
    assert.deepEqual(paths(tree), ["c", "z", "z/deep", "z/in.txt", "a.txt", "b.txt"]);
    assert.deepEqual(tree.entries.map(({ type }) => type), ["dir", "dir", "dir", "file", "file", "file"]);
    assert.equal(tree.entries[4]?.sizeBytes, 5);
    assert.equal(tree.truncated, false);
    assert.deepEqual(paths(await list(root, { depth: 1 })), ["c", "z", "a.txt", "b.txt"]);
  });
});

Deno.test("listTree lists links as links, with their targets, and does not follow them", async () => {
  await withTree({ "real/in.txt": "" }, async (root) => {
    await Deno.symlink("real", `${root}/link`);
    await Deno.symlink("/nowhere", `${root}/dangling`);
    await Deno.symlink("..", `${root}/real/up`);
    const { entries } = await list(root, { depth: 9 });
    assert.deepEqual(entries.map(({ path, type, target }) => [path, type, target]), [
      ["real", "dir", undefined],
      ["real/in.txt", "file", undefined],
      ["real/up", "symlink", ".."],
      ["dangling", "symlink", "/nowhere"],
      ["link", "symlink", "real"],
    ]);
  });
});

Deno.test("listTree counts what it leaves out, per directory, and shows every top-level entry first", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`many/${1000 + index}`, ""]));
  await withTree({ ...files, "few/a": "", "few/b": "", "top.txt": "" }, async (root) => {
    const tree = await list(root, { maxEntries: 50 });
    assert.equal(tree.entries.length, 50);
    assert.equal(tree.truncated, true);
    for (const path of ["few", "few/a", "few/b", "many", "top.txt"]) assert.ok(paths(tree).includes(path), path);
    assert.deepEqual(tree.omitted, [{ path: "many", count: 300 - 45, fault: null }]);
    const tiny = await list(root, { maxEntries: 2 });
    assert.deepEqual([paths(tiny), tiny.unopened], [["few", "many"], 2]);
    assert.deepEqual(tiny.omitted, [{ path: "", count: 1, fault: null }]);
  });
});

Deno.test("listTree leaves out hidden and ignored entries and says how many", async () => {
  const files = {
    ".hidden": "",
    ".gitignore": "*.log\n/build/\n!keep.log\n",
    "a.log": "",
    "keep.log": "",
    "build/out": "",
    "src/.gitignore": "gen*\n!a.log",
    "src/gen1": "",
    "src/a.log": "",
    "src/build/x": "",
  };
  await withTree(files, async (root) => {
    const plain = await list(root);
    assert.equal(plain.hidden, 3);
    assert.ok(paths(plain).includes("a.log"));
    const kept = await list(root, { respectIgnore: true, depth: 9 });
    assert.deepEqual(paths(kept), ["src", "src/build", "src/build/x", "src/a.log", "keep.log"]);
    assert.equal(kept.ignored, 3);
    const below = await list(`${root}/src`, { respectIgnore: true, includeHidden: true });
    assert.deepEqual(paths(below), ["build", "build/x", ".gitignore", "a.log"]);
  });
});

Deno.test("listTree with a filter lists the files that pass, wherever they are", async () => {
  await withTree({ "a.ts": "", "b.js": "", "src/c.ts": "", "src/lib/d.ts": "", "ts/e": "" }, async (root) => {
    assert.deepEqual(paths(await list(root, { filter: pathTest("*.ts"), depth: 9 })), [
      "a.ts",
      "src/c.ts",
      "src/lib/d.ts",
    ]);
    assert.deepEqual(paths(await list(root, { filter: pathTest("src/*.ts") })), ["src/c.ts"]);
    const first = await list(root, { filter: pathTest("*.ts"), depth: 9, maxEntries: 1 });
    assert.deepEqual([paths(first), first.truncated], [["a.ts"], true]);
    const all = await list(root, { filter: pathTest("*.js"), maxEntries: 1 });
    assert.deepEqual([paths(all), all.truncated], [["b.js"], false]);
  });
});

Deno.test("listTree does not enter closed directories", async () => {
  await withTree({ "data/secret.txt": "", "a.txt": "" }, async (root) => {
    const closed = [`${root}/data`];
    assert.deepEqual(paths(await list(root, { closed, depth: 9 })), ["data", "a.txt"]);
    assert.deepEqual(paths(await list(root, { closed, depth: 9, filter: pathTest("*.txt") })), ["a.txt"]);
  });
});

Deno.test("listTree reports what it cannot read and goes on", async () => {
  await withTree({ "a/x": "", "b/y": "" }, async (root) => {
    const request = { ...DEFAULTS, maxEntries: 500 };
    const start = walkRoot(root, request);
    const gone = await listTree({ ...start, path: `${root}/missing` }, request, NEVER);
    assert.deepEqual(gone.omitted, [{ path: "", count: 0, fault: "vanished" }]);
    if (Deno.uid() === 0) return; // root may read everything
    await Deno.chmod(`${root}/a`, 0);
    const tree = await list(root);
    assert.deepEqual(paths(tree), ["a", "b", "b/y"]);
    assert.deepEqual(tree.omitted, [{ path: "a", count: 0, fault: "permission denied" }]);
    await Deno.chmod(`${root}/a`, 0o755);
  });
});

Deno.test("listTree stops when told to", async () => {
  await withTree({ "a/x": "" }, async (root) => {
    await assert.rejects(listTree(walkRoot(root, DEFAULTS), DEFAULTS, AbortSignal.abort(new Error("enough"))), {
      message: "enough",
    });
  });
});

Deno.test("listing 100,000 files stops at its bound, lists all when asked, and lets others work meanwhile", async () => {
  const inMemory = await Deno.stat("/dev/shm").then(() => true, () => false);
  const dir = await Deno.makeTempDir(inMemory ? { dir: "/dev/shm" } : {});
  try {
    const script = "for a in $(seq 100); do mkdir d$a; (cd d$a && touch $(seq -f f%g.txt 1000)); done";
    await new Deno.Command("sh", { args: ["-c", script], cwd: dir }).output();
    const root = await Deno.realPath(dir);
    assert.equal((await list(root)).entries.length, 500);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const request = { ...DEFAULTS, depth: 9, maxEntries: 1e6 };
    const all = await listAll(walkRoot(root, request), request, NEVER);
    clearInterval(timer);
    assert.deepEqual([all.paths.length, all.complete], [100_100, true]);
    assert.ok(turns >= 5, `the event loop turned ${turns} times`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
