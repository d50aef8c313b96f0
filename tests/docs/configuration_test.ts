/** Configuration in the documents: named keys exist, and shown files are accepted. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { runBinary, Sandbox } from "../support/binary.ts";
import { blocks, listDocuments } from "./read_documents.ts";

/** Keys of peers and words that only look like keys. */
const OTHERS = /^mcp\.(?:json|md)$/;

const documents = await Promise.all(
  (await listDocuments()).map(async (path) => ({ path, text: await Deno.readTextFile(`${ROOT}/${path}`) })),
);

Deno.test("every key of the configuration that a document names is one", async () => {
  await using sandbox = await Sandbox.make();
  const shown = await runBinary(["config", "schema"], { env: sandbox.env });
  const known = new Set<string>();
  collect(JSON.parse(shown.stdout), "", known);
  const wrong = [];
  let count = 0;
  for (const { path, text } of documents) {
    for (const [, key = ""] of text.matchAll(/`(mcp(?:\.[a-z_]+)+)/g)) {
      count++;
      if (!known.has(key) && !OTHERS.test(key)) wrong.push(`${path}: ${key}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 50, `only ${count} are named`);
});

Deno.test("every piece of configuration in a document is taken", async () => {
  await using sandbox = await Sandbox.make();
  let count = 0;
  for (const { path, text } of documents) {
    for (const block of blocks(text, "toml").filter((each) => /^\[mcp[.\]]/m.test(each))) {
      count++;
      await sandbox.write("llmc.toml", block);
      const config = `${sandbox.root}/llmc.toml`;
      const { code, stdout, stderr } = await runBinary(["config", "check", "--config", config], { env: sandbox.env });
      assert.equal(code, 0, `${path}:\n${block}\n${stdout}${stderr}`);
    }
  }
  assert.ok(count > 2, `${count} pieces`);
});

/** The dotted names below a node of the schema. */
function collect(node: unknown, name: string, into: Set<string>): void {
  if (name !== "") into.add(name);
  const { properties } = Object(node);
  for (const [child, below] of Object.entries(Object(properties))) {
    collect(below, name === "" ? child : `${name}.${child}`, into);
  }
}
