import assert from "node:assert/strict";
import plugin from "../../lint/layers.ts";

/** Messages for a file of src/, as the linter would print them. */
function lint(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/home/me/src/llmc/src/${file}`, source).map(({ message }) => message);
}

Deno.test("layers lets a folder import itself and the floors below", () => {
  assert.deepEqual(lint("tools/fs/read.ts", `import "../../core/page.ts"; import "./meta.ts"; import "zod";`), []);
});

Deno.test("layers refuses every form of an import that climbs", () => {
  const forms = [
    `import "../call/tool.ts";`,
    `export * from "../call/tool.ts";`,
    `export { x } from "../call/tool.ts";`,
  ];
  for (const form of [...forms, `await import("../call/tool.ts");`]) {
    assert.deepEqual(lint("core/page.ts", form), ["core may not import call"], form);
  }
});

Deno.test("layers refuses imports between folders of one floor", () => {
  assert.deepEqual(lint("store/x.ts", `import "../sandbox/level.ts";`), ["store may not import sandbox"]);
  assert.deepEqual(lint("server/x.ts", `import "../tools/catalog.ts";`), ["server may not import tools"]);
});

Deno.test("layers refuses folders that are not on a floor", () => {
  assert.deepEqual(lint("utils/x.ts", `import "../core/page.ts";`), ["src/utils is not on any floor"]);
  assert.deepEqual(lint("tools/x.ts", `import "../utils/x.ts";`), ["tools may not import utils"]);
});

Deno.test("layers refuses imports from scripts to bench", () => {
  const run = (file: string, source: string) =>
    Deno.lint.runPlugin(plugin, `/home/me/src/llmc/${file}`, source).map(({ message }) => message);
  const message = "scripts may not import bench: see scripts/reports";
  assert.deepEqual(run("scripts/docs.ts", `import "../bench/run.ts";`), [message]);
  assert.deepEqual(run("scripts/release/x.ts", `import type { X } from "../../bench/measure/x.ts";`), [message]);
  assert.deepEqual(run("scripts/docs.ts", `import "./reports/targets.ts"; import "../src/core/path.ts";`), []);
});

Deno.test("platform-at-edges allows Deno and node: at the edges only", () => {
  const source = `import "node:path"; Deno.cwd();`;
  assert.deepEqual(lint("sys/fs.ts", source), []);
  assert.deepEqual(lint("call/exec.ts", source), ["call may not import node:path", "call may not use Deno"]);
  assert.deepEqual(lint("call/exec.ts", `export * from "node:os";`), ["call may not import node:os"]);
});

Deno.test("one-door keeps a dependency in its folder or file, with its subpaths and types", () => {
  assert.deepEqual(lint("config/load.ts", `import "smol-toml";`), []);
  assert.deepEqual(lint("server/http/routes/mcp.ts", `import "@modelcontextprotocol/server/stdio";`), []);
  assert.deepEqual(lint("server/http/middleware/auth.ts", `import { cors } from "hono/cors";`), []);
  const sdk =
    "@modelcontextprotocol/server is imported only in src/server/mcp/server.ts, src/server/mcp/stdio.ts, src/server/http/routes/mcp.ts";
  assert.deepEqual(lint("server/http.ts", `import type { McpServer } from "@modelcontextprotocol/server";`), [sdk]);
  assert.deepEqual(lint("app/app.ts", `await import("npm:hono@4/cors");`), ["hono is imported only in src/server/"]);
  assert.deepEqual(lint("code_search/grammar_x.ts", `import "web-tree-sitter";`), [
    "web-tree-sitter is imported only in src/sys/grammar.ts",
  ]);
  assert.deepEqual(lint("sys/x.ts", `import "node:sqlite";`), ["node:sqlite is imported only in src/sys/database.ts"]);
  assert.deepEqual(lint("server/x.ts", `import "@modelcontextprotocol/client";`), [
    "@modelcontextprotocol/client is imported only in tests",
  ]);
});

Deno.test("one-door leaves core without any package", () => {
  assert.deepEqual(lint("core/x.ts", `import type { z } from "zod";`), ["core is pure: it may not import zod"]);
  assert.deepEqual(lint("core/x.ts", `import "./page.ts";`), []);
  assert.deepEqual(lint("call/tool.ts", `import type { z } from "zod";`), []);
});

Deno.test("zod-namespace wants the form that bundles small, and lets types be", () => {
  const fault = "a named import of zod brings all its languages into the bundle";
  assert.deepEqual(lint("call/x.ts", `import * as z from "zod"; import type { z as t } from "zod";`), []);
  for (const form of [`import { z } from "zod";`, `import z from "zod";`, `import { object, string } from "zod";`]) {
    assert.deepEqual(lint("call/x.ts", form), [fault], form);
  }
});
