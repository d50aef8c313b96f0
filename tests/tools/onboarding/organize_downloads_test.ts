import assert from "node:assert/strict";
import { OpsError } from "../../../src/core/error.ts";
import { flowBench } from "./support.ts";
import { needing, ORDINARY_USER } from "../../support/needs.ts";

const FILES = {
  "dl/report.pdf": "new report",
  "dl/photo.JPG": "photo",
  "dl/code.tar.gz": "archive",
  "dl/Documents/report.pdf": "old report",
  "dl/unknown.xyz": "?",
  "dl/movie.mkv.part": "half",
  "dl/.hidden.pdf": "hidden",
  "dl/project/main.ts": "left alone",
};

async function treeOf(root: string, below = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(`${root}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isSymlink) found[path] = `→ ${await Deno.readLink(`${root}/${path}`)}`;
    else if (isDirectory) Object.assign(found, await treeOf(root, path));
    else found[path] = await Deno.readTextFile(`${root}/${path}`);
  }
  return found;
}

Deno.test("organize_downloads plans and touches nothing", async () => {
  await using bench = await flowBench({ files: FILES });
  const before = await treeOf(bench.root);
  const report = await bench.run("organize_downloads");
  assert.deepEqual(await treeOf(bench.root), before);
  assert.equal(report.step("Scanned dl"), "5 files, 2 folders, 1 hidden");
  assert.equal(report.step("Grouped by type"), "Archives 1, Images 1, Documents 1");
  assert.equal(report.step("Left where they are"), "1 unfinished downloads, 1 of unknown type");
  assert.match(report.step("Planned moves"), /report\.pdf → "?Documents\/report \(2\)\.pdf/);
  assert.match(report.summary, /^Plan only: 3 files would go into 3 folders; .*options\.apply = true/);
  assert.ok(report.steps.length >= 3 && report.steps.length <= 10);
});

Deno.test("organize_downloads only plans when the operator does not allow more, and says which setting", async () => {
  await using bench = await flowBench({ files: FILES });
  const before = await treeOf(bench.root);
  const { summary } = await bench.run("organize_downloads", { apply: true });
  assert.deepEqual(await treeOf(bench.root), before);
  assert.match(summary, /mcp\.onboarding\.allow_apply = true/);
});

Deno.test("organize_downloads only plans when the call does not say apply", async () => {
  await using bench = await flowBench({ files: FILES, allowApply: true });
  const before = await treeOf(bench.root);
  await bench.run("organize_downloads", { apply: false });
  assert.deepEqual(await treeOf(bench.root), before);
});

Deno.test("organize_downloads moves files into folders and never over another", async () => {
  await using bench = await flowBench({ files: FILES, allowApply: true });
  const report = await bench.run("organize_downloads", { apply: true });
  assert.deepEqual(await treeOf(`${bench.root}/dl`), {
    "Documents/report.pdf": "old report",
    "Documents/report (2).pdf": "new report",
    "Images/photo.JPG": "photo",
    "Archives/code.tar.gz": "archive",
    "unknown.xyz": "?",
    "movie.mkv.part": "half",
    ".hidden.pdf": "hidden",
    "project/main.ts": "left alone",
  });
  assert.equal(report.summary, "3 files moved into 3 folders.");
  const again = await bench.run("organize_downloads", { apply: true });
  assert.equal(again.summary, "0 files moved into 0 folders.");
});

Deno.test("organize_downloads leaves links alone, and never follows one that has a folder's name", async () => {
  await using bench = await flowBench({
    files: { "dl/a.png": "picture", "dl/b.pdf": "text", "elsewhere/": "" },
    allowApply: true,
  });
  await Deno.symlink(`${bench.root}/elsewhere`, `${bench.root}/dl/Images`);
  await Deno.symlink("/etc/passwd", `${bench.root}/dl/passwd.pdf`);
  const report = await bench.run("organize_downloads", { apply: true });
  assert.deepEqual(await treeOf(`${bench.root}/dl`), {
    "Documents/b.pdf": "text",
    "Images": `→ ${bench.root}/elsewhere`,
    "a.png": "picture",
    "passwd.pdf": "→ /etc/passwd",
  });
  assert.deepEqual(await treeOf(`${bench.root}/elsewhere`), {});
  assert.equal(report.step("Scanned"), "2 files, 2 links or devices");
  assert.equal(report.step("Left where they are"), "1 whose folder's name is taken");
});

Deno.test("organize_downloads leaves a file that has just changed", async () => {
  await using bench = await flowBench({ files: { "dl/done.zip": "1" }, allowApply: true });
  await Deno.writeTextFile(`${bench.root}/dl/running.zip`, "still being written");
  const report = await bench.run("organize_downloads", { apply: true });
  assert.equal(report.step("Left where they are"), "1 changed just now");
  assert.deepEqual(Object.keys(await treeOf(`${bench.root}/dl`)).sort(), ["Archives/done.zip", "running.zip"]);
});

Deno.test("organize_downloads names a few moves and keeps the others behind a handle", async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`dl/file ${index}.txt`, `${index}`]));
  await using bench = await flowBench({ files, allowApply: true });
  const planned = (await bench.run("organize_downloads")).step("Planned moves");
  assert.match(planned, /^40: file 0\.txt → Documents\/file 0\.txt; .*; … rest: linux_handle_read H_moves_\S+$/);
  const handle = planned.slice(planned.lastIndexOf(" ") + 1);
  assert.equal((await bench.handles.read(handle, "test", { unit: "lines", offset: 0, limit: 100 })).total, 40);
  assert.equal((await bench.run("organize_downloads", { apply: true })).summary, "40 files moved into 1 folder.");
  assert.equal(Object.keys(await treeOf(`${bench.root}/dl/Documents`)).length, 40);
});

Deno.test(
  needing("organize_downloads reports what could not be moved and moves the rest", ORDINARY_USER),
  async () => {
    await using bench = await flowBench({
      files: { "dl/Images/": "", "dl/a.png": "1", "dl/b.pdf": "2" },
      allowApply: true,
    });
    await Deno.chmod(`${bench.root}/dl/Images`, 0o500);
    try {
      const { summary } = await bench.run("organize_downloads", { apply: true });
      assert.match(summary, /^1 file moved into 1 folder; 1 could not be moved, first a\.png: /);
    } finally {
      await Deno.chmod(`${bench.root}/dl/Images`, 0o700);
    }
  },
);

Deno.test("organize_downloads outside the roots is refused with the setting that names the folder", async () => {
  const refused = (code: string) => (error: unknown) =>
    error instanceof OpsError && error.code === code && error.hint.includes("mcp.onboarding.downloads_dir");
  await using outside = await flowBench({ downloads: "/etc" });
  await assert.rejects(outside.run("organize_downloads"), refused("INVALID_PATH"));
  await using missing = await flowBench({ downloads: "nowhere" });
  await assert.rejects(missing.run("organize_downloads"), refused("NOT_FOUND"));
});

Deno.test("organize_downloads stops when the client goes away", async () => {
  await using bench = await flowBench({ files: { "dl/a.png": "1" }, allowApply: true });
  await assert.rejects(bench.run("organize_downloads", { apply: true }, AbortSignal.abort(new Error("gone"))), /gone/);
  assert.deepEqual(await treeOf(`${bench.root}/dl`), { "a.png": "1" });
});
