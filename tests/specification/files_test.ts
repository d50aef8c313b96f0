/** Phase L1 (files and search) and the editing tools, row by row. @module */
import assert from "node:assert/strict";
import { specification } from "./table.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
const FILES = {
  "small.txt": "alpha\nbeta\n",
  "big.txt": numbered(3_000),
  "src/a.py": "def a():\n    return 1  # TODO\n",
  "src/b.txt": "TODO later\n",
  ".hidden": "x\n",
  ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/f${at}.txt`, `needle ${at}\n`])),
};
type Entry = { readonly path: string; readonly type: string };

specification("Phase L1: files and search", { files: FILES }, [
  ["001-R1", "fs_read reads a file in the roots", async ({ ok }) => {
    assert.equal((await ok("linux.fs_read", { path: "small.txt" })).content, "alpha\nbeta");
  }],
  ["001-R2", "offset_lines and max_lines", async ({ ok }) => {
    const { content } = await ok("linux.fs_read", { path: "big.txt", offset_lines: 10, max_lines: 2 });
    assert.equal(content, "line 11\nline 12");
  }],
  ["001-R3", "a handle for the rest", async ({ ok }) => {
    const { handle, meta } = await ok("linux.fs_read", { path: "big.txt" });
    const { content } = await ok("linux.handle_read", { handle, offset: meta.returned_lines, limit: 1 });
    assert.equal(content.trim(), `line ${meta.returned_lines + 1}`);
  }],
  ["001-4.1", "content, handle, and meta with path, total_lines, truncated", async ({ ok }) => {
    const { meta: { path, total_lines, truncated }, handle } = await ok("linux.fs_read", { path: "small.txt" });
    assert.deepEqual([path, total_lines, truncated, handle], ["small.txt", 2, false, null]);
  }],
  ["001-4.1-err", "outside the roots", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "/etc/passwd" }), "INVALID_PATH");
  }],
  ["001-4.1-err2", "not there", async ({ refused }) => {
    assert.equal(await refused("linux.fs_read", { path: "nope" }), "NOT_FOUND");
  }],
  ["001-R4", "fs_write rewrites and appends", async ({ ok }) => {
    await ok("linux.fs_write", { path: "w.txt", content: "a" });
    await ok("linux.fs_write", { path: "w.txt", content: "b", mode: "append" });
    assert.equal((await ok("linux.fs_read", { path: "w.txt" })).content, "ab");
  }],
  ["001-R5", "expected_sha256 that does not fit", async ({ refused }) => {
    const call = { path: "small.txt", content: "x", expected_sha256: "0".repeat(64) };
    assert.equal(await refused("linux.fs_write", call), "SHA_MISMATCH");
  }],
  ["001-R6", "bytes_written and new_sha256", async ({ ok }) => {
    const { bytes_written, new_sha256 } = await ok("linux.fs_write", { path: "w2.txt", content: "abc" });
    assert.deepEqual([bytes_written, new_sha256.length], [3, 64]);
  }],
  ["001-R7", "fs_list by glob", async ({ ok }) => {
    const { entries } = await ok("linux.fs_list", { path: ".", glob: "*.py" });
    assert.deepEqual(entries.filter(({ type }: Entry) => type === "file").map(({ path }: Entry) => path), ["src/a.py"]);
  }],
  ["001-R7b", "hidden files on request", async ({ ok }) => {
    const names = async (include_hidden: boolean) =>
      (await ok("linux.fs_list", { path: ".", max_depth: 1, include_hidden })).entries.map(({ path }: Entry) => path);
    assert.deepEqual([(await names(false)).includes(".hidden"), (await names(true)).includes(".hidden")], [
      false,
      true,
    ]);
  }],
  ["001-R8", "more than 500 entries: truncated, with a handle to all of them", async ({ ok, rest }) => {
    const { body } = await rest("/tool", { session_id: "s", name: "linux.fs_list", args: { path: "many" } });
    assert.deepEqual([body.entries.length, body.truncated, typeof body.handle], [500, true, "string"]);
    assert.ok(await ok("linux.fs_list", { path: "many" }), "and the answer over MCP is JSON");
  }],
  ["001-4.3-err", "a file is not a directory", async ({ refused }) => {
    assert.equal(await refused("linux.fs_list", { path: "small.txt" }), "NOT_A_DIRECTORY");
  }],
  ["001-R9", "fs_move inside the roots", async ({ ok }) => {
    await ok("linux.fs_write", { path: "m.txt", content: "m" });
    assert.equal((await ok("linux.fs_move", { source: "m.txt", target: "n.txt" })).ok, true);
  }],
  ["001-R9b", "fs_move does not leave the roots", async ({ refused }) => {
    assert.equal(await refused("linux.fs_move", { source: "small.txt", target: "/tmp/x" }), "INVALID_PATH");
  }],
  ["001-R10", "fs_delete of a folder needs recursive", async ({ refused }) => {
    assert.equal(await refused("linux.fs_delete", { path: "src" }), "IS_DIRECTORY");
  }],
  ["001-R10b", "the root itself is not deleted, and the refusal says what it is", async ({ text }) => {
    assert.match(
      await text("linux.fs_delete", { path: ".", recursive: true }),
      /^INVALID_PATH: .* cannot be moved or deleted/,
    );
  }],
  ["001-R11", "fs_mkdirs", async ({ ok }) => {
    assert.equal((await ok("linux.fs_mkdirs", { path: "d/e/f" })).ok, true);
  }],
  ["001-R12", "search_files counts all", async ({ ok }) => {
    assert.equal((await ok("linux.search_files", { root: "many", pattern: "*.txt" })).total_hits, 600);
  }],
  ["001-R14", "search_content by pattern and glob", async ({ ok }) => {
    const { hits } = await ok("linux.search_content", { root: ".", pattern: "TODO", file_glob: "*.py" });
    assert.deepEqual(hits.map(({ path }: Entry) => path), ["src/a.py"]);
  }],
  ["001-R15", "literal text", async ({ ok }) => {
    assert.equal((await ok("linux.search_content", { root: "src", pattern: "a()", literal: true })).hits.length, 1);
  }],
  ["001-R16", "a truncated search has a handle to all hits, also those past its maximum", async ({ ok }) => {
    const { handle } = await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 });
    const { total } = await ok("linux.handle_read", { handle, limit: 1 });
    assert.ok(total >= 600, `${total}`);
  }],
  ["001-R16b", "a truncated search is the same each time", async ({ ok }) => {
    const look = async () =>
      JSON.stringify((await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 })).hits);
    assert.deepEqual(new Set([await look(), await look(), await look()]).size, 1);
  }],
  ["001-R16c", "total_hits is there", async ({ ok }) => {
    assert.equal(
      (await ok("linux.search_content", { root: "many", pattern: "needle", max_results: 5 })).total_hits,
      600,
    );
  }],
  ["001-NFR-safe", "a link that leads out is not followed", async ({ sandbox, refused }) => {
    await Deno.symlink("/etc", `${sandbox.root}/out`);
    assert.equal(await refused("linux.fs_read", { path: "out/passwd" }), "INVALID_PATH");
  }],
  ["001-3.1d", "~ is the home directory", async ({ refused }) => {
    assert.equal(await refused("linux.fs_list", { path: "~" }), "INVALID_PATH");
  }],
  ["002-3.3.1", "fs_patch_block wants exactly one match", async ({ refused }) => {
    const call = { path: "big.txt", old_text: "line 1", new_text: "x" };
    assert.equal(await refused("linux.fs_patch_block", call), "PATCH_COUNT_MISMATCH");
  }],
  ["002-3.3.2", "fs_apply_diff: all or nothing", async ({ ok, refused }) => {
    const hunk = (file: string, from: string) => `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${from}\n+changed\n`;
    const diff_text = hunk("src/b.txt", "TODO later") + hunk("small.txt", "is not there");
    assert.equal(await refused("linux.fs_apply_diff", { diff_text }), "DIFF_REJECTED");
    assert.equal((await ok("linux.fs_read", { path: "src/b.txt" })).content, "TODO later");
  }],
  ["002-2.4d", "a handle that is not there", async ({ refused }) => {
    assert.equal(await refused("linux.handle_read", { handle: "H_file_x_y" }), "HANDLE_NOT_FOUND");
  }],
  ["002-2.3", "recent calls: tool, args_summary, status, whole milliseconds, time", async ({ ok }) => {
    const { records: [call] } = await ok("linux.mcp_recent_calls", { max_results: 1 });
    assert.ok(
      Number.isInteger(call.duration_ms) && !Number.isNaN(Date.parse(call.timestamp_iso)),
      JSON.stringify(call),
    );
  }],
  ["002-3.7.1", "usage: count and p95 by tool", async ({ ok }) => {
    const { tools } = await ok("linux.mcp_usage_stats");
    assert.equal(typeof tools.linux_fs_read.p95_ms, "number");
  }],
  ["002-3.8", "onboarding: an unknown flow", async ({ refused }) => {
    assert.equal(await refused("linux.mcp_run_onboarding", { flow_name: "x" }), "UNKNOWN_FLOW");
  }],
  ["002-2.5", "no program that is not on the list", async ({ refused }) => {
    assert.equal(await refused("run_cmd", { command: "ls; su x" }), "COMMAND_NOT_ALLOWED");
  }],
  ["002-2.5b", "a deadline ends with 124 and what there was", async ({ ok }) => {
    const { exit_code, stdout } = await ok("run_cmd", { command: "sh -c 'echo a; sleep 9'", timeout: 0.5 });
    assert.deepEqual([exit_code, stdout], [124, "a\n"]);
  }],
]);
