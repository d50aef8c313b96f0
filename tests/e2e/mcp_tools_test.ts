/** Every listed tool has a handler, in the executable and under every name. @module */
import assert from "node:assert/strict";
import { Ajv } from "ajv";
import * as z from "zod";
import { tools } from "../../src/tools/catalog.ts";
import { dotted } from "../../src/call/catalog.ts";
import { Sandbox } from "../support/binary.ts";
import { type Lack, needing, PYTEST } from "../support/needs.ts";
import { type Frame, StdioPeer, textOf } from "../support/stdio_peer.ts";

const EVERYTHING = [
  ...["--set", 'mcp.tools.toolsets=["fs","search","run","proc","sys","rag","stats","logs","mvp","te","ufo","script"]'],
  ...["--set", "mcp.linux_ops.features.logs_enabled=true"],
];

const FILES = {
  "a.txt": "hello\nworld\n",
  "long.txt": "line\n".repeat(1_000),
  "test_ok.py": "def test_ok():\n    assert True\n",
  "doomed/x.txt": "x",
};

const PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-hello\n+hallo\n world\n";
const PATCH_BACK = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-hallo\n+hello\n world\n";

/** What a step may use of those before it. */
interface Found {
  handle: string;
  procId: string;
  pid: number;
}

/** A call of each tool that must work, in an order in which it can. */
const CALLS: readonly [string, (found: Found) => Frame][] = [
  ["linux_fs_read", () => ({ path: "long.txt", max_lines: 5 })],
  ["linux_handle_read", ({ handle }) => ({ handle, offset: 5 })],
  ["linux_fs_list", () => ({})],
  ["linux_fs_stat", () => ({ path: "a.txt" })],
  ["linux_fs_write", () => ({ path: "new.txt", content: "new\n" })],
  ["linux_fs_mkdirs", () => ({ path: "made/deep" })],
  ["linux_fs_move", () => ({ source: "new.txt", target: "made/new.txt" })],
  ["linux_fs_delete", () => ({ path: "doomed", recursive: true })],
  ["linux_fs_undo", () => ({})],
  ["linux_fs_changes", () => ({ diff: true })],
  ["linux_fs_patch_block", () => ({ path: "test_ok.py", old_text: "assert True", new_text: "assert 1 == 1" })],
  ["linux_fs_apply_diff", () => ({ diff_text: PATCH })],
  ["linux_search_content", () => ({ pattern: "hallo" })],
  ["linux_search_files", () => ({ pattern: "a.txt" })],
  ["rag_search", () => ({ q: "test ok" })],
  ["rag_bootload", () => ({})],
  ["run_cmd", () => ({ command: "echo hi" })],
  ["linux_proc_start", () => ({ command: "python3 -u -i" })],
  ["linux_proc_send", ({ procId }) => ({ proc_id: procId, input: "6 * 7" })],
  ["linux_proc_read", ({ procId }) => ({ proc_id: procId, timeout_ms: 100 })],
  ["linux_proc_list", () => ({})],
  ["linux_proc_tree", () => ({})],
  ["linux_proc_kill", ({ pid }) => ({ pid, signal: "KILL" })],
  ["linux_proc_stop", ({ procId }) => ({ proc_id: procId })],
  ["linux_sys_snapshot", () => ({})],
  ["linux_sys_info", () => ({ info_type: "memory" })],
  ["linux_sys_services", () => ({})],
  ["linux_sys_logs", () => ({ lines: 5 })],
  ["linux_mcp_usage_stats", () => ({})],
  ["linux_mcp_recent_calls", () => ({})],
  ["linux_mcp_run_onboarding", () => ({ flow_name: "system_health" })],
  ["health", () => ({})],
  ["read_file", () => ({ path: "a.txt" })],
  ["list_dir", () => ({})],
  ["stat", () => ({ path: "a.txt" })],
  ["get_metrics", () => ({})],
  ["te_run", () => ({ command: "ls" })],
  ["script", () => ({ code: "print(1)" })],
  ["repo_read", () => ({ path: "a.txt" })],
  ["repo_write_patch", () => ({ diff_text: PATCH_BACK })],
  ["run_pytest", () => ({ path: "test_ok.py" })],
  ["rag_query", () => ({ query: "test ok" })],
  ["EXEC_CLI", () => ({ command: "echo hi" })],
  ["SYS_INFO", () => ({ info_type: "memory" })],
];

/** What some tools need of the machine. */
const NEEDED: Readonly<Record<string, readonly Lack[]>> = { run_pytest: [PYTEST] };

/** A machine without systemd has no services and no journal to show; the tool says so. */
const MAY_BE_ABSENT = new Set(["linux_sys_services", "linux_sys_logs"]);

Deno.test("every tool that is listed works, under its name", async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { args: EVERYTHING });
  const { tools: listed } = Object((await peer.request("tools/list")).result);
  const names: string[] = listed.map(({ name }: { name: string }) => name);
  assert.deepEqual([...names].sort(), CALLS.map(([name]) => name).sort());
  const found: Found = { handle: "", procId: "", pid: 0 };
  for (const [name, args] of CALLS) {
    await t.step({
      ...needing(name, ...NEEDED[name] ?? []),
      async fn() {
        const frame = await peer.request("tools/call", { name, arguments: args(found) });
        const { isError, structuredContent } = Object(frame.result), text = textOf(frame);
        if (isError && MAY_BE_ABSENT.has(name)) assert.doesNotMatch(text, /INTERNAL/);
        else assert.notEqual(isError, true, text);
        const { outputSchema } = listed.find((tool: { name: string }) => tool.name === name);
        assert.equal(structuredContent !== undefined, outputSchema !== undefined && !isError, name);
        if (structuredContent !== undefined) {
          assert.deepEqual(misfits(closed(outputSchema), structuredContent), [], name);
        }
        found.handle = text.match(/H_file_\w+/)?.[0] ?? found.handle;
        found.procId = text.match(/P_\w+/)?.[0] ?? found.procId;
        if (name === "linux_proc_start") found.pid = Number(text.match(/pid (\d+)/)?.[1] ?? 0);
      },
    });
  }
});

Deno.test("every result in JSON has all fields of its tool's schema that are not optional, and no others", async (t) => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox, { args: [...EVERYTHING, "--set", "mcp.tools.result_format=json"] });
  const found: Found = { handle: "", procId: "", pid: 0 };
  for (const [name, args] of CALLS) {
    await t.step({
      ...needing(name, ...NEEDED[name] ?? []),
      async fn() {
        const frame = await peer.request("tools/call", { name, arguments: args(found) }), text = textOf(frame);
        found.handle = text.match(/H_file_\w+/)?.[0] ?? found.handle;
        found.procId = text.match(/P_\w+/)?.[0] ?? found.procId;
        if (name === "linux_proc_start") found.pid = Number(text.match(/"pid":(\d+)/)?.[1] ?? 0);
        if (Object(frame.result).isError) return assert.ok(MAY_BE_ABSENT.has(name), text);
        const tool = tools.find((each) => each.name === name);
        assert.ok(tool);
        const { warnings: _warnings, rest: _rest, ...result } = JSON.parse(text); // of the pipeline, not of the tool
        assert.deepEqual(
          misfits(closed(z.toJSONSchema(tool.output, { io: "output", unrepresentable: "any" })), result),
          [],
        );
      },
    });
  }
});

/** A schema of which every object has the properties that it names, and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $schema: _dialect, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, closed(inner)]),
  );
  return "properties" in rest && !("additionalProperties" in rest) ? { ...rest, additionalProperties: false } : rest;
}

/** Where a value does not fit a schema. */
function misfits(schema: unknown, value: unknown): string[] {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(Object(schema));
  validate(value);
  return (validate.errors ?? []).map((error) =>
    `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`
  );
}

Deno.test("every tool can be called under its dotted name and its aliases, listed or not", async () => {
  await using sandbox = await Sandbox.make(FILES);
  await using peer = await StdioPeer.open(sandbox);
  for (const { name, aliases = [] } of tools) {
    for (const other of new Set([dotted(name), ...aliases])) {
      const { result, error } = await peer.request("tools/call", { name: other, arguments: { no_such_argument: 1 } });
      assert.ok(result, JSON.stringify(error)); // an unknown tool would be a protocol error
      assert.match(JSON.stringify(result), /INVALID_ARGUMENT|FEATURE_DISABLED/, other);
    }
  }
});
