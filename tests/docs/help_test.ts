/** The help of every command: its examples work word for word, and it fits a terminal of 80 columns. @module */
import assert from "node:assert/strict";
import { readHelp } from "../../scripts/release/help_pages.ts";
import { BINARY } from "../support/binary.ts";
import { isLeftOut } from "./not_run.ts";
import { helpExamples } from "./read_documents.ts";
import { Reader } from "./reader.ts";

const COLUMNS = 80;
/** Commands that need no example. */
const OBVIOUS = new Set(["version"]);

for (const { words, text } of await readHelp(BINARY)) {
  const page = ["llmc-mcp", ...words].join(" "), examples = helpExamples(page, text);
  Deno.test(`${page} --help fits 80 columns and shows an example`, () => {
    const wide = text.split("\n").filter((line) => line.length > COLUMNS);
    assert.deepEqual(wide, []);
    if (!OBVIOUS.has(words.join(" "))) assert.notEqual(examples.length, 0, text);
  });
  const runnable = examples.filter((example) => !isLeftOut(example.text));
  if (runnable.length === 0) continue;
  Deno.test(`the examples of ${page} --help work as they are written`, async (t) => {
    await using reader = await Reader.make();
    for (const example of runnable) await t.step(example.text, () => reader.type(example.text));
  });
}
