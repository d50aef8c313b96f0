import assert from "node:assert/strict";
import { folderFor, isUnfinished, numberedName } from "../../../src/tools/onboarding/file_groups.ts";
import { type FolderContent, planMoves } from "../../../src/tools/onboarding/plan_moves.ts";

const content = (names: readonly string[], more: Partial<FolderContent> = {}): FolderContent => ({
  files: names.map((name) => ({ name, isFresh: false })),
  others: [],
  inside: new Map(),
  ...more,
});
const moved = (plan: ReturnType<typeof planMoves>) =>
  plan.moves.map(({ from, folder, name }) => `${from} > ${folder}/${name}`);

Deno.test("folderFor goes by the last ending, in any case, and not by a name that begins with a dot", () => {
  assert.equal(folderFor("Report.PDF"), "Documents");
  assert.equal(folderFor("backup.tar.gz"), "Archives");
  assert.equal(folderFor("setup.AppImage"), "Programs");
  assert.equal(folderFor(".pdf"), null);
  assert.equal(folderFor("README"), null);
  assert.equal(folderFor("x.unheardof"), null);
});

Deno.test("numberedName keeps the ending", () => {
  assert.equal(numberedName("report.pdf", 2), "report (2).pdf");
  assert.equal(numberedName("code.tar.gz", 3), "code (3).tar.gz");
  assert.equal(numberedName("v1.2.zip", 2), "v1.2 (2).zip");
});

Deno.test("isUnfinished knows what browsers leave behind", () => {
  assert.ok(isUnfinished("movie.mkv.crdownload") && isUnfinished("x.zip.PART"));
  assert.ok(!isUnfinished("part.zip"));
});

Deno.test("planMoves numbers names that are taken, there or by an earlier move", () => {
  const plan = planMoves(content(["a.pdf", "b.PDF"], {
    others: [{ name: "Documents", isFolder: true }],
    inside: new Map([["Documents", new Set(["a.pdf", "a (2).pdf"])]]),
  }));
  assert.deepEqual(moved(plan), ["a.pdf > Documents/a (3).pdf", "b.PDF > Documents/b.PDF"]);
  assert.equal(plan.numbered, 1);
});

Deno.test("planMoves uses a folder as it is spelled", () => {
  const others = [{ name: "images", isFolder: true }];
  assert.deepEqual(moved(planMoves(content(["a.png"], { others }))), ["a.png > images/a.png"]);
});

Deno.test("planMoves leaves files whose folder cannot be made, because a file or a link has its name", () => {
  const plan = planMoves(content(["a.png", "b.pdf", "Images"], { others: [{ name: "Documents", isFolder: false }] }));
  assert.deepEqual(moved(plan), []);
  assert.deepEqual([...plan.staying], [["whose folder's name is taken", 2], ["of unknown type", 1]]);
});

Deno.test("planMoves leaves what is unfinished, fresh, unknown or no text", () => {
  const plan = planMoves({
    files: [
      { name: "a.zip.part", isFresh: false },
      { name: "b.zip", isFresh: true },
      { name: "c", isFresh: true },
      { name: "bad\udcff.pdf", isFresh: false },
      { name: "bad\ufffd.pdf", isFresh: false },
    ],
    others: [],
    inside: new Map(),
  });
  assert.deepEqual(plan.moves, []);
  assert.deepEqual(Object.fromEntries(plan.staying), {
    "unfinished downloads": 1,
    "changed just now": 1,
    "of unknown type": 1,
    "with names that are not text": 2,
  });
});
