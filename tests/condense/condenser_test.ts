/** Where output is condensed: short output at once, long output in the other thread. @module */
import assert from "node:assert/strict";
import { makeCondense } from "../../src/condense/condenser.ts";
import { enrich, type EnrichInput } from "../../src/condense/enrich.ts";

function found(files: number): EnrichInput {
  const stdout = Array.from({ length: files }, (_, at) => `./src/d${at % 40}/file_${at}.ts\n`).join("");
  return { argv: ["find", "."], stdout, stderr: "", exitCode: 0, budgetTokens: 500 };
}

Deno.test("makeCondense opens the thread once, with the first long output, and answers as enrich does", async () => {
  let opened = 0;
  const asked: EnrichInput[] = [];
  const condense = makeCondense(() => {
    opened++;
    return Promise.resolve({ enrich: (input) => Promise.resolve(enrich(asked[asked.push(input) - 1] ?? input)) });
  });
  assert.deepEqual(await condense(found(100)), enrich(found(100)));
  assert.equal(opened, 0);
  const [first, second] = await Promise.all([condense(found(5_000)), condense(found(6_000))]);
  assert.deepEqual([first, second], [enrich(found(5_000)), enrich(found(6_000))]);
  assert.deepEqual([opened, asked.length], [1, 2]);
});

Deno.test("makeCondense opens the thread again after it could not be opened", async () => {
  let tries = 0;
  const condense = makeCondense(() =>
    ++tries === 1
      ? Promise.reject(new Error("no thread"))
      : Promise.resolve({ enrich: (input) => Promise.resolve(enrich(input)) })
  );
  await assert.rejects(condense(found(5_000)), /no thread/);
  assert.deepEqual(await condense(found(5_000)), enrich(found(5_000)));
});

Deno.test("enrich renders of a tree only levels that may fit", () => {
  const deepest = `${"│   ".repeat(40_000)}├── deepest`;
  const rows = Array.from({ length: 40_000 }, (_, at) => `├── f${at}`);
  const stdout = [".", ...rows, deepest].join("\n"), startMs = performance.now();
  enrich({ argv: ["tree"], stdout, stderr: "", exitCode: 0, budgetTokens: 500 });
  assert.ok(performance.now() - startMs < 10_000); // level by level it took minutes
  const small = [".", "├── a", "│   ├── b", "│   │   └── c", "└── d"].join("\n");
  const shown = enrich({ argv: ["tree"], stdout: small, stderr: "", exitCode: 0, budgetTokens: 500 });
  assert.match(shown?.text ?? "", /\bc\b/);
});
