import assert from "node:assert/strict";
import { makeInstructions } from "../../src/app/instructions.ts";
import { makeTestApp } from "../support/app.ts";

const sizeOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("instructions name the roots, the way to edit and the programs, in under 1 KB", async () => {
  await using test = await makeTestApp();
  const text = makeInstructions(test.config, test.app.catalog);
  assert.ok(text.startsWith(`Files and commands are confined to: ${test.root}.`));
  assert.match(text, /linux_handle_read[\s\S]*linux_fs_patch_block[\s\S]*Programs that may run: .*\bbash\b/);
  assert.match(text, /Programs that may run: git .*\bpython3 .*\band \d+ more\.$/m);
  assert.ok(sizeOf(text) < 1_024);
});

Deno.test("instructions stay under 1 KB in whole lines, whatever the roots and programs are", async () => {
  await using test = await makeTestApp();
  const roots = Array.from({ length: 50 }, (_, at) => `/home/ü/${"deep/".repeat(25)}${at}`);
  const binaries = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`program-${at}`, `/usr/bin/${at}`]));
  const text = makeInstructions({ ...test.config, roots, binaries }, test.app.catalog);
  assert.ok(sizeOf(text) < 1_024);
  assert.match(text, /and 46 more\. Relative paths start at the first \(or a client's root in it\)\.\nLong results/);
  assert.ok(text.split("\n").every((line) => line.endsWith(".")));
});

Deno.test("instructions speak of what is listed only, under the names that are listed", async () => {
  await using test = await makeTestApp({
    settings: { "mcp.read_only": true, "mcp.tools.toolsets": ["fs"], "mcp.tools.name_style": "dotted" },
  });
  const text = makeInstructions(test.config, test.app.catalog);
  assert.match(text, /read-only/);
  assert.match(text, /linux\.handle_read/);
  assert.doesNotMatch(text, /run|patch|rag/);
});
