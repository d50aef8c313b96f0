/** The order of answers: what a question is about comes before what only mentions it. @module */
import assert from "node:assert/strict";
import { questionKind } from "../../src/code_search/question_kind.ts";
import { testIndex } from "./test_index.ts";

Deno.test("questions are told apart by their form", () => {
  const kinds = {
    name: ["Router"],
    topic: ["cookie storage", "how redirects are followed", "where is the config read", "request logging with colors"],
    description: [
      "Returns the first matching route",
      "a handler that closes idle connections",
      "Create a new node with the same markup",
      "exponential backoff based on the attempt number of the request that has failed",
    ],
  };
  for (const [kind, questions] of Object.entries(kinds)) {
    for (const question of questions) assert.equal(questionKind(question, kind === "name"), kind, question);
  }
});

/** A function that uses words without being about them. */
const uses = (name: string, words: string) =>
  `/** Sends ${words} on to the next step, ${words} first. */\nexport function ${name}(request: string) {\n` +
  `  // ${words}\n  return "${words}" + request;\n}\n`;

/** Files of other matters: in a folder of few files every word is common. */
const others = Object.fromEntries(
  ["header", "timer", "parser", "logger", "encoder", "planner", "renderer", "scheduler"].map((name) =>
    [`src/${name}.ts`, uses(`run${name}`, `${name} value`)] as const
  ),
);

Deno.test("the file that is named after a topic comes before files that mention it more often", async () => {
  await using test = await testIndex({
    "src/sessions.ts": ["send", "prepare", "resend", "merge"].map((name) => uses(name, "cookies")).join(
      "\n",
    ),
    "src/cookies.ts":
      "/** Keeps what a server sets. */\nexport class Jar {\n  #kept = [];\n  put(value: string) {\n    return value;\n  }\n}\n",
    ...others,
  });
  assert.equal((await test.paths("cookie storage and persistence"))[0], "src/cookies.ts");
});

Deno.test("one file does not take the first places of a topic", async () => {
  const gap = `\n${"export const unrelated = 1;\n".repeat(12)}\n`;
  await using test = await testIndex({
    "src/pool.ts": ["open", "close", "keep", "drop"].map((name) => uses(`${name}Pool`, "connection pool")).join(gap),
    "src/wire.ts": uses("dial", "connection pool"),
    ...others,
  });
  assert.deepEqual((await test.paths("connection pool handling")).slice(0, 2), ["src/pool.ts", "src/wire.ts"]);
});

Deno.test("what a module says of itself at its head is found, in each comment style", async () => {
  const heads = {
    "a/walnut.py":
      '"""\nwalnut\n~~~~~~\n\nCracks nutshells with levers.\n"""\n\nimport os\n\n\ndef run():\n    return 1\n',
    "b/mod.rs": "//! Stretches leather over lasts.\n\npub mod shoe;\n\npub fn run() -> u8 {\n    1\n}\n",
    "c/glass.c": "/*\n   Anneals goblets slowly.\n*/\n#include <stdio.h>\n\nint run(void)\n{\n  return 1;\n}\n",
    "d/clay.ts": '/**\n * Glazes pottery twice.\n */\nimport a from "a";\n\nexport function run() {\n  return a;\n}\n',
  };
  await using test = await testIndex(heads);
  const asked = {
    "cracks nutshells with levers": "a/walnut.py",
    "stretches leather over lasts": "b/mod.rs",
    "anneals goblets slowly": "c/glass.c",
    "glazes pottery twice": "d/clay.ts",
  };
  for (const [question, path] of Object.entries(asked)) {
    const { snippets: [first] } = await test.ask(question);
    assert.ok(first?.src.startsWith(`${path}#L1-`), `${question}: ${first?.src}`);
  }
});

Deno.test("a module that stands for its folder answers by the folder's name", async () => {
  await using test = await testIndex({
    "src/routing/mod.rs": "pub struct Table {\n    entries: u8,\n}\n\npub fn build() -> u8 {\n    1\n}\n",
    "src/serve.rs": "/// Uses routing.\npub fn serve() -> u8 {\n    // routing\n    2\n}\n",
  });
  assert.equal((await test.paths("routing tables"))[0], "src/routing/mod.rs");
});

Deno.test("a name that a module passes on is found there, after its definition", async () => {
  await using test = await testIndex({
    "js/index.ts": 'export { Kettle, type Spout as Nozzle } from "./parts";\nexport * from "./rest";\n',
    "js/kettle_parts.ts": "/** Boils water. */\nexport class Kettle {\n  boil() {\n    return 100;\n  }\n}\n",
    "rs/extract/mod.rs":
      "#[doc(inline)]\npub use core_parts::extract::{\n    FromWater, nested::{Path, RawPath as Raw},\n};\n",
    "py/pots/__init__.py": '"""Pots."""\n\nfrom .makers import (\n    Saucepan,\n    Lid as Cover,\n)\n',
    "py/pots/user.py": "from .makers import Colander\n\n\ndef use():\n    return Colander\n",
  });
  assert.deepEqual((await test.paths("Kettle")).slice(0, 2), ["js/kettle_parts.ts", "js/index.ts"]);
  for (const name of ["FromWater", "RawPath", "Raw", "Path"]) {
    assert.equal((await test.paths(name))[0], "rs/extract/mod.rs", name);
  }
  assert.equal((await test.paths("Nozzle"))[0], "js/index.ts");
  for (const name of ["Saucepan", "Cover"]) assert.equal((await test.paths(name))[0], "py/pots/__init__.py", name);
});

Deno.test("a qualified name finds the member of its container before other members and the container", async () => {
  const type = (name: string) =>
    `export class ${name} {\n  start() {\n    return "${name}";\n  }\n\n  stop() {\n    return 2;\n  }\n}\n`;
  await using test = await testIndex({ "a.ts": type("Alarm"), "b.ts": type("Burner"), "c.ts": "const Burner = 1;\n" });
  const { snippets: [first] } = await test.ask("Burner.start", { k: 1 });
  assert.match(first?.symbol ?? "", /Burner\.start/);
});

Deno.test("code for compatibility, older versions and tests come last unless they are asked for", async () => {
  const code = "/** Measures the width of yarn. */\nexport function yarnWidth() {\n  return 1;\n}\n";
  await using test = await testIndex({
    "lib/compat/yarn.ts": code,
    "lib/v3/yarn.ts": code,
    "lib/v4/yarn.ts": code,
    "tests/yarn.ts": code,
  });
  const [first, second, third, last] = await test.paths("measures the width of yarn");
  assert.deepEqual([first, last], ["lib/v4/yarn.ts", "tests/yarn.ts"]);
  assert.deepEqual([second, third].sort(), ["lib/compat/yarn.ts", "lib/v3/yarn.ts"]);
  assert.equal((await test.paths("compat code that measures the width of yarn"))[0], "lib/compat/yarn.ts");
  assert.equal((await test.paths("test that measures the width of yarn"))[0], "tests/yarn.ts");
});

Deno.test("a module of tests inside a file comes after the code", async () => {
  await using test = await testIndex({
    "src/loom.rs":
      "mod tests {\n    fn weaves_cloth() {\n        weave_cloth();\n    }\n}\n\n/// Weaves.\npub fn weave_cloth() -> u8 {\n    1\n}\n",
  });
  const { snippets: [first] } = await test.ask("weave cloth", { k: 1 });
  assert.match(first?.text ?? "", /pub fn weave_cloth/);
});

Deno.test("pieces that would be long together stay apart", async () => {
  const part = (name: string) => `export function ${name}() {\n${`  measure("flour and water");\n`.repeat(60)}}\n`;
  await using test = await testIndex({ "src/long.ts": ["mixFlour", "sieveFlour", "weighFlour"].map(part).join("\n") });
  const { snippets } = await test.ask("measure flour and water", { budgetTokens: 20_000 });
  for (const { src } of snippets) {
    const [, from, to] = /#L(\d+)-L(\d+)$/.exec(src) ?? [];
    assert.ok(Number(to) - Number(from) <= 110, src);
  }
});
