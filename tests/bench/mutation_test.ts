/** The mutation check on little: what it changes, what it chooses, and that tests notice a dozen mutants. */
import assert from "node:assert/strict";
import { chooseMutants } from "../../bench/mutation/choose.ts";
import { mutantsOf, mutate } from "../../bench/mutation/mutants.ts";
import { type GroupFates, mutationDocument, scoreOf, withRun } from "../../scripts/reports/mutation.ts";
import { GROUPS } from "../../bench/mutation/targets.ts";
import { tryMutants } from "../../bench/mutation/try_mutants.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

const SOURCE = `import { x } from "./x.ts";
const TABLE: Readonly<Record<string, number>> = { a: 1, b: 2 };
const WORDS = new Set("one two".split(" "));
export function f(list: readonly string[], most = 10): string {
  if (list.length > most && x) throw new TypeError("too many of them");
  for (let at = 0; at < list.length; at++) if (/^a$/.test(list[at] ?? "")) return "found";
  return Math.min(TABLE.a ?? 0, WORDS.size) === 1 ? "one" : "";
}
`;

/** The lines that changes make of the source. */
const changed = (operator: string) =>
  mutantsOf("f.ts", SOURCE).filter((mutant) => mutant.operator === operator)
    .map((mutant) => mutate(SOURCE, mutant).split("\n")[mutant.line - 1]?.trim());

Deno.test("mutants are the source with one small change each", () => {
  assert.deepEqual(changed("swap and with or"), [
    'if (list.length > most || x) throw new TypeError("too many of them");',
  ]);
  assert.deepEqual(changed("move a boundary"), [
    'if (list.length >= most && x) throw new TypeError("too many of them");',
  ]);
  assert.deepEqual(changed("remove a statement"), [
    "if (list.length > most && x) ;",
    'for (let at = 0; at < list.length; at++) if (/^a$/.test(list[at] ?? "")) ;',
  ]);
  assert.deepEqual(changed("drop an anchor"), [
    'for (let at = 0; at < list.length; at++) if (/a$/.test(list[at] ?? "")) return "found";',
    'for (let at = 0; at < list.length; at++) if (/^a/.test(list[at] ?? "")) return "found";',
  ]);
  assert.deepEqual(changed("drop an element"), [
    "const TABLE: Readonly<Record<string, number>> = { b: 2 };",
    "const TABLE: Readonly<Record<string, number>> = { a: 1 };",
    'const WORDS = new Set("two".split(" "));',
    'const WORDS = new Set("one".split(" "));',
  ]);
  assert.deepEqual(changed("swap least and most"), [
    'return Math.max(TABLE.a ?? 0, WORDS.size) === 1 ? "one" : "";',
  ]);
  assert.equal(changed("negate a condition").length, 3);
});

Deno.test("the same mutants are chosen every time, spread over files and operators", () => {
  const all = ["a.ts", "b.ts"].flatMap((path) => mutantsOf(path, SOURCE));
  const chosen = chooseMutants(all, 8);
  assert.deepEqual(chosen, chooseMutants(all.toReversed().toReversed(), 8));
  assert.deepEqual(new Set(chosen.map(({ path }) => path)), new Set(["a.ts", "b.ts"]));
  assert.ok(new Set(chosen.map(({ operator }) => operator)).size >= 4);
  assert.notDeepEqual(chosen, chooseMutants(all, 8, 2));
});

Deno.test("every source that is mutated has tests, and all of them are there", async () => {
  for (const { path, tests } of GROUPS.flatMap(({ sources }) => sources)) {
    assert.ok(tests.length > 0, path);
    for (const each of [path, ...tests]) assert.ok((await Deno.stat(`${ROOT}${each}`)).isFile, each);
  }
});

Deno.test("tests notice a dozen mutants of the limits", async () => {
  const tests = ["tests/server/http/token_bucket_test.ts"];
  const path = "src/server/http/token_bucket.ts";
  const mutants = chooseMutants(mutantsOf(path, await Deno.readTextFile(`${ROOT}${path}`)), 12);
  const fates = await tryMutants(mutants, { testsOf: () => tests, copies: 2, place: "mutation-test" });
  const tried = [...fates].map(([mutant, fate]) => ({ mutant, fate }));
  const groups = [{ name: "limits", files: 1, possible: 99, tried, equivalents: [] }];
  assert.deepEqual(tried.filter(({ fate }) => fate === "survived"), []);
  assert.equal(scoreOf(groups).percent, 100);
  const run = { seed: 7, date: "2026-01-02", groups };
  assert.match(mutationDocument({ runs: [run] }), /^\| 7 \| 2026-01-02 \| 1 \| 12 \| 12 \| 100\.0 % \|$/m);
});

Deno.test("the last three seeds are kept, and the pieces of one are one run", () => {
  const group = (name: string, possible: number): GroupFates => ({
    name,
    files: 1,
    possible,
    tried: [],
    equivalents: [],
  });
  let report = withRun({ runs: [] }, { seed: 1, date: "a", groups: [group("gate", 1)] });
  for (const seed of [2, 3, 4]) report = withRun(report, { seed, date: "b", groups: [group("gate", 2)] });
  assert.deepEqual(report.runs.map(({ seed }) => seed), [4, 3, 2]);
  report = withRun(report, { seed: 3, date: "c", groups: [group("limits", 3)] });
  report = withRun(report, { seed: 3, date: "d", groups: [group("gate", 4)] });
  assert.deepEqual(report.runs.map(({ seed, date, groups }) => [seed, date, groups.map(({ possible }) => possible)]), [
    [3, "b", [3, 4]],
    [4, "b", [2]],
    [2, "b", [2]],
  ]);
});
