/** Third-party packages of the executable: pinned, listed, and under acceptable licences. @module */
import assert from "node:assert/strict";
import { npmComponents } from "../../scripts/release/npm_components.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A package more is a decision, not an accident. */
const BUNDLED = [
  "@jitl/quickjs-ffi-types",
  "@jitl/quickjs-wasmfile-release-sync",
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "commander",
  "hono",
  "jschardet",
  "quickjs-emscripten-core",
  "smol-toml",
  "stemmer",
  "web-tree-sitter",
  "zod",
];
const PERMISSIVE = ["0BSD", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];

async function readJson(name: string) {
  return JSON.parse(await Deno.readTextFile(`${ROOT}${name}`));
}

Deno.test("every dependency has one exact version, and the lock file holds the hash of each archive", async () => {
  const imports: Record<string, string> = (await readJson("deno.json")).imports;
  for (const [name, specifier] of Object.entries(imports)) {
    assert.match(specifier, /^npm:\/?(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:-[\w.]+)?(?:\/[\w./-]*)?$/, name);
  }
  const lock = await readJson("deno.lock");
  assert.deepEqual([lock.remote, lock.jsr, lock.redirects], [undefined, undefined, undefined], "only npm packages");
  for (const [name, { integrity }] of Object.entries<{ integrity?: string }>(lock.npm)) {
    assert.match(integrity ?? "", /^sha512-[\w+/]{86}==$/, name);
  }
});

Deno.test("the executable holds these packages and no other, all under permissive terms", async () => {
  const components = await npmComponents();
  assert.deepEqual(components.map(({ name }) => name).sort(), BUNDLED);
  for (const { name, license } of components) assert.ok(PERMISSIVE.includes(license), `${name}: ${license}`);
});
