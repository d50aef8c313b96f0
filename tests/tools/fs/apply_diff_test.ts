import assert from "node:assert/strict";
import { makeTestApp, type TestApp } from "../../support/app.ts";

const APPLY = "linux_fs_apply_diff";
const read = (app: TestApp, name: string) => Deno.readTextFile(`${app.root}/${name}`);
const exists = (app: TestApp, name: string) => Deno.lstat(`${app.root}/${name}`).then(() => true, () => false);

const FILES = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "alpha\nbeta\n", "gone.ts": "gone\n", "old.ts": "old\n" };
const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/lib/new.sh b/lib/new.sh
new file mode 100755
--- /dev/null
+++ b/lib/new.sh
@@ -0,0 +1 @@
+echo new
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/old.ts b/renamed.ts
rename from old.ts
rename to renamed.ts
`;

Deno.test("linux_fs_apply_diff changes, creates, deletes and renames, and says so in a few words", async () => {
  await using app = await makeTestApp({ files: FILES });
  const { text, result, tokens } = await app.call(APPLY, { diff_text: DIFF });
  assert.equal(
    text,
    "Applied diff to 4 files\nsrc/a.ts\ncreate lib/new.sh\ndelete gone.ts\nrename old.ts → renamed.ts",
  );
  assert(tokens < 50);
  const { files_modified, backups_created, message, files } = Object(result);
  assert.deepEqual(files_modified, ["src/a.ts", "lib/new.sh", "gone.ts", "renamed.ts"]);
  assert.deepEqual([backups_created, message], [true, "Applied diff to 4 files"]);
  assert.deepEqual(files[0], { path: "src/a.ts", action: "modify", hunks: 1, offsets: [], fuzz: 0 });
  assert.equal(await read(app, "src/a.ts"), "one\n2\nthree\n");
  assert.equal(await read(app, "lib/new.sh"), "echo new\n");
  assert.equal(((await Deno.stat(`${app.root}/lib/new.sh`)).mode ?? 0) & 0o100, 0o100);
  assert.equal(await read(app, "renamed.ts"), "old\n");
  assert.deepEqual([await exists(app, "gone.ts"), await exists(app, "old.ts")], [false, false]);
});

Deno.test("linux_fs_apply_diff keeps the old contents in the data directory, not in the tree", async () => {
  await using app = await makeTestApp({ files: FILES });
  await app.result(APPLY, { diff_text: DIFF });
  const [set] = await Array.fromAsync(Deno.readDir(`${app.config.dataDir}/backups`));
  const kept = `${app.config.dataDir}/backups/${set?.name}${app.root}`;
  assert.equal(await Deno.readTextFile(`${kept}/src/a.ts`), "one\ntwo\nthree\n");
  assert.equal(await Deno.readTextFile(`${kept}/gone.ts`), "gone\n");
  assert.equal(((await Deno.stat(`${app.config.dataDir}/backups`)).mode ?? 0) & 0o777, 0o700);
});

Deno.test("linux_fs_apply_diff puts backups beside the files when it is told to, over none that is there", async () => {
  const files = { ...FILES, "src/a.ts.bak": "precious\n" };
  await using app = await makeTestApp({ files, settings: { "mcp.tools.backups": "beside" } });
  await app.result(APPLY, { diff_text: DIFF });
  assert.equal(await read(app, "src/a.ts.bak"), "precious\n");
  assert.equal(await read(app, "src/a.ts.bak.1"), "one\ntwo\nthree\n");
  assert.equal(await read(app, "gone.ts.bak"), "gone\n");
});

Deno.test("linux_fs_apply_diff changes nothing when one hunk of many files does not fit", async () => {
  await using app = await makeTestApp({ files: FILES });
  const bad = `${DIFF}--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,2 +1,2 @@\n alpha\n-betta\n+gamma\n`;
  const { error } = await app.call(APPLY, { diff_text: bad });
  assert.equal(error?.code, "DIFF_REJECTED");
  assert.match(
    error?.message ?? "",
    /'src\/b.ts' hunk 1 of 1 \(line \d+ of the diff\) does not fit. Closest: lines 1-2/,
  );
  assert.match(error?.message ?? "", /^2: bet\{-t-\}a$/m);
  for (const [name, content] of Object.entries(FILES)) assert.equal(await read(app, name), content);
  assert.deepEqual([await exists(app, "lib"), await exists(app, "renamed.ts")], [false, false]);
});

Deno.test("linux_fs_apply_diff tells where a hunk went that was not where it said", async () => {
  await using app = await makeTestApp({ files: { "a.ts": `${"#\n".repeat(5)}one\ntwo\nthree\n` } });
  const diff_text = "--- a/a.ts\n+++ b/a.ts\n@@ -2,3 +2,3 @@\n uno\n-two\n+2\n three\n";
  const { text } = await app.call(APPLY, { diff_text });
  assert.equal(text, "Applied diff to 1 file\na.ts (offset +4; fuzz 1)");
});

Deno.test("linux_fs_apply_diff with dry_run plans and writes nothing", async () => {
  await using app = await makeTestApp({ files: FILES });
  const { text, result } = await app.call(APPLY, { diff_text: DIFF, dry_run: true });
  assert.match(text, /^The diff applies to 4 files; dry run, nothing written/);
  assert.match(Object(result).diff, /^-two\n\+2$/m);
  for (const [name, content] of Object.entries(FILES)) assert.equal(await read(app, name), content);
  assert.equal(await exists(app, "lib"), false);
});

Deno.test("linux_fs_apply_diff takes names from a directory when one is given", async () => {
  await using app = await makeTestApp({ files: { "repo/src/a.ts": "one\n" } });
  const diff_text = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+1\n";
  assert.equal((await app.call(APPLY, { diff_text })).error?.code, "NOT_FOUND");
  await app.result(APPLY, { diff_text, path: "repo" });
  assert.equal(await read(app, "repo/src/a.ts"), "1\n");
  const absolute = `--- a${app.root}/repo/src/a.ts\n+++ b${app.root}/repo/src/a.ts\n@@ -1 +1 @@\n-1\n+2\n`;
  await app.result(APPLY, { diff_text: absolute });
  assert.equal(await read(app, "repo/src/a.ts"), "2\n");
});

Deno.test("linux_fs_apply_diff stays in the roots, through no name and no link", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "one\n" } });
  await Deno.symlink(app.config.homeDir, `${app.root}/link`);
  const create = (name: string) => app.call(APPLY, { diff_text: `--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n` });
  for (const name of ["../x", "b/../../x", "/etc/llmc-test", "b/link/x", `b/${"../".repeat(20)}tmp/llmc-test`]) {
    const { error } = await create(name);
    assert.equal(error?.code, "INVALID_PATH", name);
  }
  const escape = `diff --git a/a.ts b/x\nrename from a.ts\nrename to ../x\n`;
  assert.equal((await app.call(APPLY, { diff_text: escape })).error?.code, "INVALID_PATH");
  assert.equal(await read(app, "a.ts"), "one\n");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(app.config.homeDir)), []);
});

Deno.test("linux_fs_apply_diff refuses to delete or rename what is a link", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "one\n" } });
  await Deno.symlink("a.ts", `${app.root}/link.ts`);
  const diff_text = "--- a/link.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
  const { error } = await app.call(APPLY, { diff_text });
  assert.deepEqual([error?.code, error?.message], ["DIFF_REJECTED", "'link.ts' is a symbolic link"]);
  assert.equal(await read(app, "a.ts"), "one\n");
});

Deno.test("linux_fs_apply_diff and linux_fs_patch_block on the same files at once lose nothing", async () => {
  await using app = await makeTestApp({ files: { "a.ts": "a\nb\nc\n", "b.ts": "a\nb\nc\n" } });
  const diff = (name: string) => `--- ${name}\n+++ ${name}\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`;
  const answers = await Promise.all([
    app.call(APPLY, { diff_text: diff("a.ts") + diff("b.ts") }),
    app.call("linux_fs_patch_block", { path: "b.ts", old_text: "c", new_text: "c\nd" }),
    app.call("linux_fs_patch_block", { path: "a.ts", old_text: "c", new_text: "c\nd" }),
    app.call("linux_fs_write", { path: "a.ts", content: "e\n", mode: "append" }),
  ]);
  assert(answers.every(({ error }) => error === undefined), answers.find(({ error }) => error)?.text);
  assert.equal(await read(app, "a.ts"), "a\nB\nc\nd\ne\n");
  assert.equal(await read(app, "b.ts"), "a\nB\nc\nd\n");
});
