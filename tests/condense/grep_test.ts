/** Condensed search hits. @module */
import assert from "node:assert/strict";
import { enrich, type Enriched } from "../../src/condense/enrich.ts";
import { fixture } from "./fixture.ts";

function search(argv: string[], lines: string[], budgetTokens = 8_000): Enriched {
  const result = enrich({ argv, stdout: lines.join("\n") + "\n", stderr: "", exitCode: 0, budgetTokens });
  assert.ok(result);
  return result;
}

/** Enough padding that output does not pass as small. */
const USES = Array.from(
  { length: 30 },
  (_, i) => `src/app/use_${i % 3}.ts:${i + 1}:  call(formatMoney(${i})); // a use of it`,
);

Deno.test("grep: definitions come before uses, and uses before tests", () => {
  const result = search(["rg", "-n", "formatMoney"], [
    "tests/money_test.ts:3:  assert(formatMoney(1) > 0);",
    ...USES,
    "src/util/money.ts:85:export function formatMoney(value: number): number {",
  ]);
  const order = ["export function formatMoney", "src/app/use_0.ts", "tests/money_test.ts"].map((part) =>
    result.text.indexOf(part)
  );
  assert.ok(order.every((at, i) => at >= 0 && at > (order[i - 1] ?? -1)), result.text);
  assert.equal(result.matchCount, 32);
});

Deno.test("grep: hits are grouped by file and the path is said once", () => {
  const result = search(["rg", "-n", "formatMoney"], USES);
  assert.equal(result.text.split("src/app/use_1.ts").length - 1, 1);
});

Deno.test("grep: lines of a file with the same text share a row", () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `src/a.ts:${i * 7 + 1}:    return formatMoney(value); // the same line`,
  );
  const result = search(["rg", "-n", "formatMoney"], lines);
  assert.match(result.text, /^src\/a\.ts:1,8,15,22,/);
  assert.equal(result.truncated, false);
});

Deno.test("grep: names the folder that holds most hits", () => {
  const lines = [
    ...Array.from({ length: 30 }, (_, i) => `src/rag/f${i}.ts:${i}:word number ${i} in a line of its own`),
    ...Array.from({ length: 10 }, (_, i) => `docs/d${i}.md:${i}:word number ${i} in a line of its own`),
  ];
  assert.equal(search(["rg", "-n", "word"], lines).hotZone, "src/rag/ (75%)");
});

Deno.test("grep: counts what does not fit, by folder, and every match is either shown or counted", () => {
  const lines = Array.from(
    { length: 600 },
    (_, i) => `pkg/m${i % 40}/file${i % 90}.ts:${i + 1}:const word${i} = "some text about it ${i}";`,
  );
  const result = search(["rg", "-n", "word"], lines);
  assert.equal(result.matchCount, 600);
  const shown = result.text.split("\n").reduce(
    (sum, line) => sum + (/^(?:\S+:)?([\d,]+):/.exec(line)?.[1]?.split(",").length ?? 0),
    0,
  );
  const left = Number(/^(\d+) of 600 matches$/.exec(result.omitted)?.[1]);
  assert.equal(shown + left, 600);
  assert.match(result.text, /\[… more in .*pkg\/m/);
});

Deno.test("grep: a colon in a path or in the text does not tear a hit", () => {
  const lines = [
    ...Array.from({ length: 20 }, (_, i) => `odd:12:name.ts:${i + 1}:see x:9:y, hit number ${i}`),
    ...Array.from({ length: 20 }, (_, i) => `plain.ts:${i + 1}:key: value:3:z, hit number ${i}`),
  ];
  const result = search(["rg", "-n", "hit"], lines);
  assert.match(result.text, /^odd:12:name\.ts\n1:see x:9:y, hit number 0$/m);
  assert.match(result.text, /^plain\.ts\n1:key: value:3:z, hit number 0$/m);
});

Deno.test("grep: context lines stay with their hit", () => {
  const result = enrich(fixture("rg_context", 2_000));
  assert.match(result?.text ?? "", /^\d+-.*\n\d+:.*limit \?\? 1.*\n\d+-/m);
  assert.equal(result?.matchCount, 91);
  assert.match(result?.omitted ?? "", /of 91 matches$/);
});

Deno.test("grep -c: files without a match are counted, not listed", () => {
  const lines = Array.from({ length: 80 }, (_, i) => `src/some/folder/file_${i}.ts:${i % 4 === 0 ? i : 0}`);
  const result = search(["grep", "-rc", "x", "src"], lines);
  assert.doesNotMatch(result.text, /:0$/m);
  assert.match(result.text, /\[… 61 files with 0 left out; 760 in all\]/);
  assert.equal(result.matchCount, 760);
});

Deno.test("grep -l: paths are grouped by folder", () => {
  const result = enrich(fixture("rg_list"));
  assert.equal(result?.matchCount, 33);
  assert.match(result?.text ?? "", /^src\/cart\/ \S+\.ts \S+\.ts/m);
});

Deno.test("grep without file names or line numbers is not torn at colons", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `name_${i}: value number ${i} of the configuration`);
  const one = enrich({
    argv: ["grep", "value", "config.yaml"],
    stdout: lines.join("\n"),
    stderr: "",
    exitCode: 0,
    budgetTokens: 8_000,
  });
  assert.equal(one?.text ?? lines.join("\n"), lines.join("\n"));
});

Deno.test("grep: what fits the result is shown whole, never sampled", () => {
  const lines = Array.from(
    { length: 174 },
    (_, i) => `app.log:${i * 17}:2026-11-28 10:00:00 ERROR request ${i} failed`,
  );
  const result = enrich({
    argv: ["grep", "-rn", "ERROR", "."],
    stdout: `${lines.join("\n")}\n`,
    stderr: "",
    exitCode: 0,
    budgetTokens: 8_000,
  });
  for (let i = 0; i < lines.length; i++) assert.ok(result?.text.includes(`request ${i} failed`), `${i}`);
  assert.equal(result?.omitted, "");
});
