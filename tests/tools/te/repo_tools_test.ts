/** repo_read, repo_write_patch and run_pytest through the real envelope. @module */
import assert from "node:assert/strict";
import { makeTestApp } from "../../support/app.ts";
import { needing, PYTEST } from "../../support/needs.ts";

const TEN = Array.from({ length: 10 }, (_, i) => `row ${i}`).join("\n") + "\n";

Deno.test("repo_read reads a window of lines, and fewer when max_bytes is reached", async () => {
  await using app = await makeTestApp({ files: { "a.txt": TEN } });
  const window = await app.result("repo_read", { path: "a.txt", offset_lines: 2, max_lines: 3 });
  assert.equal(window.content, "row 2\nrow 3\nrow 4");
  const small = await app.result("repo_read", { path: "a.txt", max_bytes: 12 });
  assert.equal(small.content, "row 0\nrow 1");
  assert.notEqual(small.handle, null);
  assert.equal((await app.call("repo_read", { path: "../out" })).error?.code, "INVALID_PATH");
});

Deno.test("repo_write_patch takes a diff, or old and new text", async () => {
  await using app = await makeTestApp({ files: { "a.txt": TEN, "b.txt": "one\n" } });
  const diff = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+two\n";
  const patched = await app.result("repo_write_patch", { diff_text: diff });
  assert.deepEqual(patched.files_modified, ["b.txt"]);
  assert.equal(await Deno.readTextFile(`${app.root}/b.txt`), "two\n");
  const replaced = await app.result("repo_write_patch", { path: "a.txt", old_text: "row 3", new_text: "row three" });
  assert.equal(replaced.replacements_made, 1);
  assert.match(await Deno.readTextFile(`${app.root}/a.txt`), /row 2\nrow three\nrow 4/);
});

Deno.test("repo_write_patch refuses what says two things or nothing, and what does not fit", async () => {
  await using app = await makeTestApp({ files: { "a.txt": TEN } });
  const code = async (args: Record<string, unknown>) => (await app.call("repo_write_patch", args)).error?.code;
  assert.equal(await code({}), "INVALID_ARGUMENT");
  assert.equal(await code({ diff_text: "--- a\n", old_text: "x", new_text: "y" }), "INVALID_ARGUMENT");
  assert.equal(await code({ path: "a.txt", old_text: "absent", new_text: "y" }), "PATCH_COUNT_MISMATCH");
  assert.equal(await Deno.readTextFile(`${app.root}/a.txt`), TEN);
});

Deno.test({
  ...needing("run_pytest answers with counts, failures with place and message, duration and the slowest tests", PYTEST),
  async fn() {
    await using app = await makeTestApp({
      files: {
        "test_sum.py":
          "import time\n\ndef test_good():\n    time.sleep(0.05)\n\ndef test_bad():\n    assert 1 + 1 == 3\n",
        "other/test_more.py": "import pytest\n\n@pytest.mark.skip\ndef test_later():\n    pass\n",
      },
    });
    const result = await app.result("run_pytest", {});
    assert.deepEqual(result.counts, { passed: 1, failed: 1, skipped: 1, errors: 0 });
    assert.deepEqual(result.failures, [
      { test: "test_sum.py::test_bad", file: "test_sum.py", line: 7, message: "assert (1 + 1) == 3" },
    ]);
    assert.equal(result.exit_code, 1);
    assert.equal(result.success, false);
    assert.ok(Number(result.duration_s) > 0);
    assert.match(JSON.stringify(result.slowest), /test_sum\.py::test_good/);
    const one = await app.result("run_pytest", { path: "test_sum.py", args: ["-k", "good"] });
    assert.deepEqual(one.counts, { passed: 1, failed: 0, skipped: 0, errors: 0 });
    const { text } = await app.call("run_pytest", {});
    assert.match(text, /1 failed, 1 passed, 1 skipped/);
    assert.match(text, /test_sum\.py:7: in test_bad/);
  },
});
