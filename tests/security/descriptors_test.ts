/**
 * No descriptor that a call opens in the executable stays open: detects closes lost in bundling or forgotten.
 * @module
 */
import assert from "node:assert/strict";
import { startStdio, type StdioServer } from "../../bench/security/stdio_server.ts";
import { BINARY, Sandbox } from "../support/binary.ts";
import { needing, ROOT_USER } from "../support/needs.ts";

const TIMES = 12;
/** Beside what was open before: the index may be at work. */
const SLACK = 4;

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

type Args = Readonly<Record<string, unknown>>;
/** Every way in which files are opened; each leaves things as it found them. */
const CALLS: readonly (readonly [string, Args])[] = [
  ["linux_fs_write", { path: "w.txt", content: "x\n" }],
  ["linux_fs_write", { path: "log.txt", content: "x\n", mode: "append" }],
  ["linux_fs_write", { path: "linked.txt", content: "x\n" }],
  ["linux_fs_patch_block", { path: "w.txt", old_text: "x", new_text: "x" }],
  ["linux_fs_apply_diff", { diff_text: "--- a/d.txt\n+++ b/d.txt\n@@ -1 +1 @@\n-one\n+one \n" }],
  ["linux_fs_apply_diff", { diff_text: "--- a/d.txt\n+++ b/d.txt\n@@ -1 +1 @@\n-one \n+one\n" }],
  ["linux_fs_move", { source: "d.txt", target: "e.txt" }],
  ["linux_fs_move", { source: "e.txt", target: "d.txt" }],
  ["linux_fs_mkdirs", { path: "made/deep" }],
  ["linux_fs_delete", { path: "made", recursive: true }],
  ["linux_fs_read", { path: "w.txt" }],
  ["linux_fs_read", { path: "image.png" }],
  ["linux_fs_read", { path: "missing" }],
  ["linux_fs_stat", { path: "w.txt" }],
  ["linux_fs_list", { path: "." }],
  ["linux_search_content", { pattern: "x" }],
  ["linux_search_files", { pattern: "*.txt" }],
  ["run_cmd", { argv: ["cat", "w.txt"] }],
  ["run_cmd", { argv: ["bash", "-c", "for i in {1..9000}; do echo $i; done"] }],
  ["rag_search", { q: "one" }],
  ["linux_mcp_recent_calls", {}],
];

/** Numbers and links vary, kinds do not. */
async function descriptors(pid: number): Promise<Map<string, number>> {
  const kinds = new Map<string, number>();
  for await (const { name } of Deno.readDir(`/proc/${pid}/fd`)) {
    const kind = (await Deno.readLink(`/proc/${pid}/fd/${name}`).catch(() => "closed")).replace(/\d+/g, "N");
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return kinds;
}

function more(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after].filter(([kind, count]) => count > (before.get(kind) ?? 0) + SLACK).map(([kind, count]) =>
    `${count - (before.get(kind) ?? 0)} more of ${kind}`
  );
}

async function callAll(server: StdioServer): Promise<void> {
  for (const [name, args] of CALLS) await server.call(name, args);
  await server.request("resources/read", { uri: "llmc://file/image.png" });
}

Deno.test(needing("calls leave no descriptor open in the executable", ROOT_USER), async () => {
  await using sandbox = await Sandbox.make({ "w.txt": "x\n", "d.txt": "one\n", "linked.txt": "x\n" });
  await Deno.link(`${sandbox.root}/linked.txt`, `${sandbox.root}/linked too.txt`);
  await Deno.writeFile(`${sandbox.root}/image.png`, Uint8Array.fromBase64(PNG));
  await using server = await startStdio({ program: BINARY, args: ["stdio", "--root", sandbox.root], env: sandbox.env });
  await callAll(server);
  const before = await descriptors(server.pid);
  for (let time = 0; time < TIMES; time++) await callAll(server);
  let left = more(before, await descriptors(server.pid));
  // Children that have ended are collected a moment later.
  for (let wait = 0; wait < 50 && left.length > 0; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = more(before, await descriptors(server.pid));
  }
  assert.deepEqual(left, []);
});
