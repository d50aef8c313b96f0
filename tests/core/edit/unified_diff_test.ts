import assert from "node:assert/strict";
import { applyEdits, type Edit } from "../../../src/core/edit/edits.ts";
import { formatDiff } from "../../../src/core/edit/unified_diff.ts";
import { makeRandom } from "../../support/random.ts";

Deno.test("formatDiff writes what git apply turns into the edited file", async () => {
  const random = makeRandom(11);
  const directory = await Deno.makeTempDir();
  try {
    let whole = "";
    const wanted = new Map<string, string>();
    for (let number = 0; number < 300; number++) {
      const lines = Array.from({ length: random.below(40) }, () => random.pick(["a", "b", "  c", "", "foo"]) + "\n")
        .join("");
      const text = random.chance(0.5) ? lines : lines.slice(0, -1);
      const edits: Edit[] = [];
      for (let at = random.below(20); at <= text.length && edits.length < 4; at += random.below(40)) {
        const end = Math.min(text.length, at + random.below(12));
        edits.push({ start: at, end, insert: random.pick(["", "x", "x\ny\n", "\n", "zz\n"]) });
        at = end + 1;
      }
      await Deno.writeTextFile(`${directory}/${number}`, text);
      wanted.set(`${number}`, applyEdits(text, edits));
      whole += formatDiff(text, edits, `a/${number}`, `b/${number}`);
    }
    await Deno.writeTextFile(`${directory}/patch`, whole);
    const args = ["apply", "--whitespace=nowarn", "patch"];
    const { success, stderr } = await new Deno.Command("git", { args, cwd: directory }).output();
    assert(success, new TextDecoder().decode(stderr));
    for (const [name, text] of wanted) assert.equal(await Deno.readTextFile(`${directory}/${name}`), text, name);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("formatDiff shows CRLF lines without their CR, unless nothing but the line end changes", () => {
  const text = "a\r\nb\r\n";
  assert.equal(
    formatDiff(text, [{ start: 3, end: 4, insert: "c" }], "f"),
    "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
  );
  assert.match(formatDiff(text, [{ start: 4, end: 6, insert: "\n" }], "f"), /-b\r\n\+b\n/);
  assert.equal(formatDiff(text, [{ start: 0, end: 1, insert: "a" }], "f"), "");
});
