import assert from "node:assert/strict";
import { makeTestApp } from "../support/app.ts";

Deno.test("checkPolicy: without file tools there are none under any name", async () => {
  await using app = await makeTestApp({
    files: { "a.txt": "text\n" },
    settings: { "mcp.linux_ops.features.fs_enabled": false },
  });
  const calls: [string, Record<string, unknown>][] = [
    ["linux_fs_read", { path: "a.txt" }],
    ["linux_search_content", { root: ".", pattern: "text" }],
    ["read_file", { path: "a.txt" }],
    ["list_dir", { path: "." }],
    ["stat", { path: "a.txt" }],
    ["repo_read", { path: "a.txt" }],
    ["repo_write_patch", { path: "a.txt", old_text: "text", new_text: "x" }],
  ];
  for (const [name, args] of calls) {
    const { error } = await app.call(name, args);
    assert.equal(error?.code, "FEATURE_DISABLED", name);
    assert.match(error?.hint ?? "", /mcp\.linux_ops\.features\.fs_enabled/);
  }
});
