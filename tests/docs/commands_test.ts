/** Every command in a document works word for word. @module */
import assert from "node:assert/strict";
import { ROOT } from "../../scripts/project.ts";
import { readHelp } from "../../scripts/release/help_pages.ts";
import { BINARY } from "../support/binary.ts";
import { needing, program } from "../support/needs.ts";
import { isLeftOut, NOT_RUN } from "./not_run.ts";
import { helpExamples, inlineCommands, listDocuments, shellCommands, unmarkedCommands } from "./read_documents.ts";
import { Reader } from "./reader.ts";

const documents = await Promise.all(
  (await listDocuments()).map(async (path) => ({ path, text: await Deno.readTextFile(`${ROOT}/${path}`) })),
);
const pages = await readHelp(BINARY);
const names = new Set(pages.map(({ words }) => ["llmc-mcp", ...words].join(" ")));
const shown = documents.map(({ path, text }) => [...shellCommands(path, text), ...inlineCommands(path, text, names)]);
const examples = pages.flatMap(({ words, text }) => helpExamples(["llmc-mcp", ...words].join(" "), text));

Deno.test("every make verb in the documents is one of the Makefile", async () => {
  const makefile = await Deno.readTextFile(`${ROOT}/Makefile`);
  for (const { text, document, line } of shown.flat()) {
    const verb = text.match(/^make ([a-z-]+)/)?.[1];
    if (verb !== undefined) assert.match(makefile, new RegExp(`^${verb}:`, "m"), `${document}:${line}: ${text}`);
  }
});

Deno.test("every reason for not running a command is needed", () => {
  const all = [...shown.flat(), ...examples];
  for (const [pattern] of NOT_RUN) {
    assert.ok(all.some(({ text }) => pattern.test(text)), `nothing shows a command like ${pattern}`);
  }
});

Deno.test("every command in a document is in a block that is marked as shell, where the tests find it", () => {
  assert.deepEqual(documents.flatMap(({ path, text }) => unmarkedCommands(path, text)), []);
});

for (const commands of shown) {
  const [first] = commands;
  const runnable = commands.filter(({ text }) => !isLeftOut(text));
  if (first === undefined || runnable.length === 0) continue;
  Deno.test(`the commands that ${first.document} shows work as they are written`, async (t) => {
    await using reader = await Reader.make();
    for (const { line, text } of runnable) {
      const needed = /\bcurl /.test(text) ? [program("curl")] : [];
      await t.step({ ...needing(`line ${line}: ${text}`, ...needed), fn: () => reader.type(text) });
    }
  });
}
