/** Any question is answered, within its bounds, and every answer is what the files say. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import type { Snippet } from "../../src/code_search/snippets.ts";
import { testIndex } from "./test_index.ts";

const LONG = Array.from({ length: 120 }, (_, at) => `  const step${at} = blend(flour, ${at}); // knead the dough well`)
  .join("\n");
const FILES = {
  "bakery/oven.ts": `import { blend } from "./mixer.ts";

/** Bakes bread until it is brown. */
export class Oven {
  #heat = 0;

  /** Heats up to a temperature in degrees. */
  preheat(degrees: number): void {
    if (degrees > 300) throw new RangeError("oven: " + degrees + " degrees is too hot for bread");
    this.#heat = degrees;
  }

  /** Takes the loaf out. */
  unload(): string {
    return "loaf";
  }
}
`,
  "bakery/mixer.ts":
    `/** Makes dough. */\nexport function blend(flour: string, water: number) {\n${LONG}\n  return flour + water;\n}\n`,
  "win.py":
    'class Roller:\r\n    """Rolls the dough flat."""\r\n\r\n    def roll_out(self, width):\r\n        return width\r\n',
  "docs/guide.md": "# Baking\n\n## Sourdough\n\nFeed the starter every day.\n\n## Rye\n\nNeeds more water.\n",
  "deutsch.md": "# Bäckerei\n\nDie Brötchen müssen größer werden.\n",
  "data.json": '{ "flour": 500, "salt": 10 }\n',
};

const ask = { scope: "both" as const };

/** Checks a snippet against the file as it is on disk. */
async function assertExact(root: string, { src, text }: Snippet): Promise<void> {
  const [, path = "", first = "0", last = "0"] = /^(.*)#L(\d+)-L(\d+)$/.exec(src) ?? [];
  const lines = (await Deno.readTextFile(`${root}/${path}`)).split(/\r?\n/);
  const shown = text.split("\n");
  let at = Number(first) - 1;
  for (const line of shown) {
    if (line === "…") {
      const next = shown[shown.indexOf(line) + 1];
      assert.notEqual(next, undefined, `${src} ends with left-out lines`);
      continue;
    }
    const whole = line.length > 240 && line.endsWith("…")
      ? (found: string) => found.startsWith(line.slice(0, -1))
      : (found: string) => found === line;
    while (at < Number(last) && !whole(lines[at] ?? "")) at++;
    assert.ok(at < Number(last), `'${line}' is not in ${src}`);
    at++;
  }
  assert.equal(at, Number(last), `${src} ends with its last line`);
}

Deno.test("snippets are the lines that they name, letter by letter", async () => {
  await using test = await testIndex(FILES);
  for (
    const q of ["bake bread", "knead the dough", "Oven.preheat", "roll_out", "sourdough starter", "flour", "step77"]
  ) {
    for (const budgetTokens of [60, 150, 600, 4_000]) {
      const { snippets } = await test.ask(q, { ...ask, budgetTokens });
      assert.ok(snippets.length > 0, `${q} is found`);
      for (const snippet of snippets) await assertExact(test.root, snippet);
    }
  }
});

Deno.test("an answer keeps to its budget and its number of snippets", async () => {
  await using test = await testIndex(FILES);
  for (const budgetTokens of [50, 80, 200, 600, 1_500]) {
    for (const k of [1, 2, 3, 10]) {
      const { snippets } = await test.ask("dough flour bread", { k, budgetTokens });
      const cost = snippets.reduce((sum, { text, src }) => sum + estimateTokens(text) + estimateTokens(src), 0);
      assert.ok(snippets.length >= 1 && snippets.length <= k, `${snippets.length} snippets for k ${k}`);
      assert.ok(cost <= budgetTokens, `${cost} tokens for a budget of ${budgetTokens}`);
    }
  }
});

Deno.test("scores are between 0 and 1 and do not rise down the answer", async () => {
  await using test = await testIndex(FILES);
  const { snippets } = await test.ask("heats the oven to a temperature");
  const scores = snippets.map(({ score }) => score);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
  assert.ok(scores.every((score) => score > 0 && score <= 1));
  assert.match(snippets[0]?.symbol ?? "", /preheat/);
});

Deno.test("symbols, paths, quotes and error messages lead to their place", async () => {
  await using test = await testIndex(FILES);
  const places: Record<string, string> = {
    "Oven.preheat": "bakery/oven.ts",
    "Oven::preheat": "bakery/oven.ts",
    "preheat()": "bakery/oven.ts",
    "pre_heat": "bakery/oven.ts",
    "rollOut": "win.py",
    "bakery/mixer.ts": "bakery/mixer.ts",
    "RangeError: oven: 350 degrees is too hot for bread": "bakery/oven.ts",
    '"Feed the starter"': "docs/guide.md",
    "Wo müssen die Brötchen größer werden?": "deutsch.md",
    "wo wird die brotchen grosser": "deutsch.md",
    "prehea": "bakery/oven.ts",
  };
  for (const [q, path] of Object.entries(places)) assert.equal((await test.paths(q))[0], path, q);
});

Deno.test("operators of full text search, SQL and the like are words", async () => {
  await using test = await testIndex(FILES);
  const questions = [
    "",
    " ",
    "\0",
    "''",
    '"',
    '""""',
    "NEAR(a b)",
    "oven AND NOT dough OR",
    "name : oven",
    "{name body} : x",
    "^oven",
    "dough*",
    "-dough",
    "(((",
    "a + b",
    "'; drop table files; --",
    "%_\\",
    "?1 :x @y $z",
    "\ud800 lone",
    "🍞 🥐",
    "日本語 の パン",
    "a".repeat(10_000),
    "bread ".repeat(2_000),
    "\n\n\t\r",
    "rowid match bm25(chunk_words)",
    "chunk_words",
    "..",
    "/",
    "#",
    "::",
    "…",
  ];
  for (const q of questions) {
    for (const scope of ["repo", "docs", "both"] as const) {
      const { provenance, snippets } = await test.index.search({ q, scope, k: 3, budgetTokens: 300 });
      assert.equal(provenance, true);
      for (const snippet of snippets) await assertExact(test.root, snippet);
    }
  }
});

Deno.test("questions put together at random never fail", async () => {
  await using test = await testIndex(FILES);
  await test.ask("bread");
  const pieces = [
    '"',
    "'",
    "*",
    "(",
    ")",
    "AND",
    "OR",
    "NOT",
    "NEAR/2",
    "NEAR(",
    ":",
    "^",
    "+",
    "-",
    "{",
    "}",
    "\0",
    "\\",
  ]
    .concat([
      "oven",
      "dough",
      "name",
      "body",
      "é",
      "ß",
      "漢",
      "\u0301",
      "🥖",
      "1e9",
      "0x",
      "..",
      "::",
      "->",
      "%",
      "_",
      ";",
      "--",
      "/*",
      "…",
    ]);
  let seed = 20_261;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let turn = 0; turn < 300; turn++) {
    const q = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)] + (random(3) === 0 ? " " : ""))
      .join("");
    const k = 1 + random(50), budgetTokens = 50 + random(2_000);
    const { provenance } = await test.index.search({ q, scope: "both", k, budgetTokens });
    assert.equal(provenance, true, q);
  }
});

Deno.test("pieces of a file that touch are one snippet", async () => {
  await using test = await testIndex(FILES);
  const { snippets } = await test.ask("Oven preheat unload degrees loaf");
  const oven = snippets.filter(({ src }) => src.startsWith("bakery/oven.ts"));
  const ranges = oven.map(({ src }) => (/#L(\d+)-L(\d+)$/.exec(src) ?? []).slice(1).map(Number)).sort((a, b) =>
    (a[0] ?? 0) - (b[0] ?? 0)
  );
  for (const [at, range] of ranges.slice(1).entries()) {
    assert.ok((range[0] ?? 0) > (ranges[at]?.[1] ?? 0) + 1, `${ranges.join(" ")} do not touch`);
  }
});

Deno.test("a long definition shows its signature and the part that matches", async () => {
  await using test = await testIndex(FILES);
  const { snippets } = await test.ask("blend step99", { k: 1, budgetTokens: 200 });
  assert.match(snippets[0]?.text ?? "", /export function blend|step99/);
  assert.match(snippets[0]?.text ?? "", /step99 = /);
});

Deno.test("without an indexed folder the answer says how to set one", async () => {
  const { makeCodeIndex } = await import("../../src/code_search/code_index.ts");
  const { makeSearch } = await import("../../src/sys/search/ripgrep.ts");
  const { makeIndexFiles } = await import("../../src/sys/files/index_files.ts");
  const index = makeCodeIndex({
    roots: [],
    firstRoot: undefined,
    dataDir: "/nowhere",
    files: makeIndexFiles([]),
    search: makeSearch({ program: null, closed: [] }),
    maxFileBytes: 1_000,
    indexer: () => Promise.reject(new Error("not needed")),
    display: (path) => path,
  });
  await assert.rejects(index.search({ q: "x", scope: "both", k: 1, budgetTokens: 100 }), /no folder is indexed/);
  assert.match((await index.bootload("s", "t")).notes, /allowed_roots/);
  assert.deepEqual(await index.status(), []);
  await index.close();
});
