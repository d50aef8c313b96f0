import assert from "node:assert/strict";
import plugin from "../../lint/layers.ts";

/** Messages for a file of src/, as the linter would print them. */
function lint(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/home/me/src/llmc/src/${file}`, source).map(({ message }) => message);
}

Deno.test("layers lets a folder import itself and what stands before it", () => {
  assert.deepEqual(lint("tools/fs/read.ts", `import "../../core/page.ts"; import "./meta.ts"; import "zod";`), []);
});

Deno.test("layers refuses every form of an import that climbs", () => {
  const forms = [`import "../te/tool.ts";`, `export * from "../te/tool.ts";`, `export { x } from "../te/tool.ts";`];
  for (const form of [...forms, `await import("../te/tool.ts");`]) {
    assert.deepEqual(lint("core/page.ts", form), ["core may not import te"], form);
  }
});

Deno.test("layers refuses folders that are not on the line", () => {
  assert.deepEqual(lint("utils/x.ts", `import "../core/page.ts";`), ["src/utils is not in the layer order"]);
  assert.deepEqual(lint("tools/x.ts", `import "../utils/x.ts";`), ["tools may not import utils"]);
});

Deno.test("platform-at-edges allows Deno and node: at the edges only", () => {
  const source = `import "node:path"; Deno.cwd();`;
  assert.deepEqual(lint("sys/fs.ts", source), []);
  assert.deepEqual(lint("te/exec.ts", source), ["te may not import node:path", "te may not use Deno"]);
  assert.deepEqual(lint("te/exec.ts", `export * from "node:os";`), ["te may not import node:os"]);
});

Deno.test("one-door keeps a dependency in its folder or file, with its subpaths and types", () => {
  assert.deepEqual(lint("config/load.ts", `import "smol-toml";`), []);
  assert.deepEqual(lint("server/routes/mcp.ts", `import "@modelcontextprotocol/server/stdio";`), []);
  assert.deepEqual(lint("server/middleware/auth.ts", `import { cors } from "hono/cors";`), []);
  const sdk =
    "@modelcontextprotocol/server is imported only in src/server/mcp.ts, src/server/stdio.ts, src/server/routes/mcp.ts";
  assert.deepEqual(lint("server/http.ts", `import type { McpServer } from "@modelcontextprotocol/server";`), [sdk]);
  assert.deepEqual(lint("app/app.ts", `await import("npm:hono@4/cors");`), ["hono is imported only in src/server/"]);
  assert.deepEqual(lint("rag/grammar_x.ts", `import "web-tree-sitter";`), [
    "web-tree-sitter is imported only in src/rag/grammar.ts",
  ]);
  assert.deepEqual(lint("sys/x.ts", `import "node:sqlite";`), ["node:sqlite is imported only in src/sys/sqlite.ts"]);
  assert.deepEqual(lint("server/x.ts", `import "@modelcontextprotocol/client";`), [
    "@modelcontextprotocol/client is imported only in tests",
  ]);
});

Deno.test("one-door leaves core without any package", () => {
  assert.deepEqual(lint("core/x.ts", `import type { z } from "zod";`), ["core is pure: it may not import zod"]);
  assert.deepEqual(lint("core/x.ts", `import "./page.ts";`), []);
  assert.deepEqual(lint("te/tool.ts", `import type { z } from "zod";`), []);
});

Deno.test("zod-namespace wants the form that bundles small, and lets types be", () => {
  const fault = "a named import of zod brings all its languages into the bundle";
  assert.deepEqual(lint("te/x.ts", `import * as z from "zod"; import type { z as t } from "zod";`), []);
  for (const form of [`import { z } from "zod";`, `import z from "zod";`, `import { object, string } from "zod";`]) {
    assert.deepEqual(lint("te/x.ts", form), [fault], form);
  }
});
