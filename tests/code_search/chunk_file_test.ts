/** Files of every language are cut into definitions with their names, containers and comments. @module */
import assert from "node:assert/strict";
import type { Chunk } from "../../src/code_search/chunk.ts";
import { chunkFile, normalText } from "../../src/code_search/chunk_file.ts";
import { GRAMMAR_NAMES, makeGrammars } from "../../src/sys/grammar.ts";
import { makeAssets } from "../../src/sys/assets.ts";
import { languageOf, languageOfScript } from "../../src/code_search/languages.ts";
import { testGrammars } from "./test_index.ts";

const assets = makeAssets();

async function chunksOf(path: string, text: string): Promise<Chunk[]> {
  const language = languageOf(path);
  assert.ok(language, path);
  return await chunkFile(path, normalText(text), language, testGrammars);
}

/** `container.name kind lines` of what has a name. */
async function outline(path: string, text: string): Promise<string[]> {
  return (await chunksOf(path, text)).filter(({ names }) => names.length > 0)
    .map(({ names, container, kind, startLine, endLine }) =>
      `${[...container, names.join("+")].join(".")} ${kind} ${startLine}-${endLine}`
    );
}

const SAMPLES: Readonly<Record<string, readonly [text: string, outline: readonly string[]]>> = {
  "a.ts": [
    `/** Says. */\nexport interface Say {\n  word(): string;\n}\nexport type Word = string;\nexport enum Tone {\n  Low,\n}\n` +
    `@sealed\nexport abstract class Dog implements Say {\n  /** Barks. */\n  bark(a: number): string {\n    return "wuff";\n  }\n` +
    `  private run = async () => {\n    await 1;\n  };\n}\nexport const limit = 1, most = 2;\n` +
    `export default function () {\n  return 1;\n}\n`,
    [
      "Say interface 1-4",
      "Word type 5-5",
      "Tone enum 6-8",
      "Dog class 9-10",
      "Dog.bark method 11-14",
      "Dog.run method 15-17",
      "limit+most constant 19-19",
      "a function 20-22",
    ],
  ],
  "overload.ts": [
    `/** Adds. */\nexport function add(a: number): number;\nexport function add(a: string): string;\n` +
    `export function add(a: unknown): unknown {\n  return a;\n}\n`,
    ["add function 1-6"],
  ],
  "b.tsx": [
    "export const Button = ({ text }: Props) => {\n  return <b>{text}</b>;\n};\n",
    ["Button function 1-3"],
  ],
  "c.js": [
    `exports.walk = function (dog) {\n  return dog;\n};\nCat.prototype.purr = function () {\n  return "rrr";\n};\n` +
    `module.exports = {\n  create(context) {\n    return context;\n  },\n  meta: 1,\n};\nclass Fox {\n  #hide() {\n    return 1;\n  }\n}\n`,
    [
      "exports.walk function 1-3",
      "Cat.prototype.purr function 4-6",
      "create method 8-10",
      "Fox class 13-13",
      "Fox.hide method 14-16",
    ],
  ],
  "d.py": [
    `LIMIT = 3\n\n\n@cached\ndef bark(volume: int) -> str:\n    """Barks."""\n    return "w" * volume\n\n\nclass Dog(Animal):\n` +
    `    """A dog."""\n\n    def run(self):\n        def inner():\n            pass\n        return inner\n`,
    ["LIMIT constant 1-1", "bark function 4-7", "Dog class 10-11", "Dog.run function 13-16"],
  ],
  "e.go": [
    `package dog\n\nconst Most = 3\n\n// Dog barks.\ntype Dog struct {\n\tname string\n}\n\n// Bark barks.\n` +
    `func (d *Dog) Bark(n int) string {\n\treturn d.name\n}\n\ntype Barker interface {\n\tBark(n int) string\n}\n\nfunc New() *Dog {\n\treturn nil\n}\n`,
    [
      "Most constant 3-3",
      "Dog class 5-8",
      "Dog.Bark method 10-13",
      "Barker interface 15-17",
      "New function 19-21",
    ],
  ],
  "f.rs": [
    `/// A dog.\n#[derive(Debug)]\npub struct Dog {\n    name: String,\n}\n\nimpl Bark for Dog {\n    /// Barks.\n    fn bark(&self) -> String {\n` +
    `        self.name.clone()\n    }\n}\n\npub trait Bark {\n    fn bark(&self) -> String;\n}\n\nmacro_rules! woof {\n    () => {};\n}\n`,
    ["Dog class 1-5", "Dog.bark function 8-11", "Bark interface 14-16", "woof function 18-20"],
  ],
  "G.java": [
    `package dog;\n\n/** A dog. */\npublic class Dog {\n    private int age;\n\n    public Dog(int age) {\n        this.age = age;\n    }\n\n` +
    `    @Override\n    public String bark() {\n        return "w";\n    }\n}\n\ninterface Bark {\n    String bark();\n}\n`,
    ["Dog class 3-5", "Dog.Dog method 7-9", "Dog.bark method 11-14", "Bark interface 17-17", "Bark.bark method 18-18"],
  ],
  "h.c": [
    `#include <stdio.h>\n\n/* A dog. */\ntypedef struct dog {\n  int age;\n} dog_t;\n\n/* Barks. */\nstatic const char *bark(dog_t *d) {\n  return "w";\n}\n\n` +
    `#define MOST(a, b) ((a) > (b) ? (a) : (b))\n`,
    ["dog_t+dog class 3-6", "bark function 8-11", "MOST function 13-13"],
  ],
  "i.cpp": [
    `namespace zoo {\nclass Dog : public Animal {\n public:\n  void bark() {\n    say();\n  }\n};\n}\n\ntemplate <class T>\nint Cage<T>::open(int n) {\n  return n;\n}\n`,
    ["zoo.Dog class 2-3", "zoo.Dog.bark method 4-6", "Cage<T>.open method 10-13"],
  ],
  "j.cs": [
    `namespace Zoo {\n    /// <summary>A dog.</summary>\n    public class Dog {\n        public int Age { get; set; }\n        public string Bark(int n) {\n            return "w";\n        }\n    }\n}\n`,
    ["Zoo.Dog class 2-3", "Zoo.Dog.Age method 4-4", "Zoo.Dog.Bark method 5-7"],
  ],
  "k.rb": [
    `module Zoo\n  # A dog.\n  class Dog < Animal\n    def bark(n)\n      "w" * n\n    end\n\n    def self.make\n      new\n    end\n  end\nend\n`,
    ["Zoo namespace 1-1", "Zoo.Dog class 2-3", "Zoo.Dog.bark method 4-6", "Zoo.Dog.make method 8-10"],
  ],
  "l.php": [
    `<?php\nnamespace Zoo;\n\n/** A dog. */\nclass Dog extends Animal\n{\n    public function bark(int $n): string\n    {\n        return "w";\n    }\n}\n\nfunction feed($dog)\n{\n    return $dog;\n}\n`,
    ["Dog class 4-6", "Dog.bark method 7-10", "feed function 13-16"],
  ],
  "m.sh": [
    `#!/bin/bash\nset -e\n\n# Barks.\nbark() {\n  echo w\n}\n\nfunction run {\n  bark\n}\n`,
    ["bark function 4-7", "run function 9-11"],
  ],
};

for (const [path, [text, expected]] of Object.entries(SAMPLES)) {
  Deno.test(`${languageOf(path)?.name}: definitions of ${path} are found with container, kind and lines`, async () => {
    assert.deepEqual(await outline(path, text), expected);
  });
}

Deno.test("every grammar is tried by a sample", () => {
  const tried = new Set(Object.keys(SAMPLES).map((path) => languageOf(path)?.grammar));
  assert.deepEqual(GRAMMAR_NAMES.filter((name) => !tried.has(name)), []);
});

Deno.test("comments, docstrings and signatures are told apart from the body", async () => {
  const [bark] = (await chunksOf("d.py", SAMPLES["d.py"]?.[0] ?? "")).filter(({ names }) => names[0] === "bark");
  assert.equal(bark?.doc, "Barks.");
  assert.match(bark?.signature ?? "", /def bark\(volume: int\) -> str:/);
  assert.match(bark?.body ?? "", /return "w" \* volume/);
  assert.doesNotMatch(bark?.body ?? "", /Barks/);
  const dog = (await chunksOf("f.rs", SAMPLES["f.rs"]?.[0] ?? ""))[0];
  assert.match(dog?.doc ?? "", /^A dog\./);
});

Deno.test("markdown is cut by headings, fences and underlines respected", async () => {
  const text =
    "---\ntitle: x\n---\nIntro.\n\n# One\n\nText.\n\n```sh\n# no heading\n```\n\n## Two\n\nMore.\n\nThree\n=====\n\nEnd.\n";
  assert.deepEqual(await outline("a.md", text), ["One section 6-12", "One.Two section 14-16", "Three section 18-21"]);
});

Deno.test("other text is cut into windows, none longer than 70 lines, none lost", async () => {
  const lines = Array.from({ length: 500 }, (_, at) => at % 9 === 8 ? "" : `line ${at}`);
  for (const path of ["a.txt", "b.css", "Makefile"]) {
    const chunks = await chunksOf(path, lines.join("\n"));
    assert.ok(chunks.every(({ startLine, endLine }) => endLine - startLine < 70));
    const seen = new Set(chunks.flatMap(({ body }) => body.split("\n")));
    assert.deepEqual(lines.filter((line) => !seen.has(line)), []);
  }
});

Deno.test("a long function is cut into parts that carry its name, and no line of it is lost", async () => {
  const body = Array.from({ length: 300 }, (_, at) => `  step(${at});`);
  const chunks = await chunksOf("a.ts", `export function march() {\n${body.join("\n")}\n}\n`);
  assert.ok(chunks.length > 3);
  assert.ok(chunks.every(({ startLine, endLine }) => endLine - startLine < 70));
  assert.ok(chunks.slice(1).every(({ container }) => container.includes("march")));
  const seen = chunks.map((chunk) => chunk.body).join("\n");
  for (const line of body) assert.ok(seen.includes(line.trim()), line);
});

Deno.test("line numbers are those of the file with CRLF, BOM and lone CR line ends", async () => {
  for (const ends of ["\r\n", "\n"]) {
    const text = `\ufeff${(SAMPLES["e.go"]?.[0] ?? "").replaceAll("\n", ends)}`;
    assert.deepEqual(await outline("e.go", text), SAMPLES["e.go"]?.[1]);
  }
});

Deno.test("broken and empty sources are cut all the same", async () => {
  for (
    const text of [
      "",
      "\n\n",
      "}}}}",
      "function (",
      "class {\n".repeat(300),
      "((((".repeat(500),
      '"'.repeat(999),
      "\u0000",
    ]
  ) {
    for (const path of ["a.ts", "a.py", "a.go", "a.rs", "a.cpp", "a.sh", "a.md"]) {
      for (const { startLine, endLine } of await chunksOf(path, text)) {
        assert.ok(startLine >= 1 && endLine >= startLine && endLine <= text.split("\n").length);
      }
    }
  }
});

Deno.test("a text whose syntax takes too long to read is cut into windows", async () => {
  const hasty = makeGrammars({
    runtime: () => assets.read("tree-sitter.wasm.bin"),
    grammar: (name) => assets.read(`grammars/${name}.grammar`),
  }, 50);
  const language = languageOf("a.ts");
  assert.ok(language);
  const text = `${"((((".repeat(20_000)}\nlast line\n`;
  const chunks = await chunkFile("a.ts", text, language, hasty);
  assert.deepEqual(chunks.map(({ kind }) => kind), ["window"]);
  const again = await chunkFile("b.ts", "export function fine() {\n  return 1;\n}\n", language, hasty);
  assert.deepEqual(again.map(({ names }) => names), [["fine"]]);
});

Deno.test("scripts without an ending are known by their first line", () => {
  assert.equal(languageOfScript("#!/usr/bin/env python3\nprint(1)\n")?.name, "python");
  assert.equal(languageOfScript("#!/bin/sh -e\n")?.name, "bash");
  assert.equal(languageOfScript("#!/usr/bin/env -S deno run -A\n")?.name, "typescript");
  assert.equal(languageOfScript("hello\n"), undefined);
});
