import assert from "node:assert/strict";
import { makeTestApp, type TestApp, type TestAppOptions } from "../../support/app.ts";

/** A test on an application of its own. */
function appTest(name: string, run: (test: TestApp) => Promise<void>, options: TestAppOptions = {}): void {
  Deno.test(name, async () => {
    await using test = await makeTestApp(options);
    await run(test);
  });
}

const OTHER = {
  owner: "someone",
  session: { agentId: "other-agent", sessionId: "0123456789", model: "m", budgetProfile: "default" },
};

/** The tree below the root: contents, modes, links, extended attributes are another test's. */
async function treeOf(root: string, below = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name } of Deno.readDir(`${root}${below}`)) {
    const path = `${below}/${name}`,
      info = await Deno.lstat(root + path),
      mode = ((info.mode ?? 0) & 0o7777).toString(8);
    if (info.isSymlink) found[path] = `link ${await Deno.readLink(root + path)}`;
    else if (info.isDirectory) Object.assign(found, { [path]: `dir ${mode}` }, await treeOf(root, path));
    else found[path] = `file ${mode} ${new TextDecoder("latin1").decode(await Deno.readFile(root + path))}`;
  }
  return found;
}

const DIFF = `--- a/b.txt
+++ b/b.txt
@@ -1 +1 @@
-beta
+BETA
--- /dev/null
+++ b/made/deep/c.txt
@@ -0,0 +1 @@
+gamma
--- a/a.txt
+++ /dev/null
@@ -1 +0,0 @@
-alpha
`;

appTest("linux.fs_undo restores what each writing tool changed, and an undo can be undone", async (test) => {
  const { root, result } = test;
  await Deno.chmod(`${root}/a.txt`, 0o751);
  await Deno.mkdir(`${root}/dir/empty`, { recursive: true, mode: 0o700 });
  await Deno.symlink("../a.txt", `${root}/dir/link`);
  await Deno.symlink("nowhere", `${root}/dir/dangling`);
  await Deno.writeFile(`${root}/dir/bytes`, Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));
  const calls: [string, Record<string, unknown>][] = [
    ["linux_fs_write", { path: "a.txt", content: "new" }],
    ["linux_fs_write", { path: "fresh/deep/x.txt", content: "new" }],
    ["linux_fs_write", { path: "b.txt", content: "more", mode: "append" }],
    ["linux_fs_patch_block", { path: "a.txt", old_text: "alpha", new_text: "ALPHA" }],
    ["linux_fs_apply_diff", { diff_text: DIFF }],
    ["linux_fs_move", { source: "a.txt", target: "b.txt", overwrite: true }],
    ["linux_fs_move", { source: "dir", target: "moved" }],
    ["linux_fs_delete", { path: "a.txt" }],
    ["linux_fs_delete", { path: "dir", recursive: true }],
    ["linux_fs_mkdirs", { path: "one/two/three" }],
    ["repo_write_patch", { path: "a.txt", old_text: "alpha", new_text: "ALPHA" }],
  ];
  const before = await treeOf(root);
  for (const [tool, args] of calls) {
    const label = `${tool} ${JSON.stringify(args).slice(0, 60)}`;
    await result(tool, args);
    const changed = await treeOf(root);
    assert.notDeepEqual(changed, before, label);
    const planned = await result("linux_fs_undo", { dry_run: true });
    assert.deepEqual(await treeOf(root), changed, `${label}: a dry run changes nothing`);
    const undone = await result("linux_fs_undo");
    assert.deepEqual(await treeOf(root), before, label);
    assert.deepEqual([undone.ok, undone.restored], [true, planned.restored], label);
    await result("linux_fs_undo", { op: undone.op });
    assert.deepEqual(await treeOf(root), changed, `${label}: undo of the undo`);
    await result("linux_fs_undo", { since: "1h" });
    assert.deepEqual(await treeOf(root), before, `${label}: everything since`);
  }
}, { files: { "a.txt": "alpha\n", "b.txt": "beta\n" } });

appTest("linux.fs_undo leaves alone what another program or session has changed since", async (test) => {
  const { root, result, call } = test;
  for (const name of ["a", "b", "c", "d"]) await result("linux_fs_write", { path: name, content: `${name} new` });
  await Deno.writeTextFile(`${root}/a`, "an editor");
  await Deno.chmod(`${root}/b`, 0o600);
  await call("linux_fs_write", { path: "c", content: "other session" }, OTHER);
  const undone = await result("linux_fs_undo", { since: "1h" });
  assert.deepEqual(undone.restored, ["d"]);
  const [op] = Object(await result("linux_fs_changes", { path: "c" })).operations;
  assert.deepEqual(undone.conflicts, [
    { path: "c", reason: `changed since by other-agent, session 01234567 (${op.op})` },
    { path: "b", reason: "changed since by another program" },
    { path: "a", reason: "changed since by another program" },
  ]);
  assert.deepEqual(
    ["a", "b", "c"].map((name) => Deno.readTextFileSync(`${root}/${name}`)),
    ["an editor", "b new", "other session"],
  );
});

appTest("linux.fs_undo without arguments goes back one call at a time, in the own session only", async (test) => {
  const { root, result, call } = test;
  const text = () => Deno.readTextFileSync(`${root}/a`);
  for (const content of ["1", "2", "3"]) await result("linux_fs_write", { path: "a", content });
  await call("linux_fs_write", { path: "foreign", content: "x" }, OTHER);
  const longer = { owner: "test/session", session: { ...OTHER.session, sessionId: "session-of-longer-name" } };
  await call("linux_fs_write", { path: "foreign", content: "x" }, longer);
  await result("linux_fs_undo");
  assert.equal(text(), "2");
  await result("linux_fs_undo");
  assert.equal(text(), "1");
  await result("linux_fs_undo", { path: "a" });
  await assert.rejects(Deno.stat(`${root}/a`));
  const answer = await call("linux_fs_undo");
  assert.equal(answer.error?.code, "NOT_FOUND");
  assert.equal(await Deno.readTextFile(`${root}/foreign`), "x");
});

appTest("linux.fs_undo keeps a folder in which something new is", async ({ root, result }) => {
  await result("linux_fs_mkdirs", { path: "one/two" });
  await Deno.writeTextFile(`${root}/one/mine`, "x");
  const undone = await result("linux_fs_undo");
  assert.deepEqual([undone.restored, Object(undone.conflicts)[0].path], [["one/two"], "one"]);
  assert.equal(await Deno.readTextFile(`${root}/one/mine`), "x");
});

appTest("linux.fs_undo refuses operations that do not exist, and says which were dropped", async (test) => {
  const { call, result } = test;
  for (const op of ["op_zzz", "op_", "7", "op_1'; drop table entries"]) {
    assert.equal((await call("linux_fs_undo", { op })).error?.code, "NOT_FOUND", op);
  }
  assert.equal((await call("linux_fs_undo", { since: "soon" })).error?.code, "INVALID_ARGUMENT");
  const noise = (seed: number) => Array.from({ length: 40_000 }, (_, at) => Math.sin(seed + at)).join("\n");
  await result("linux_fs_write", { path: "a", content: noise(0) });
  for (let round = 1; round < 8; round++) await result("linux_fs_write", { path: "a", content: noise(round) });
  const bytes = test.app.services.journal.bytes();
  assert.ok(bytes > 0 && bytes <= 1024 * 1024, `${bytes} bytes are kept`);
  const dropped = await call("linux_fs_undo", { op: "op_1" });
  assert.match(dropped.text, /op_1 cannot be undone any more: it was removed because of mcp\.undo\.max_bytes/);
}, { settings: { "mcp.undo.max_bytes": 1024 * 1024 } });

appTest(
  "a change of a file above mcp.undo.max_file_bytes is made, and its answer says that it cannot be undone",
  async (test) => {
    await Deno.writeTextFile(`${test.root}/big`, "x".repeat(5_000));
    const answer = await test.call("linux_fs_write", { path: "big", content: "small" });
    assert.match(answer.text, /1 of these changes cannot be undone/);
    const undone = await test.result("linux_fs_undo");
    assert.deepEqual(undone.conflicts, [{ path: "big", reason: "its earlier content was not kept" }]);
    assert.equal(await Deno.readTextFile(`${test.root}/big`), "small");
  },
  { settings: { "mcp.undo.max_file_bytes": 1024 } },
);

appTest("hard links show the restored content under all their names", async ({ root, result }) => {
  await Deno.link(`${root}/a`, `${root}/b`);
  await result("linux_fs_write", { path: "a", content: "new" });
  assert.equal(await Deno.readTextFile(`${root}/b`), "new");
  await result("linux_fs_undo");
  assert.equal(await Deno.readTextFile(`${root}/b`), "old");
  assert.equal((await Deno.stat(`${root}/a`)).ino, (await Deno.stat(`${root}/b`)).ino);
}, { files: { a: "old" } });

appTest("linux.fs_changes tells who changed what, with the lines and what changed outside", async (test) => {
  const { root, result, call } = test;
  await result("linux_fs_write", { path: "a.txt", content: "one\n2\nthree\n" });
  await call("linux_fs_move", { source: "a.txt", target: "b.txt" }, OTHER);
  const listed = await call("linux_fs_changes");
  assert.match(listed.text, /^op_2 \S+Z linux_fs_move 1 path other-agent\/01234567 /m);
  assert.match(listed.text, /^op_1 \S+Z linux_fs_write 1 path /m);
  const own = await call("linux_fs_changes", { session: "0123" });
  assert.doesNotMatch(own.text, /op_1 /);
  const detailed = await call("linux_fs_changes", { op: "op_1", diff: true });
  assert.match(detailed.text, /^ {2}modified a\.txt$/m);
  assert.doesNotMatch(detailed.text, /\+2/, "the new text has moved away");
  await result("linux_fs_undo", { op: "op_2" });
  assert.match((await call("linux_fs_changes", { op: "op_1", diff: true })).text, /-two\n\+2\n/);
  assert.match((await call("linux_fs_changes", { op: "op_2" })).text, /undone by op_3\n {2}moved a\.txt → b\.txt/);
  assert.doesNotMatch((await call("linux_fs_changes", { op: "op_1" })).text, /another program/);
  await Deno.writeTextFile(`${root}/a.txt`, "by hand");
  assert.match((await call("linux_fs_changes", { path: "a.txt" })).text, /changed since by another program: a\.txt/);
}, { files: { "a.txt": "one\ntwo\nthree\n" } });

appTest(
  "undo can be switched off: nothing is recorded, and the tools are not listed",
  async ({ app, root, result, call }) => {
    await result("linux_fs_write", { path: "a", content: "x" });
    assert.equal((await call("linux_fs_undo")).error?.code, "FEATURE_DISABLED");
    assert.ok(!app.catalog.listed().some(({ name }) => /undo|changes/.test(name)));
    assert.deepEqual(
      (await Array.fromAsync(Deno.readDir(`${root}/../data`))).filter(({ name }) => /undo/.test(name)),
      [],
    );
  },
  { settings: { "mcp.undo.enabled": false } },
);
