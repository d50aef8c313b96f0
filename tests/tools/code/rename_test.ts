/** `code_rename` through the real pipeline: what changes, what is refused and why, and that one undo takes it back. */
import assert from "node:assert/strict";
import { codeRename } from "../../../src/tools/code/rename.ts";
import { fsUndo } from "../../../src/tools/undo/undo.ts";
import { look } from "../look.ts";

const FILES = {
  "lib.ts": "export function carve(x: number) {\n  return x;\n}\n",
  "index.ts": "export { carve } from './lib.ts';\n",
  "a.ts": "import { carve } from './index.ts';\r\nexport const tools = { carve };\r\ncarve(2); // carve\r\n",
  "b.ts": "import { carve as saw } from './lib.ts';\nsaw(3);\nfunction f(carve: number) {\n  return carve;\n}\n",
};

async function texts(root: string, names: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await Deno.readTextFile(`${root}/${name}`)])),
  );
}

Deno.test("code_rename renames a function through imports, keeps aliases, members and locals, and is undone as one", async () => {
  await using app = await look(FILES);
  const { text, result } = await app.call(codeRename, { symbol: "lib.ts:1 carve", new_name: "whittle" });
  assert.deepEqual(await texts(app.root, Object.keys(FILES)), {
    "lib.ts": "export function whittle(x: number) {\n  return x;\n}\n",
    "index.ts": "export { whittle } from './lib.ts';\n",
    "a.ts":
      "import { whittle } from './index.ts';\r\nexport const tools = { carve: whittle };\r\nwhittle(2); // carve\r\n",
    "b.ts": "import { whittle as saw } from './lib.ts';\nsaw(3);\nfunction f(carve: number) {\n  return carve;\n}\n",
  });
  assert.match(text, /^renamed carve to whittle: 6 places in 4 files\n/);
  assert.match(text, /in comments and strings: 1 \(a\.ts\)/);
  assert.equal(result.places, 6);
  await app.call(fsUndo, {});
  assert.deepEqual(await texts(app.root, Object.keys(FILES)), FILES);
});

Deno.test("code_rename with dry_run shows the diff and writes nothing", async () => {
  await using app = await look(FILES);
  const { text } = await app.call(codeRename, { symbol: "lib.ts:1 carve", new_name: "whittle", dry_run: true });
  assert.match(text, /^would rename carve to whittle: 6 places in 4 files\n/);
  assert.match(text, /-export function carve\(x: number\) \{\n\+export function whittle\(x: number\) \{/);
  assert.deepEqual(await texts(app.root, Object.keys(FILES)), FILES);
});

Deno.test("code_rename renames a method with those that replace it", async () => {
  await using app = await look({
    "a.py":
      "class Boat:\n    def sail(self):\n        return self.sail()\n\n\nclass Yacht(Boat):\n    def sail(self):\n        return super().sail()\n\n\nclass Kite:\n    def sail(self):\n        pass\n\n\nYacht().sail()\nKite().sail()\n",
  });
  await app.call(codeRename, { symbol: "Boat.sail", new_name: "go" });
  assert.equal(
    await Deno.readTextFile(`${app.root}/a.py`),
    "class Boat:\n    def go(self):\n        return self.go()\n\n\nclass Yacht(Boat):\n    def go(self):\n        return super().go()\n\n\nclass Kite:\n    def sail(self):\n        pass\n\n\nYacht().go()\nKite().sail()\n",
  );
});

Deno.test("code_rename refuses what it cannot know, says what to give, and changes nothing", async () => {
  const files = {
    "a.ts": "export function carve() {}\nexport class Boat {\n  sail() {}\n}\nexport const taken = 1;\ncarve();\n",
    "b.ts": "export function carve() {}\nfunction f(x) {\n  x.sail();\n}\n",
  };
  await using app = await look(files);
  const rename = (symbol: string, new_name: string, more = {}) => app.call(codeRename, { symbol, new_name, ...more });
  await assert.rejects(rename("carve", "cut"), /several definitions: a\.ts:1, b\.ts:1; nothing was changed.*/);
  await assert.rejects(
    rename("Boat.sail", "go"),
    /1 of 2 places have the name and are not known to be 'sail': b\.ts:3/,
  );
  await assert.rejects(rename("a.ts:1 carve", "taken"), /'taken' is taken where 'carve' is used: a\.ts:5/);
  await assert.rejects(rename("a.ts:1 carve", "not a name"), /is not a name/);
  await assert.rejects(rename("nowhere", "x"), /no symbol 'nowhere'/);
  assert.deepEqual(await texts(app.root, Object.keys(files)), files);
  const { text } = await rename("Boat.sail", "go", { unsure: "leave" });
  assert.match(text, /left as they are, only the name is the same: b\.ts:3/);
  assert.match(await Deno.readTextFile(`${app.root}/b.ts`), /x\.sail\(\)/);
});

Deno.test("code_rename takes C functions with their headers, and Go methods through packages", async () => {
  await using app = await look({
    "a.h": "int put(int x);\n",
    "a.c": '#include "a.h"\nint put(int x) { return x; }\n',
    "b.c": '#include "a.h"\nint main(void) { return put(1); }\n',
    "go.mod": "module example.org/m\n",
    "store/a.go": "package store\n\ntype Store struct{}\n\nfunc (s *Store) Put(x int) {}\n",
    "main.go": 'package main\n\nimport "example.org/m/store"\n\nfunc main() {\n\tvar s store.Store\n\ts.Put(2)\n}\n',
  });
  await app.call(codeRename, { symbol: "put", new_name: "insert" });
  await app.call(codeRename, { symbol: "Store.Put", new_name: "Insert" });
  const found = await texts(app.root, ["a.h", "a.c", "b.c", "store/a.go", "main.go"]);
  assert.ok(
    Object.values(found).every((text) => /insert\(|Insert\(/.test(text) && !/\b[pP]ut\(/.test(text)),
    JSON.stringify(found),
  );
});
