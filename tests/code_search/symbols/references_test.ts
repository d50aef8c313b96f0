/** References by language: what scope, import and type prove, what only the name says, and what is something else. */
import assert from "node:assert/strict";
import type { SymbolWant } from "../../../src/code_search/symbols/symbol.ts";
import { testIndex } from "../test_index.ts";

/** Asks, and gives `path:line`, with `?` behind what only the name says. */
async function ask(files: Readonly<Record<string, string>>, symbol: string, want: SymbolWant = "references") {
  await using test = await testIndex(files);
  const [, path, line] = /^(.*):(\d+)$/.exec(symbol) ?? [];
  const named = path === undefined ? { name: symbol } : { path: `${test.root}/${path}`, line: Number(line) };
  const answer = await test.index.symbol({ ...named, want, signal: AbortSignal.timeout(120_000) });
  return {
    places: answer.places.map(({ path, line, certain }) => `${path}:${line}${certain ? "" : "?"}`).sort(),
    definitions: answer.definitions.map(({ path, line }) => `${path}:${line}`).sort(),
    answer,
  };
}

Deno.test("TypeScript names follow imports, aliases and exports that pass on, and locals of the same name are others", async () => {
  const { places, definitions } = await ask({
    "lib.ts": "export function carve(x: number) {\n  return x;\n}\nfunction inner() {\n  return carve(1);\n}\n",
    "index.ts": "export { carve as cut } from './lib.ts';\nexport * from './lib.ts';\n",
    "a.ts": "import { carve } from './index.ts';\ncarve(2);\n",
    "b.ts": "import { cut as saw } from './index.ts';\nsaw(3);\n",
    "c.ts": "const carve = 1;\nexport default carve;\n// carve\n",
    "d.ts": "import * as all from './lib.ts';\nall.carve(4);\nfunction f(carve: number) {\n  return carve;\n}\n",
    "e.ts": "import { carve } from 'elsewhere';\ncarve();\n",
  }, "lib.ts:1");
  assert.deepEqual(definitions, ["lib.ts:1"]);
  assert.deepEqual(places, ["a.ts:1", "a.ts:2", "d.ts:2", "index.ts:1", "lib.ts:5"]);
});

Deno.test("TypeScript members follow the type of their object, and an unknown object is told as such", async () => {
  const { places } = await ask({
    "boat.ts":
      "export class Boat {\n  sail() {}\n  go() {\n    this.sail();\n  }\n}\nexport class Kite {\n  sail() {}\n}\n",
    "use.ts": [
      "import { Boat, Kite } from './boat.ts';",
      "const boat = new Boat();",
      "boat.sail();",
      "new Kite().sail();",
      "function f(b: Boat, k: Kite | null, u) {",
      "  b.sail();",
      "  k?.sail();",
      "  u.sail();",
      "}",
      "class Yacht extends Boat {",
      "  race() {",
      "    this.sail();",
      "    super.sail();",
      "  }",
      "}",
    ].join("\n"),
  }, "Boat.sail");
  assert.deepEqual(places, ["boat.ts:4", "use.ts:12", "use.ts:13", "use.ts:3", "use.ts:6", "use.ts:8?"]);
});

Deno.test("Python names follow relative imports, packages that pass on, modules and self", async () => {
  const { places } = await ask({
    "pkg/__init__.py": "from .core import Session\n",
    "pkg/core.py":
      "class Session:\n    def get(self):\n        return self.get()\n\n\ndef session():\n    return Session()\n",
    "pkg/api.py": "from . import core\n\n\ndef request():\n    with core.Session() as s:\n        return s\n",
    "use.py":
      "from pkg import Session as S\nimport pkg.core\n\nS()\npkg.core.Session()\n\n\ndef f(Session):\n    return Session\n",
  }, "Session");
  assert.deepEqual(places, ["pkg/__init__.py:1", "pkg/api.py:5", "pkg/core.py:7", "use.py:1", "use.py:4", "use.py:5"]);
});

Deno.test("Python methods follow annotations and made objects", async () => {
  const { places } = await ask({
    "m.py": "class A:\n    def run(self):\n        pass\n\n\nclass B:\n    def run(self):\n        pass\n",
    "u.py":
      "from m import A, B\n\na = A()\na.run()\nB().run()\n\n\ndef f(x: A, y):\n    x.run()\n    y.run()\n    'run'.run()\n",
  }, "A.run");
  assert.deepEqual(places, ["u.py:10?", "u.py:4", "u.py:9"]);
});

Deno.test("Go names are shared in a package, and follow imports and receivers", async () => {
  const { places } = await ask({
    "go.mod": "module example.org/m\n",
    "store/a.go":
      "package store\n\ntype Store struct{ n int }\n\nfunc (s *Store) Put(x int) { s.n = x }\n\nfunc New() *Store { return &Store{} }\n",
    "store/b.go": "package store\n\nfunc fill(s *Store) { s.Put(1) }\n",
    "main.go":
      'package main\n\nimport "example.org/m/store"\n\nfunc main() {\n\ts := store.New()\n\ts.Put(2)\n\tvar q Queue\n\tq.Put(3)\n}\n\ntype Queue struct{}\n\nfunc (q Queue) Put(x int) {}\n',
  }, "Store.Put");
  assert.deepEqual(places, ["main.go:7", "store/b.go:3"]);
});

Deno.test("C functions are shared by the whole tree, static ones by their file", async () => {
  const files = {
    "a.h": "int put(int x);\n",
    "a.c":
      '#include "a.h"\nint put(int x) { return x; }\nstatic int help(void) { return put(1); }\nint go(void) { return help(); }\n',
    "b.c":
      '#include "a.h"\nstatic int help(void) { return 2; }\nint main(void) { int (*f)(int) = put; return help() + f(put(3)); }\n',
  };
  assert.deepEqual((await ask(files, "a.c:2")).places, ["a.c:3", "b.c:3", "b.c:3"]);
  assert.deepEqual((await ask(files, "b.c:2")).places, ["b.c:3"]);
});

Deno.test("Java, C#, Rust, Ruby, PHP, C++ and Bash: uses of a method or function are found", async () => {
  const uses = async (files: Readonly<Record<string, string>>, symbol: string) => (await ask(files, symbol)).places;
  assert.deepEqual(
    await uses({
      "p/A.java": "package p;\npublic class A {\n  void run() { run(); }\n}\n",
      "p/B.java": "package p;\nclass B {\n  void go(A a, Object o) { a.run(); this.run(); }\n  void run() {}\n}\n",
    }, "A.run"),
    ["p/A.java:3", "p/B.java:3"],
  );
  assert.deepEqual(
    await uses({
      "A.cs": "class A {\n  public void Run() { Run(); }\n}\n",
      "B.cs": "class B {\n  void Go(A a) { a.Run(); var b = new A(); b.Run(); }\n}\n",
    }, "A.Run"),
    ["A.cs:2", "B.cs:2", "B.cs:2"],
  );
  assert.deepEqual(
    await uses({
      "src/lib.rs": "pub mod a;\nuse crate::a::Boat;\npub fn f() {\n    let b = Boat::new();\n    b.sail();\n}\n",
      "src/a.rs": "pub struct Boat;\nimpl Boat {\n    pub fn new() -> Self { Boat }\n    pub fn sail(&self) {}\n}\n",
    }, "Boat.sail"),
    ["src/lib.rs:5"],
  );
  assert.deepEqual(
    await uses({
      "a.rb": "class Boat\n  def sail\n    sail\n  end\nend\n",
      "b.rb": "b = Boat.new\nb.sail\n",
    }, "Boat.sail").then((found) => found.map((one) => one.replace("?", ""))),
    ["a.rb:3", "b.rb:2"],
  );
  assert.deepEqual(
    await uses({
      "A.php": "<?php\nclass A {\n  function run() { $this->run(); }\n}\n",
      "B.php": "<?php\nfunction go(A $a) { $a->run(); $b = new A(); $b->run(); }\n",
    }, "A.run"),
    ["A.php:3", "B.php:2", "B.php:2"],
  );
  assert.deepEqual(
    await uses({
      "a.hpp": "class A {\npublic:\n  void run();\n};\n",
      "a.cpp":
        '#include "a.hpp"\nvoid A::run() { this->run(); }\nint main() { A a; a.run(); auto b = new A(); b->run(); }\n',
    }, "A.run"),
    ["a.cpp:2", "a.cpp:3", "a.cpp:3"],
  );
  assert.deepEqual(
    await uses({ "a.sh": "go() { echo go; }\ngo\n", "b.sh": 'source ./a.sh\ngo "$1"\n' }, "go"),
    ["a.sh:2", "b.sh:2"],
  );
});

Deno.test("a language without a grammar is searched as text, and the answer says so", async () => {
  const { places, answer } = await ask({ "a.kt": "fun carve() {}\nval x = carve()\n", "a.md": "carve\n" }, "carve");
  assert.deepEqual(places, ["a.kt:1?", "a.kt:2?"]);
  assert.deepEqual(answer.left_out.map(({ reason, files }) => [reason, files]), [
    ["not looked at, files of prose or data", ["a.md"]],
    ["found as text, the language has no grammar here", ["a.kt"]],
  ]);
});

Deno.test("callers, callees, implementations, tests and outline are told apart", async () => {
  const files = {
    "shape.ts":
      "export interface Shape {\n  area(): number;\n}\nexport function measure(s: Shape) {\n  return s.area();\n}\n",
    "square.ts":
      "import type { Shape } from './shape.ts';\nimport { log } from './log.ts';\nexport class Square implements Shape {\n  area() {\n    log('area');\n    return helper();\n  }\n}\nfunction helper() {\n  return 4;\n}\n",
    "log.ts": "export const log = (text: string) => text;\n",
    "tests/square_test.ts": "import { Square } from '../square.ts';\nnew Square().area();\n",
  };
  assert.deepEqual((await ask(files, "Shape", "implementations")).places, ["square.ts:3"]);
  assert.deepEqual((await ask(files, "Shape.area", "implementations")).places, ["square.ts:4"]);
  assert.deepEqual((await ask(files, "Square.area", "callees")).places, ["log.ts:1", "square.ts:9"]);
  assert.deepEqual((await ask(files, "helper", "callers")).places, ["square.ts:6"]);
  assert.deepEqual((await ask(files, "Square.area", "tests")).places, ["tests/square_test.ts:2"]);
  await using test = await testIndex(files);
  const outline = await test.index.symbol({
    want: "outline",
    path: `${test.root}/square.ts`,
    signal: AbortSignal.timeout(120_000),
  });
  assert.deepEqual(outline.definitions.map(({ name, line }) => `${line} ${name}`), [
    "3 Square",
    "4 Square.area",
    "9 helper",
  ]);
});
