/** Edge cases of diffs and blocks: their ends, signs in odd places, and what is reported. @module */
import type { FilePatch } from "../../../src/core/edit/hunk.ts";
import assert from "node:assert/strict";
import { align } from "../../../src/core/edit/align.ts";
import { applyHunks } from "../../../src/core/edit/apply_hunks.ts";
import { findBlock } from "../../../src/core/edit/block.ts";
import { applyEdits, refuseReplacementCharacters } from "../../../src/core/edit/edits.ts";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { formatDiff } from "../../../src/core/edit/unified_diff.ts";
import { restoreStray } from "../../../src/core/edit/stray_match.ts";
import { PlannedFiles } from "../../../src/core/edit/planned_files.ts";
import { planDiff } from "../../../src/core/edit/plan_diff.ts";
import { decodeFile, encodeFile } from "../../../src/core/edit/text_file.ts";
import { OpsError } from "../../../src/core/error.ts";

const encoder = new TextEncoder();
const fileOf = (text: string) => decodeFile(encoder.encode(text), "f");

/** The text after the only file of a diff is applied; the reasons where it does not fit. */
function apply(text: string, diff: string): string | readonly string[] {
  const [patch] = parseDiff(diff);
  const result = applyHunks(fileOf(text), patch?.hunks ?? [], "f");
  return result.ok ? result.text : result.failed.map(({ reason }) => reason.why);
}

const unified = (...lines: string[]) => ["--- a/f", "+++ b/f", ...lines, ""].join("\n");
const envelope = (...lines: string[]) =>
  ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch", ""].join("\n");
const replaced = (before: string, after: string) =>
  `f.ts\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n`;

/** What a diff does to its first file, without its hunks. */
function head(diff: string): Omit<FilePatch, "hunks" | "diffLine"> | undefined {
  const [patch] = parseDiff(diff);
  if (patch === undefined) return undefined;
  const { action, source, target, mode, mayBeAbsent } = patch;
  return { action, source, target, mode, mayBeAbsent };
}

Deno.test("a text without a diff in it is refused", () => {
  for (const text of ["", "hello\n", "- a list\n- of things\n", "@ x\n"]) {
    assert.throws(
      () => parseDiff(text),
      (error) => error instanceof OpsError && /does not contain a diff/.test(error.message),
    );
  }
});

Deno.test("lines without context go behind the line that an anchor names", () => {
  const text = "def a():\n    pass\n\ndef b():\n    pass\n";
  assert.equal(
    apply(text, envelope("@@ def b():", "+    # new")),
    "def a():\n    pass\n\ndef b():\n    # new\n    pass\n",
  );
  assert.equal(
    apply(text, envelope("@@ def a", "+    # new")),
    "def a():\n    # new\n    pass\n\ndef b():\n    pass\n",
  );
  assert.notEqual(typeof apply(text, envelope("@@ pass", "+    # new")), "string", "it stands twice");
  assert.equal(apply(text, envelope("+# end")), `${text}# end\n`);
});

Deno.test("lines without context go where a number that can be believed says", () => {
  const text = "1\n2\n3\n";
  assert.equal(apply(text, unified("@@ -1,0 +2 @@", "+new")), "1\nnew\n2\n3\n");
  assert.equal(apply(text, unified("@@ -0,0 +1 @@", "+new")), "new\n1\n2\n3\n");
  assert.equal(apply(text, unified("@@ -3,0 +4 @@", "+new")), "1\n2\n3\nnew\n");
  assert.equal(apply("1\n", unified("@@ -0,0 +1 @@", "+new")), "new\n1\n");
  assert.equal(apply("", unified("@@ -0,0 +1 @@", "+new")), "new\n");
  assert.notEqual(typeof apply(text, unified("@@ -4,0 +5 @@", "+new")), "string");
  assert.notEqual(typeof apply(text, unified("@@ -1,0 +2,3 @@", "+new")), "string");
});

Deno.test("hunks may be written as if those before had been applied", () => {
  const first = ["@@ -1 +1 @@", "-a", "+x"], second = ["@@ -1 +1 @@", "-x", "+y"];
  assert.equal(apply("a\nb\n", unified(...first, ...second)), "y\nb\n");
  assert.notEqual(typeof apply("a\nb\n", unified(...second)), "string");
  assert.notEqual(typeof apply("a\nb\n", unified(...first, "@@ -1 +1 @@", "-z", "+y")), "string");
});

Deno.test("prose after a hunk is not part of it, whatever it holds", () => {
  const diff = unified("@@ -1,0 +2 @@", "+new", "That is it - or is it +1?");
  assert.equal(apply("1\n2\n", diff), "1\nnew\n2\n");
});

Deno.test("a last line without an end stays so, unless the diff says otherwise", () => {
  assert.equal(apply("a\nb", unified("@@ -2 +2 @@", "-b", "+c")), "a\nc");
  assert.equal(apply("a\nb", unified("@@ -1,2 +1,3 @@", " a", " b", "+c")), "a\nb\nc");
  assert.equal(apply("a\r\nb", unified("@@ -1,2 +1,3 @@", " a", " b", "+c")), "a\r\nb\r\nc");
  assert.equal(apply("a\nb\n", unified("@@ -1,2 +1,3 @@", " a", " b", "+c")), "a\nb\nc\n");
  assert.equal(apply("a\nb\n", unified("@@ -2 +2 @@", "-b", "+c", "\\ No newline at end of file")), "a\nc");
  assert.equal(apply("a\nb", unified("@@ -2 +2 @@", "-b", "\\ No newline at end of file", "+c")), "a\nc\n");
  assert.equal(apply("a\nb", unified("@@ -1 +1 @@", "-a", "+c")), "c\nb");
  assert.equal(apply("a\nb", unified("@@ -1,2 +1 @@", " a", "-b")), "a\n");
});

Deno.test("new lines take the end of the line that they replace, then of the one before", () => {
  const mixed = "a\r\nb\nc\r\nd\n";
  assert.equal(apply(mixed, unified("@@ -1,4 +1,4 @@", " a", "-b", "-c", "+B", "+C", " d")), "a\r\nB\nC\r\nd\n");
  assert.equal(apply(mixed, unified("@@ -1,2 +1,3 @@", " a", "+new", " b")), "a\r\nnew\r\nb\nc\r\nd\n");
  assert.equal(apply(mixed, unified("@@ -2,2 +2,3 @@", " b", "-c", "+C", "+D", " d")), "a\r\nb\nC\r\nD\r\nd\n");
});

Deno.test("the patch envelope: names, moves, new files and ends", () => {
  const named = (line: string) => head(`*** Begin Patch\n${line}\n+x\n*** End Patch\n`);
  assert.deepEqual(named("*** Add File: `a b.ts`")?.target, ["a b.ts"]);
  assert.deepEqual(named("*** Add File: a`b`")?.target, ["a`b`"]);
  assert.deepEqual(named("*** Add File: `a`b")?.target, ["`a`b"]);
  assert.throws(() => named("*** Add File: "), /names no file/);
  assert.deepEqual(
    head("*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** End Patch\n"),
    { action: "rename", source: ["a.ts"], target: ["b.ts"], mode: null, mayBeAbsent: false },
  );
  assert.equal(head("*** Begin Patch\n*** Update File: a.ts\n*** Move to: \n@@\n-x\n+y\n")?.action, "modify");
  assert.deepEqual(head("*** Begin Patch\n*** Delete File: a.ts\n*** End Patch\n"), {
    action: "delete",
    source: ["a.ts"],
    target: ["a.ts"],
    mode: null,
    mayBeAbsent: false,
  });
  const [created] = parseDiff("*** Begin Patch\n*** Add File: n\n+one\n+two\n*** End Patch\n");
  assert.deepEqual(
    created?.hunks.map(({ number, diffLine, lines }) => [number, diffLine, lines.map(({ text }) => text)]),
    [
      [1, 3, ["one", "two"]],
    ],
  );
  const [unsigned] = parseDiff("*** Begin Patch\n*** Add File: n\none\n\ntwo\n\n*** End Patch\n");
  assert.deepEqual(unsigned?.hunks[0]?.lines.map(({ text }) => text), ["one", "", "two"]);
  const [two] = parseDiff(envelope("@@ one", "-a", "+b", "@@ two", "@@ three", "-c", "+d", "*** End of File"));
  assert.deepEqual(two?.hunks.map(({ number, anchors, atEnd }) => ({ number, anchors, atEnd })), [
    { number: 1, anchors: ["one"], atEnd: false },
    { number: 2, anchors: ["two", "three"], atEnd: true },
  ]);
});

Deno.test("search and replace: marks are whole lines, and a name stands alone", () => {
  const lines = (diff: string) => parseDiff(diff)[0]?.hunks[0]?.lines.map(({ op, text }) => op + text);
  assert.deepEqual(lines(replaced("a\nx =======\ny >>>>>>> REPLACE", "b")), [
    "-a",
    "-x =======",
    "-y >>>>>>> REPLACE",
    "+b",
  ]);
  assert.deepEqual(lines(replaced("======= x", "b")), ["-======= x", "+b"]);
  assert.deepEqual(lines(replaced("a\nkeep\nz", "b\nkeep\nz")), ["-a", "+b", " keep", " z"]);
  for (const name of ["f.ts", "**f.ts**", "`f.ts`", "### f.ts", "f.ts:", "dir/f"]) {
    const diff = replaced("a", "b").replace("f.ts", name);
    assert.deepEqual(head(diff)?.source, [name.replace(/[*`#: ]/g, "")], name);
    assert.equal(head(diff)?.mayBeAbsent, true);
  }
  for (const line of ["a.ts is the file", "see a.ts", "a.ts,b.ts:c"]) {
    assert.throws(() => parseDiff(replaced("a", "b").replace("f.ts", line)), /line 2 .*names no file/, line);
  }
  assert.throws(() => parseDiff(replaced("a", "b").replace("f.ts", "no name")), /line 2 .*names no file/);
  assert.throws(() => parseDiff(replaced("a", "b").replace("=======", "-------")), /line 2 .*is not closed/);
  assert.equal(parseDiff(`as in x <<<<<<< SEARCH\n${replaced("a", "b")}`).length, 1);
  assert.equal(apply("a\r\nb\n", replaced("a\r", "c")), "c\nb\n", "a line end that is spelled is meant");
  assert.equal(apply("a\r\nb\n", replaced("a", "c")), "c\r\nb\n");
  const both = parseDiff(replaced("a", "b") + replaced("c", "d"));
  assert.deepEqual(both[0]?.hunks.map(({ number, diffLine }) => [number, diffLine]), [[1, 2], [2, 8]]);
});

Deno.test("a change of the mode alone is planned as one", async () => {
  const tree = {
    place: (name: string) => Promise.resolve(name),
    entry: (name: string) => Promise.resolve(name),
    exists: () => Promise.resolve(true),
    read: () => Promise.resolve(encoder.encode("x\n")),
    decode: (bytes: Uint8Array, name: string) => decodeFile(bytes, name),
    mode: () => Promise.resolve(0o644),
  };
  const plan = await planDiff(parseDiff("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"), tree);
  assert.deepEqual(plan.ok && plan.changes, [{ do: "mode", path: "f", mode: 0o755 }]);
});

Deno.test("align gives up where more than 600 elements differ, and not before", () => {
  const list = (differing: number, sign: number) => [
    ...Array.from({ length: differing / 4 }, (_, at) => sign * (at + 10)),
    1,
    ...Array.from({ length: differing / 4 }, (_, at) => sign * (at + 1_000)),
  ];
  assert.deepEqual(align(list(600, 1), list(600, -1)), [[150, 150]]);
  assert.deepEqual(align(list(604, 1), list(604, -1)), []);
  assert.deepEqual(align([1, 2, 3], [1, 3]), [[0, 0], [2, 1]]);
});

Deno.test("edits replace what they name, and new marks for lost bytes are refused", () => {
  assert.equal(applyEdits("abcdef", [{ start: 1, end: 2, insert: "X" }, { start: 4, end: 4, insert: "Y" }]), "aXcdYef");
  for (const [before, after] of [["\ufffd", "\ufffd"], ["a", "b"], ["\ufffd\ufffd", "\ufffd"]] as const) {
    refuseReplacementCharacters(before, after, "new_text");
  }
  for (const [before, after] of [["a", "\ufffd"], ["\ufffd", "\ufffd\ufffd"]] as const) {
    assert.throws(() => refuseReplacementCharacters(before, after, "new_text"), /'new_text' contains U\+FFFD/);
  }
});

Deno.test("the first of several names that exists is meant; a refusal counts for the likeliest, a failure always", async () => {
  const refusal = new OpsError("INVALID_PATH", "outside");
  const files = new PlannedFiles({
    place: (name) =>
      name === "broken"
        ? Promise.reject(new TypeError("broken"))
        : name === "out"
        ? Promise.reject(refusal)
        : Promise.resolve(`/${name}`),
    entry: (name) => Promise.resolve(`/${name}`),
    read: () => Promise.resolve(encoder.encode("x")),
    decode: (bytes, name) => decodeFile(bytes, name),
    mode: () => Promise.resolve(0o644),
    exists: (path) => Promise.resolve(path === "/there"),
  });
  assert.equal((await files.find(["missing", "there"]))?.name, "there");
  assert.equal((await files.find(["out", "there"]))?.name, "there");
  assert.equal(await files.find(["missing", "out"]), null);
  await assert.rejects(files.find(["out", "missing"]), refusal);
  await assert.rejects(files.find(["missing", "broken"]), TypeError);
});

Deno.test("marks of lost bytes become those bytes in order, where there are as many of them", () => {
  assert.equal(restoreStray("a\udc80b\udcff", "x\ufffdy\ufffdz"), "x\udc80y\udcffz");
  assert.equal(restoreStray("a\udc80b", "x\ufffdy\ufffd"), "x\ufffdy\ufffd");
  assert.equal(restoreStray("a\udc80b", "xyz"), "xyz");
  assert.equal(restoreStray("a\udc80b", "x\ufffd"), "x\udc80");
});

Deno.test("bytes that are not UTF-8 come back where their marks stood", () => {
  const bytes = new Uint8Array([0x61, 0xff, 0x0a, 0x62, 0xe9, 0x0a]);
  const file = decodeFile(bytes, "f");
  const { edits } = findBlock(file, { oldText: "a\ufffd\n", newText: "x\ufffdy\n", expected: 1 }, "f");
  const text = applyEdits(file.text, edits);
  assert.deepEqual([...encodeFile({ ...file, text })], [0x78, 0xff, 0x79, 0x0a, 0x62, 0xe9, 0x0a]);
  assert.throws(
    () => findBlock(file, { oldText: "a\ufffd\nb\ufffd", newText: "\ufffd", expected: 1 }, "f"),
    /different number/,
  );
});

Deno.test("a hunk of several alike places goes as far from its number as the hunk before it did", () => {
  const block = (name: string) => `${name}\n{\n  x\n}\n`;
  const text = `${"intro\n".repeat(8)}${block("first")}${block("same")}${block("same")}`;
  const hunk = (
    line: number,
    ...lines: string[]
  ) => [`@@ -${line},${lines.length - 1} +${line},${lines.length - 1} @@`, ...lines];
  // Both numbers are 8 too low: without what the first tells, the nearest place of the second is the first of the alike.
  const diff = unified(...hunk(1, " first", " {", "-  x", "+  y", " }"), ...hunk(10, " {", "-  x", "+  z", " }"));
  assert.equal(apply(text, diff), text.replace("  x", "  y").replace(/ {2}x(?=\n\}\n$)/, "  z"));
});

Deno.test("hunks that are written one after the other count the lines that those before have taken away", () => {
  const text = "a\nb\nc\nsame\nx\nsame\ny\nsame\nz\n";
  const diff = unified("@@ -1,3 +1,1 @@", " a", "-b", "-c", "@@ -1,2 +1,2 @@", " a", "-same", "+first");
  assert.equal(apply(text, diff), "a\nfirst\nx\nsame\ny\nsame\nz\n");
});

Deno.test("a line that only mentions the end of a file in a patch envelope is text", () => {
  const text = "see: *** End of File\nb\n";
  assert.equal(
    apply(text, envelope("@@", "-see: *** End of File", "+see nothing", " b")),
    "see nothing\nb\n",
  );
  assert.equal(
    apply("a\nb\n", envelope("@@", " a", "+x *** End Patch", "+y *** Update File: z", " b")),
    "a\nx *** End Patch\ny *** Update File: z\nb\n",
  );
});

Deno.test("an anchor that only begins like the number of a line is text", () => {
  assert.equal(
    apply("a\nline 12 monkeys\nb\n", envelope("@@ line 12 monkeys", "+new")),
    "a\nline 12 monkeys\nnew\nb\n",
  );
});

Deno.test("a diff shows three lines around a change", () => {
  const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  const diff = formatDiff(text, [{ start: 10, end: 11, insert: "six" }], "a/f", "b/f");
  assert.match(diff, /^@@ -3,7 \+3,7 @@$/m);
  assert.equal(diff.split("\n").filter((line) => line.startsWith(" ")).join(""), " 3 4 5 7 8 9");
});
