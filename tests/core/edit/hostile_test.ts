/** Input made to be slow: everything must end in moments, because it runs on the thread that answers. */
import assert from "node:assert/strict";
import { applyHunks } from "../../../src/core/edit/apply_hunks.ts";
import { findBlock } from "../../../src/core/edit/block.ts";
import { parseDiff } from "../../../src/core/edit/parse_diff.ts";
import { rejectionError } from "../../../src/core/edit/rejection.ts";
import { decodeFile, type FileText } from "../../../src/core/edit/text_file.ts";
import { OpsError } from "../../../src/core/error.ts";

/** Generous for slow machines; what is quadratic takes minutes. */
const LIMIT_MS = 3_000;

async function isQuick(work: () => unknown): Promise<void> {
  const startMs = performance.now();
  try {
    await work();
  } catch (error) {
    assert(error instanceof OpsError, String(error));
  }
  const tookMs = performance.now() - startMs;
  assert(tookMs < LIMIT_MS, `${tookMs} ms`);
}

const utf8 = (text: string): FileText => ({ text, encoding: "utf-8", bom: false });
const HEAD = "--- a/f\n+++ b/f\n";

Deno.test("long header lines do not hold up the parser", async () => {
  const many = 200_000;
  for (
    const line of [
      " ".repeat(many) + "x",
      '"'.repeat(many),
      "\\".repeat(many),
      ".".repeat(many) + " x",
      "a/".repeat(many),
      "\t".repeat(many),
    ]
  ) {
    await isQuick(() => parseDiff(`--- a${line}\n+++ b${line}\n@@ -1 +1 @@\n-a\n+b\n`));
    await isQuick(() => parseDiff(`diff --git ${line} ${line}\n${HEAD}@@ ${line}\n-a\n+b\n`));
    await isQuick(() => parseDiff(`${line}\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`));
    await isQuick(() => parseDiff(`*** Begin Patch\n*** Update File: ${line}\n@@ ${line}\n-a\n+b\n`));
  }
});

Deno.test("a file of a hundred thousand equal lines does not hold up the search for a hunk", async () => {
  const file = utf8("}\n".repeat(100_000));
  const hunk = `${" }\n".repeat(1_000)}-}\n+{\n${" }\n".repeat(1_000)}`;
  for (const header of ["@@ @@\n", "@@ -50000,2001 +50000,2001 @@\n", "@@ -1,5 +1,5 @@ }\n"]) {
    const [patch] = parseDiff(HEAD + header + hunk);
    await isQuick(() => applyHunks(file, patch?.hunks ?? [], "f"));
  }
});

Deno.test("a thousand hunks that fit nowhere are rejected in moments, shortly", async () => {
  const file = utf8(Array.from({ length: 40_000 }, (_, n) => `line ${n} of a file that is rather long`).join("\n"));
  const hunks = Array.from(
    { length: 1_000 },
    (_, n) => `@@ -${n},3 +${n},3 @@\n line ${n} of file\n-wrong ${n}\n+right\n line ${n}\n`,
  );
  const [patch] = parseDiff(HEAD + hunks.join(""));
  await isQuick(async () => {
    const result = applyHunks(file, patch?.hunks ?? [], "f");
    assert(!result.ok);
    const error = await rejectionError([{ name: "f", text: file.text, hunkCount: 1_000, failed: result.failed }]);
    assert(error.message.length < 4_000, error.message);
  });
});

Deno.test("a letter that stands a million times is not counted to the end", async () => {
  const bytes = new TextEncoder().encode("a".repeat(2_000_000));
  await isQuick(() => {
    const found = findBlock(decodeFile(bytes, "f"), { oldText: "a", newText: "b\nc", expected: 1 }, "f");
    assert.deepEqual([found.starts.length, found.edits.length], [10_000, 0]);
  });
});

Deno.test("a hundred thousand replacements in a file without line ends, and in one that is not UTF-8, take moments", async () => {
  const line = decodeFile(new TextEncoder().encode("ab".repeat(100_000)), "f");
  await isQuick(() => findBlock(line, { oldText: "a", newText: "x\ny", expected: 100_000 }, "f"));
  const latin = decodeFile(Uint8Array.from({ length: 200_000 }, (_, at) => at % 2 ? 0xe9 : 97), "f");
  await isQuick(() => findBlock(latin, { oldText: "a\ufffd", newText: "b\ufffd", expected: 100_000 }, "f"));
});

Deno.test("hunks that fit nearly everywhere are refused before they are compared with every line", () => {
  const line = (number: number) => `the same line with a number ${number % 7} at the end`;
  const file = decodeFile(
    new TextEncoder().encode(Array.from({ length: 40_000 }, (_, at) => line(at)).join("\n")),
    "f",
  );
  const hunk = (at: number) => `@@\n ${line(at)}\n ${line(at + 1)}\n-${line(at + 3)}\n+x\n`;
  const [patch] = parseDiff(HEAD + Array.from({ length: 3_000 }, (_, at) => hunk(at)).join(""));
  assert.throws(() => applyHunks(file, patch?.hunks ?? [], "'f'"), /fit nearly everywhere/);
});
