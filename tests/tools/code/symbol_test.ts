/** `code_symbol` through the real pipeline: its text, its counts, and what it says when it cannot be sure. */
import assert from "node:assert/strict";
import { codeSymbol } from "../../../src/tools/code/symbol.ts";
import { look } from "../look.ts";

const FILES = {
  "src/boat.ts": "export class Boat {\n  sail() {}\n}\n",
  "src/use.ts":
    "import { Boat } from './boat.ts';\nexport function race(other) {\n  new Boat().sail();\n  other.sail();\n}\n",
};

Deno.test("code_symbol shows definitions, then uses by file with what is around them, and marks what only the name says", async () => {
  await using app = await look(FILES);
  const { text, result } = await app.call(codeSymbol, { symbol: "Boat.sail" });
  assert.equal(
    text,
    [
      "src/boat.ts:2 member Boat.sail: sail() {}",
      "src/use.ts",
      "3 race: new Boat().sail();",
      "4? race: other.sail();",
      "[2 references in 1 file · 1 by name only, marked ?]",
    ].join("\n"),
  );
  assert.deepEqual([result.total_places, result.certain_places, result.handle], [2, 1, null]);
});

Deno.test("code_symbol takes a place that an answer shows, and the name on a line", async () => {
  await using app = await look(FILES);
  const at = async (symbol: string) => (await app.call(codeSymbol, { symbol, want: "definition" })).text;
  assert.match(await at("src/use.ts:3"), /^src\/use\.ts:2-5 function race: /);
  assert.match(await at("src/use.ts:3 sail"), /^src\/boat\.ts:2 member Boat\.sail: /);
  assert.match(await at("src/use.ts:3 Boat"), /^src\/boat\.ts:1-3 class Boat: /);
});

Deno.test("code_symbol outlines a file, and says when it has no grammar for it", async () => {
  await using app = await look({ ...FILES, "a.kt": "fun f() {}\n" });
  assert.equal(
    (await app.call(codeSymbol, { symbol: "src/boat.ts", want: "outline" })).text,
    "1-3 class: export class Boat {\n  2 method: sail() {}\n[2 definitions]",
  );
  assert.equal(
    (await app.call(codeSymbol, { symbol: "a.kt", want: "outline" })).text,
    "[0 definitions · no grammar: 1 (a.kt)]",
  );
});

Deno.test("code_symbol keeps a long answer behind a handle, with exact counts", async () => {
  const uses = Array.from({ length: 900 }, (_, at) => `export const v${at} = carve(${at});`).join("\n");
  await using app = await look({
    "a.ts": "export const carve = (x: number) => x;\n",
    "b.ts": `import { carve } from './a.ts';\n${uses}\n`,
  });
  const { text, result } = await app.call(codeSymbol, { symbol: "carve" });
  assert.equal(result.total_places, 901);
  assert.match(text, /\[901 references in 1 file · rest: linux_handle_read \S+ offset \d+\]$/);
});

Deno.test("code_symbol refuses what names nothing", async () => {
  await using app = await look(FILES);
  await assert.rejects(app.call(codeSymbol, { symbol: "nowhere" }), /no symbol 'nowhere'/);
  await assert.rejects(app.call(codeSymbol, { symbol: "" }), /no symbol is named/);
});
