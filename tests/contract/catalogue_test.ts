/** Rules for every tool: names, descriptions, annotations, schemas, and the token cost of the tool list. @module */
import assert from "node:assert/strict";
import { loadO200k } from "../../bench/tokens/tokenizers.ts";
import { snapshotTools } from "../../scripts/snapshots.ts";
import { type ToolFace, toolFace } from "../../src/server/mcp/face.ts";
import { dotted } from "../../src/call/catalog.ts";
import { tools } from "../../src/tools/catalog.ts";
import { makeTestApp } from "../support/app.ts";

const faces: readonly ToolFace[] = tools.map((tool) => toolFace(tool, "underscore"));

/** Names of the specifications, as they write them. */
const SPECIFIED = [
  // files, search, large results
  ...["linux.fs_read", "linux.fs_write", "linux.fs_list", "linux.fs_stat", "linux.fs_move", "linux.fs_delete"],
  ...["linux.fs_mkdirs", "linux.fs_patch_block", "linux.fs_apply_diff", "linux.search_files", "linux.search_content"],
  "linux.handle_read",
  // processes and the machine
  ...[
    "linux.proc_list",
    "linux.proc_tree",
    "linux.proc_kill",
    "linux.proc_start",
    "linux.proc_send",
    "linux.proc_read",
  ],
  ...["linux.proc_stop", "linux.sys_snapshot", "linux.sys_info", "linux.sys_services", "linux.sys_logs"],
  // statistics and guided flows
  ...["linux.mcp_usage_stats", "linux.mcp_recent_calls", "linux.mcp_run_onboarding"],
  // the first server
  ...["health", "read_file", "list_dir", "stat", "run_cmd", "get_metrics", "rag.search", "rag.bootload"],
  // the envelope
  ...["te_run", "repo_read", "repo_write_patch", "run_pytest", "rag_query"],
  // the agent protocol
  ...["EXEC_CLI", "SYS_INFO", "execute_command", "get_system_info"],
];

Deno.test("every tool of the specifications can be called by its dotted and its underscore name", async () => {
  await using test = await makeTestApp();
  const { catalog } = test.app;
  const missing = SPECIFIED.flatMap((name) => [name, name.replace(".", "_")]).filter((name) => !catalog.find(name));
  assert.deepEqual(missing, []);
});

Deno.test("names and aliases are unique, and every client takes them", () => {
  const names = tools.flatMap(({ name, aliases = [] }) => [...new Set([name, dotted(name), ...aliases])]);
  assert.equal(new Set(names).size, names.length);
  const odd = tools.map(({ name }) => name).filter((name) => !/^[a-z][a-z0-9_]{0,39}$/.test(name));
  assert.deepEqual(odd, ["EXEC_CLI", "SYS_INFO"]); // so they are written in their specification
});

Deno.test("every description is one short line, every title says more than the name", () => {
  for (const { name, title, description } of faces) {
    assert.ok(description.length <= 120, `${name}: ${description.length} characters`);
    assert.match(description, /^[A-Z].*\.$/, name);
    assert.doesNotMatch(description, /\n/);
    assert.ok(title.length > 2 && title !== name && title.length <= 40, name);
  }
});

Deno.test("all four annotations are explicit and agree with the effect", () => {
  for (const [at, { name, annotations }] of faces.entries()) {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
      assert.equal(typeof hint, "boolean", name);
    }
    const effect = tools[at]?.passesOn ? "execute" : tools[at]?.effect;
    assert.equal(readOnlyHint, effect === "read", name);
    assert.equal(destructiveHint, effect !== "read", name);
  }
});

/** Every schema inside a schema, with its path. */
function* schemasIn(schema: object, path: string): Generator<[string, Record<string, unknown>]> {
  yield [path, { ...schema }];
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null) continue;
    if (key === "properties" || key === "$defs") {
      for (const [name, inner] of Object.entries(value)) yield* schemasIn(Object(inner), `${path}.${name}`);
    } else if (key === "items" || key === "additionalProperties") yield* schemasIn(value, `${path}.${key}`);
    else if (key === "anyOf" && Array.isArray(value)) {
      for (const [index, inner] of value.entries()) yield* schemasIn(Object(inner), `${path}.${index}`);
    }
  }
}

Deno.test("schemas are plain: no root combinators, no lists of types, no dialect, nothing empty", () => {
  for (const { name, inputSchema, outputSchema } of faces) {
    for (const [side, root] of [["input", inputSchema], ["output", outputSchema]] as const) {
      if (!root) continue;
      assert.equal(root.type, "object", name);
      for (const word of ["oneOf", "anyOf", "allOf", "not", "if"]) {
        assert.ok(!(word in root), `${name} ${side}: ${word}`);
      }
      for (const [path, schema] of schemasIn(root, `${name} ${side}`)) {
        assert.ok(!Array.isArray(schema.type), `${path}: a list of types`);
        assert.ok(!("$schema" in schema), `${path}: $schema`);
        const words = ["type", "anyOf", "enum", "const", "$ref"];
        // A client may send anything where the schema says nothing; only free values in results are so.
        if (side === "input") assert.ok(words.some((word) => word in schema), `${path}: says nothing`);
      }
      for (const key of Object.keys(Object(root.properties))) assert.match(key, /^[a-z][a-z0-9_]*$/, name);
    }
  }
});

Deno.test("defaults and examples in schemas are taken by the tool", () => {
  for (const tool of tools) {
    for (const [key, schema] of Object.entries(Object(toolFace(tool, "underscore").inputSchema.properties))) {
      const { default: fallback, examples = [] } = Object(schema);
      for (const value of [...fallback === undefined ? [] : [fallback], ...examples]) {
        const issues = tool.input.safeParse({ [key]: value }).error?.issues ?? [];
        assert.deepEqual(issues.filter(({ path }) => path[0] === key), [], `${tool.name}.${key}`);
      }
    }
  }
});

Deno.test("what a model sees of the tools stays within its tokens", async () => {
  const count = await loadO200k();
  await using test = await makeTestApp();
  const listed = new Set(test.app.catalog.listed().map(({ name }) => name));
  const byDefault = faces.filter(({ name }) => listed.has(name));
  const seen = (list: readonly ToolFace[]) =>
    count(JSON.stringify(list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))));
  const first = new Set([
    "linux_fs_read",
    "linux_fs_write",
    "linux_fs_list",
    "linux_search_content",
    "run_cmd",
    "linux_handle_read",
  ]);
  const short = test.app.catalog.shortList(new Set()).map((tool) => toolFace(tool, "underscore"));
  const figures = {
    "the short list, as a model sees it": [seen(short), 700],
    "default list, as a model sees it": [seen(byDefault), 2_300],
    "default list, everything": [count(JSON.stringify(byDefault)), 3_500],
    "the six that every agent needs": [seen(byDefault.filter(({ name }) => first.has(name))), 800],
  };
  for (const [what, [tokens = 0, most = 0]] of Object.entries(figures)) {
    assert.ok(tokens <= most, `${what}: ${tokens} > ${most}`);
  }
  assert.equal(byDefault.filter(({ name }) => first.has(name)).length, first.size);
  assert.ok(byDefault.length <= 30, `${byDefault.length} tools are listed`); // some clients drop those beyond 40
});

Deno.test("the faces of the tools and the short list are those of the snapshots", async () => {
  for (const [name, text] of Object.entries(snapshotTools())) {
    const snapshot = await Deno.readTextFile(new URL(`../snapshots/${name}`, import.meta.url));
    assert.equal(text, snapshot, `${name}: run deno task snapshots`);
  }
});

Deno.test("read-only mode and toolsets decide what is listed", async () => {
  const namesWith = async (settings: Record<string, unknown>) => {
    await using test = await makeTestApp({ settings });
    return test.app.catalog.listed();
  };
  const readOnly = await namesWith({ "mcp.read_only": true });
  assert.ok(readOnly.length > 5 && readOnly.every(({ effect }) => effect === "read"));
  for (const toolset of new Set(tools.map(({ toolset }) => toolset))) {
    const listed = await namesWith({ "mcp.tools.toolsets": [toolset], "mcp.linux_ops.features.logs_enabled": true });
    assert.deepEqual(listed, tools.filter((tool) => tool.toolset === toolset), toolset);
  }
});
