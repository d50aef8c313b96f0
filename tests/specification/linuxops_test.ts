/** The low-level design of all LinuxOps tools: editing, handles, records, onboarding, row by row. @module */
import assert from "node:assert/strict";
import { specification } from "./table.ts";

const FILES = {
  "small.txt": "alpha\nbeta\n",
  "big.txt": Array.from({ length: 3_000 }, (_, at) => `line ${at + 1}\n`).join(""),
  "src/b.txt": "TODO later\n",
};

/** Names that the design lists, without their prefix. */
const TOOLS = [
  "fs_read fs_write fs_list fs_move fs_delete fs_mkdirs search_files search_content fs_patch_block fs_apply_diff",
  "proc_list proc_kill proc_start proc_send proc_read proc_stop",
  "sys_snapshot mcp_usage_stats mcp_recent_calls mcp_run_onboarding",
].flatMap((line) => line.split(" "));

specification("LinuxOps: editing, handles, records", { files: FILES }, [
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
  ["002-4", "the twenty tools of the design are listed, each in one line", async ({ mcp }) => {
    const { tools } = await mcp("tools/list");
    const faces = new Map<string, string>(
      tools.map((tool: { name: string; description: string }) => [tool.name, tool.description]),
    );
    const missing = TOOLS.filter((name) => !/^.{1,125}$/.test(faces.get(`linux_${name}`) ?? ""));
    assert.deepEqual(missing, []);
  }],
  ["000-R1b", "a tool is listed as linux.proc_list", async ({ mcp, ok }) => {
    const { tools } = await mcp("tools/list");
    const names = tools.map(({ name }: { name: string }) => name);
    assert.deepEqual([names.includes("linux_proc_list"), names.includes("linux.proc_list")], [true, false]);
    assert.ok(await ok("linux.proc_list", { max_results: 1 }), "and is called by either name");
  }, "Claude Desktop and others refuse a dot in a name; mcp.tools.name_style=dotted lists it so"],
  ["002-2.2", "an error has code and message", async ({ mcp }) => {
    const { isError, structuredContent: { code, message } } = await mcp("tools/call", {
      name: "linux_fs_read",
      arguments: { path: "nope" },
    });
    assert.deepEqual([isError, code, typeof message], [true, "NOT_FOUND", "string"]);
  }],
  ["002-2.4", "a handle is H_<type>_<timestamp>_<random>", async ({ ok }) => {
    assert.match((await ok("linux.fs_read", { path: "big.txt" })).handle, /^H_file_\d{8}T\d{6}Z_[a-z2-7]+$/);
  }],
  ["002-2.4a", "a handle survives the process", async ({ ok, run }) => {
    const { handle } = await ok("linux.fs_read", { path: "big.txt" });
    const { stdout } = await run(["tool", "linux_handle_read", `handle=${handle}`, "offset=2999", "limit=1"]);
    assert.match(stdout, /^line 3000\n/);
  }],
  ["002-2.4b", "a slice of a handle by offset and limit in bytes", async ({ ok }) => {
    const { handle } = await ok("linux.fs_read", { path: "big.txt" });
    assert.equal((await ok("linux.handle_read", { handle, offset: 5, limit: 3, unit: "bytes" })).content, "1\nl");
  }, "lines are the default, because a model thinks in lines"],
  ["002-2.4e", "the payload is the file as it is", async ({ ok }) => {
    const { handle } = await ok("linux.fs_read", { path: "big.txt" });
    assert.equal((await ok("linux.handle_read", { handle, unit: "bytes", limit: 1 })).total, FILES["big.txt"].length);
  }],
  ["002-2.5c", "no shell gets what is not on the list", async ({ refused }) => {
    assert.equal(await refused("run_cmd", { command: "echo $(su x)" }), "COMMAND_NOT_ALLOWED");
  }],
  ["002-2.5d", "an argv goes to the program word by word", async ({ ok }) => {
    assert.equal((await ok("run_cmd", { argv: ["echo", "$(su x); *"] })).stdout, "$(su x); *\n");
  }],
  ["002-3.3.1a", "fs_patch_block answers with what was there before and after", async ({ ok }) => {
    const { path, replacements_made, before_snippet, after_snippet } = await ok("linux.fs_patch_block", {
      path: "big.txt",
      old_text: "line 2222\n",
      new_text: "line two\n",
    });
    assert.deepEqual([path, replacements_made, /line 2222/.test(before_snippet), /line two/.test(after_snippet)], [
      "big.txt",
      1,
      true,
      true,
    ]);
  }],
  ["002-3.3.1b", "old_text that equals new_text", async ({ refused }) => {
    assert.equal(
      await refused("linux.fs_patch_block", { path: "small.txt", old_text: "beta", new_text: "beta" }),
      "INVALID_ARGUMENT",
    );
  }, "a change that changes nothing is a mistake of its caller, and saying so helps"],
  ["002-3.3.1c", "a file over 2 MB is OUTPUT_TOO_LARGE", async ({ sandbox, refused }) => {
    await sandbox.write("huge.txt", "one line of a huge file\n".repeat(120_000));
    assert.equal(
      await refused("linux.fs_patch_block", { path: "huge.txt", old_text: "x", new_text: "y" }),
      "OUTPUT_TOO_LARGE",
    );
  }],
  ["002-3.3.1d", "no match shows the closest place", async ({ text }) => {
    assert.match(
      await text("linux.fs_patch_block", { path: "small.txt", old_text: "alpha\nbeto", new_text: "x" }),
      /Closest: lines 1-2/,
    );
  }],
  ["002-3.3.2a", "fs_apply_diff: files_modified, backups_created, message", async ({ ok }) => {
    const diff_text = "--- a/small.txt\n+++ b/small.txt\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+gamma\n";
    const { files_modified, backups_created, message } = await ok("linux.fs_apply_diff", { diff_text });
    assert.deepEqual([files_modified, backups_created, typeof message], [["small.txt"], true, "string"]);
  }],
  ["002-3.3.2b", "fs_apply_diff stays in the roots", async ({ refused }) => {
    const diff_text = "--- a/../etc/passwd\n+++ b/../etc/passwd\n@@ -1 +1 @@\n-x\n+y\n";
    assert.equal(await refused("linux.fs_apply_diff", { diff_text }), "INVALID_PATH");
  }],
  ["002-3.3.2c", "a backup is beside the file", ({ sandbox }) => {
    assert.deepEqual([...Deno.readDirSync(sandbox.root)].filter(({ name }) => name.endsWith(".bak")), []);
  }, "a copy in the data directory keeps the project clean; mcp.tools.backups=beside is the other way"],
  ["002-3.7.2", "recent calls by tool, in either spelling", async ({ ok }) => {
    for (const tool_name of ["linux.fs_read", "linux_fs_read"]) {
      const { records } = await ok("linux.mcp_recent_calls", { tool_name });
      assert.ok(records.length > 0 && records.every(({ tool }: { tool: string }) => tool === "linux_fs_read"));
    }
  }],
  ["002-3.7.2a", "at most 200 recent calls, else INVALID_ARGUMENT", async ({ ok }) => {
    const { warnings } = await ok("linux.mcp_recent_calls", { max_results: 201 });
    assert.deepEqual(warnings, ["max_results: 200 in place of 201, its bound"]);
  }, "the bound is used and the answer says so, which saves the second call"],
  ["002-3.8a", "each onboarding flow: flow, steps with description and result, summary", async ({ ok }) => {
    for (const flow_name of ["explain_repo", "system_health"]) {
      const { flow, steps: [{ description, result }], summary } = await ok("linux.mcp_run_onboarding", { flow_name });
      assert.deepEqual([flow, typeof description, typeof result, typeof summary], [
        flow_name,
        "string",
        "string",
        "string",
      ]);
    }
  }],
  ["002-3.8c", "organize_downloads looks at ~/Downloads", async ({ refused }) => {
    assert.equal(await refused("linux.mcp_run_onboarding", { flow_name: "organize_downloads" }), "INVALID_PATH");
  }, "a folder outside the roots stays closed; mcp.onboarding.downloads_dir names another"],
  ["002-X4", "each call is counted", async ({ ok }) => {
    assert.ok((await ok("linux.mcp_usage_stats")).tools.linux_fs_read.count > 1);
  }],
]);
