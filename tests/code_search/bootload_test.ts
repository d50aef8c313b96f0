/** Session introduction from guides in any form, the index, and git's own log. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import type { Bootload } from "../../src/code_search/index.ts";
import { type TestIndex, testIndex } from "./test_index.ts";

/** Asks until the index has caught up. */
async function bootload({ index }: TestIndex, taskId = "task"): Promise<Bootload> {
  for (let left = 50;; left--) {
    const told = await index.bootload("session", taskId);
    if (told.index.fresh || left === 0) return told;
  }
}

const AGENTS = `\x1b[200~# AGENTS

## 1. Purpose

How agents work here.

## 2. Rules

- **Never** reset or revert without approval.
- Always run the tests before you say that it works:
  \`npm test\`
* Prefer small commits.

| a | b |
|---|---|

## 2. Testing

Output must be one of \`Tests: PASSED\` or \`Tests: FAILED\`. The rest is
told in prose that goes on over several lines.

\`\`\`sh
npm run lint
rm -rf never-mind
\`\`\`
`;

const COMMIT = (subject: string, action = "commit") =>
  `${"0".repeat(40)} ${"1".repeat(40)} A Person <a@b.c> 1700000000 +0100\t${action}: ${subject}`;

Deno.test("plan, rules, entry points, modules, hot files and commits come from what is there", async () => {
  await using test = await testIndex({
    "AGENTS.md": AGENTS,
    "README.md": "[![badge](x)](y)\n\n# Zoo\n\nKeeps track of animals and what they eat. Second sentence.\n",
    "src/main.ts": 'import { feed } from "./food/feed.ts";\nimport { log } from "./log.ts";\nfeed(log);\n',
    "src/food/feed.ts":
      '/** Feeding times. @module */\nimport { log } from "../log.ts";\nexport function feed() {\n  log();\n}\n',
    "src/food/index.ts": '/** Everything that animals eat. @module */\nexport * from "./feed.ts";\n',
    "src/log.ts": "export function log() {\n  return 1;\n}\n",
    "src/cage/door.ts": 'import { log } from "../log.ts";\nexport function open() {\n  return log();\n}\n',
    ".git/logs/HEAD": [
      COMMIT("Open the zoo", "commit (initial)"),
      COMMIT("moving from main to x", "checkout"),
      COMMIT("Add a lion"),
      COMMIT("Add a lion and a tiger", "commit (amend)"),
    ].join("\n"),
  });
  const told = await bootload(test);
  assert.equal(told.session_id, "session");
  assert.equal(told.task_id, "task");
  assert.match(told.plan, /AGENTS\.md/);
  assert.match(told.plan, /npm test/);
  assert.match(told.plan, /npm run lint/);
  assert.doesNotMatch(told.plan, /rm -rf/);
  assert.match(told.notes, /Keeps track of animals and what they eat\./);
  assert.match(told.notes, /Never reset or revert without approval\./);
  assert.match(told.notes, /Output must be one of/);
  assert.deepEqual(told.entry_points, ["src/main.ts", "src/food/index.ts"]);
  assert.equal(told.scope, "repo");
  const food = told.modules.find(({ path }) => path === "src/food/");
  assert.match(food?.about ?? "", /Everything that animals eat\./);
  assert.match(told.hot_files[0] ?? "", /^src\/log\.ts \(3\)$/);
  assert.deepEqual(told.last_commits, ["Add a lion and a tiger", "Add a lion", "Open the zoo"]);
});

Deno.test("rules are found in CONTRACTS.md, CLAUDE.md and in plain text, also with CRLF", async () => {
  for (
    const [name, text] of Object.entries({
      "CONTRACTS.md": "CONTEXT CONTRACT\r\n\r\n* Ingest: AGENTS.md first; if it is missing you must stop.\r\n",
      "CLAUDE.md": "Never push to main.\n",
      "agents.md": "1. Do not touch generated files\n2. something else\n",
      "AGENTS.override.md": "* You should ask before deleting anything.\n",
    })
  ) {
    await using test = await testIndex({ [name]: text });
    const told = await bootload(test);
    assert.match(told.plan, new RegExp(name.replaceAll(".", "\\.")), name);
    assert.match(told.notes, /must stop|Never push|Do not touch|should ask/, name);
  }
});

Deno.test("an empty folder, one of prose alone and one without git are told of too", async () => {
  await using empty = await testIndex({});
  const nothing = await bootload(empty);
  assert.match(nothing.plan, /empty/);
  assert.deepEqual([nothing.modules, nothing.last_commits, nothing.entry_points], [[], [], []]);
  await using prose = await testIndex({ "notes/a.md": "# A\n\nText.\n", "notes/b.md": "# B\n\nText.\n" });
  assert.equal((await bootload(prose)).scope, "docs");
});

Deno.test("it stays under 600 tokens whatever the repository holds", async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [
    `packages/a_rather_long_package_name_${at % 40}/source/index_${at}.ts`,
    `/** A rather long description of what module number ${at} does for whoever reads it, and then some more. @module */\n` +
    `import "../../a_rather_long_package_name_0/source/index_0.ts";\nexport const value${at} = ${at};\n`,
  ]));
  await using test = await testIndex({
    ...many,
    "AGENTS.md": Array.from(
      { length: 200 },
      (_, at) => `- You must never do thing number ${at}, because it is bad for you`,
    ).join("\n"),
    "CLAUDE.md": "Always ".repeat(20_000),
    "README.md": `# ${"long title ".repeat(300)}\n\n${"word ".repeat(5_000)}\n`,
    ".git/logs/HEAD": Array.from({ length: 400 }, (_, at) => COMMIT(`${"subject ".repeat(60)}${at}`)).join("\n"),
  });
  await test.index.sync();
  const told = await bootload(test, "t".repeat(200));
  assert.ok(estimateTokens(JSON.stringify(told)) <= 600, `${estimateTokens(JSON.stringify(told))} tokens`);
  assert.ok(told.modules.length > 0 && told.notes.length > 0);
});

Deno.test("a folder that says nothing of itself is told by what is in it, and the largest source folder by its parts", async () => {
  const source = (name: string, imports: string[] = []) =>
    `${imports.map((from) => `import "${from}";\n`).join("")}export function ${name}() {\n  return "${name}";\n}\n`;
  await using test = await testIndex({
    "README.md": `# Shop\n\nSells ${"good ".repeat(60)}things.\n`,
    "src/web/pages/start.ts": source("start", ["../../core/money.ts"]),
    "src/web/pages/cart.ts": source("cart", ["../../core/money.ts"]),
    "src/core/money.ts": source("money"),
    "src/core/dates.ts": source("dates"),
    "tools/make.ts": source("make", ["../src/core/dates.ts"]),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`tests/part${at}_test.ts`, source(`test${at}`)])),
  });
  await test.index.sync();
  const { modules, notes } = await test.index.bootload("s", "t");
  const about = new Map(modules.map(({ path, about }) => [path, about]));
  assert.equal(about.get("src/web/"), "2 typescript files: pages/");
  assert.equal(about.get("src/core/"), "2 typescript files: money.ts, dates.ts");
  assert.equal(about.get("tools/"), "1 typescript file: make.ts");
  assert.match(notes, /^Sells (?:good )+good…/);
});
