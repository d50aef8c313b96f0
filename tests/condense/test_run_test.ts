/** Reading the output of every test runner, from real runs. @module */
import assert from "node:assert/strict";
import { enrich } from "../../src/condense/enrich.ts";
import type { TestRun } from "../../src/condense/test_run.ts";
import { readTestRun } from "../../src/condense/tests.ts";
import { fixture } from "./fixture.ts";
import { namedFailures } from "./named_failures.ts";

function read(name: string): TestRun {
  const { stdout, stderr } = fixture(name);
  const found = readTestRun(stdout, stderr);
  assert.ok(found, name);
  return found.run;
}

/** What each run was, by its fixture: passed, failed, skipped, errors. */
const COUNTS: Record<string, [number, number, number, number]> = {
  pytest: [73, 4, 1, 1],
  pytest_q: [73, 4, 1, 1],
  pytest_v: [73, 4, 1, 1],
  pytest_pass: [41, 0, 0, 0],
  pytest_collect: [0, 0, 0, 1],
  unittest: [1, 1, 0, 1],
  jest: [25, 2, 1, 0],
  jest_verbose: [25, 2, 1, 0],
  vitest: [25, 2, 1, 0],
  node_test: [25, 2, 1, 0],
  node_test_kinds: [60, 17, 0, 0],
  mocha: [60, 17, 0, 0],
  node_test_tap: [25, 2, 1, 0],
  deno_test: [25, 2, 1, 0],
  cargo_test: [30, 2, 1, 0],
  go_test_v: [21, 3, 1, 0],
};

for (const [name, expected] of Object.entries(COUNTS)) {
  Deno.test(`readTestRun counts ${name}`, () => {
    const { passed, failed, skipped, errors } = read(name);
    assert.deepEqual([passed, failed, skipped, errors], expected);
  });
}

/** For one failure of each runner: where, and the assertion. */
const PLACES: [fixture: string, name: RegExp, file: RegExp, line: number, message: RegExp][] = [
  ["pytest", /^tests\/test_price\.py::test_split_sums_up$/, /^tests\/test_price\.py$/, 15, /^assert 99\.99 == 100$/],
  ["pytest", /TestTable::test_rows$/, /^tests\/test_price\.py$/, 47, /^AssertionError: assert/],
  ["pytest", /test_names\[17\]$/, /^tests\/test_users\.py$/, 16, /^assert 17 != 17$/],
  ["pytest", /::test_login$/, /^tests\/test_users\.py$/, 6, /^ConnectionError: no database/],
  ["pytest_tbshort", /test_parse_without_currency$/, /^pyapp\/price\.py$/, 14, /^ValueError: not enough/],
  ["pytest_collect", /test_broken\.py$/, /^tests\/test_broken\.py$/, 1, /No module named 'nothing_here'/],
  ["unittest", /test_a\.Sums\.test_three/, /test_a\.py$/, 4, /^AssertionError: 2 != 3$/],
  ["jest", /takes the column/, /^test\/sum\.jest\.test\.js$/, 29, /expect\(received\)\.toEqual/],
  ["jest", /fails on missing keys/, /^sum\.js$/, 2, /^TypeError: Cannot read/],
  ["vitest", /takes the column/, /^test\/sum\.vitest\.test\.mjs$/, 29, /^AssertionError: expected/],
  ["node_test", /takes the column/, /^test\/sum\.node\.test\.js$/, 29, /^AssertionError \[ERR_ASSERTION\]/],
  ["node_test_tap", /takes the column/, /sum\.node\.test\.js$/, 29, /error:|Expected values/],
  ["node_test_kinds", /keeps users/, /^\/home\/dev\/shop\/node\/cart\.test\.mjs$/, 69, /^Expected values .* - {7}'b'$/],
  ["mocha", /^cart > rounds the price$/, /cart\.spec\.mjs$/, 67, /^AssertionError .*: -9 \+10$/],
  ["mocha", /^cart > waits for the answer$/, /cart\.spec\.mjs$/, 71, /^Error: no answer after 5 ms$/],
  ["deno_test", /^adds wrongly/, /^\.\/sum_test\.ts$/, 28, /^error: AssertionError/],
  ["cargo_test", /^tests::wrong$/, /^src\/main\.rs$/, 37, /^assertion `left == right` failed: sum of ones$/],
  ["cargo_test", /^tests::boom$/, /^src\/main\.rs$/, 38, /^index out of bounds/],
  ["go_test", /^TestWrong$/, /^calc_test\.go$/, 25, /^Add\(1, 1\) = 2, want 3$/],
  ["go_test_v", /^TestTable$/, /^calc_test\.go$/, 31, /^case b failed$/],
];

for (const [name, test, file, line, message] of PLACES) {
  Deno.test(`readTestRun places the failure ${test.source} of ${name}`, () => {
    const failure = read(name).failures.find((each) => test.test(each.name));
    assert.ok(failure, read(name).failures.map((each) => each.name).join("\n"));
    assert.match(failure.file, file);
    assert.equal(failure.line, line);
    assert.match(failure.message, message);
  });
}

Deno.test("readTestRun reads durations and the slowest tests", () => {
  assert.equal(read("pytest_q").durationS, 0.96);
  assert.deepEqual(read("pytest_q").slowest, [{ name: "tests/test_price.py::test_slow", seconds: 0.3 }]);
  assert.equal(read("vitest").durationS, 0.313);
  assert.equal(read("deno_test").durationS, 0.015);
  assert.equal(read("cargo_test").durationS, 0.1);
});

Deno.test("test output: shows the verdict first, what a failed test printed, and no test that passed", () => {
  const text = enrich(fixture("deno_test"))?.text ?? "";
  assert.match(text, /^FAILED \| 25 passed \| 2 failed/);
  assert.match(text, /about to fail/);
  assert.doesNotMatch(text, /adds 7/);
  assert.match(text, /\[… not listed: 25 passed tests/);
});

Deno.test("test output: drops frames of the runner and keeps the test's own", () => {
  const text = enrich(fixture("node_test"))?.text ?? "";
  assert.match(text, /sum\.js:2:58/);
  assert.doesNotMatch(text, /node:internal/);
  const rust = enrich(fixture("cargo_test"))?.text ?? "";
  assert.match(rust, /src\/main\.rs:37:48/);
  assert.doesNotMatch(rust, /\/rustc\//);
});

Deno.test("test output: nothing has to be kept of a run in which every test passed", () => {
  const { text, truncated } = enrich(fixture("pytest_pass")) ?? assert.fail();
  assert.match(text, /^41 passed.*\n\[… not listed: 41 passed tests\]$/);
  assert.equal(truncated, false);
  assert.equal(enrich(fixture("pytest"))?.truncated, true);
});

Deno.test("test output: one of each kind is told, all others are named", () => {
  for (const name of ["mocha", "node_test_kinds"]) {
    const text = enrich(fixture(name))?.text ?? "";
    for (
      const said of [
        "rounds the price",
        "Expected values to be strictly",
        "Cannot read properties of undefined",
        "no answer after 5 ms",
      ]
    ) {
      assert.ok(text.includes(said), `${name}: ${text}`);
    }
    assert.match(text, /\[… also failed: .*row # \(# = \d+-11\)\]/, name);
    assert.doesNotMatch(text, /adds 7|processImmediate|node:internal/, name);
  }
});

Deno.test("test output: a run that failed without a readable failure passes plainly", () => {
  const stdout = "collected 3 items\n\n1 failed, 2 passed in 0.10s\n".padStart(2_000, "line\n");
  assert.equal(enrich({ argv: ["pytest"], stdout, stderr: "", exitCode: 1, budgetTokens: 8_000 }), null);
});

Deno.test("test output: with many failures every one is named before any is told in full", () => {
  const blocks = Array.from(
    { length: 60 },
    (_, i) =>
      `____ test_case_${i} ____\ntests/test_x.py:${i + 1}: in test_case_${i}\n    assert f(${i}) == ${i}\nE   assert ${
        i + 1
      } == ${i}\nE    + where ${i + 1} = f(${i})`,
  );
  const stdout = `=== FAILURES ===\n${blocks.join("\n")}\n60 failed, 5 passed in 1.00s\n`.replace(
    "=== FAILURES ===",
    "======= FAILURES =======",
  );
  const result = enrich({ argv: ["pytest"], stdout, stderr: "", exitCode: 1, budgetTokens: 1_500 });
  assert.equal(namedFailures(result?.text ?? "", /test_case_\d+/).length, 60, result?.text);
});

Deno.test("test output: what no runner prints is shown beside the digest", () => {
  const { stdout } = fixture("pytest_v");
  const before = ["migration 7 was NOT applied", "disk nearly full"], after = ["would reformat src/a.py"];
  const output = [...before, stdout.trimEnd(), ...after, ""].join("\n");
  const text = enrich({ argv: ["pytest", "-v"], stdout: output, stderr: "", exitCode: 1, budgetTokens: 8_000 })?.text ??
    "";
  for (const line of [...before, ...after]) assert.ok(text.includes(line), line);
  assert.match(text, /73 passed/);
});

Deno.test("test output: other lines beyond their room are counted exactly", () => {
  const noise = Array.from({ length: 400 }, (_, i) => `fixture ${i} was loaded from the shared cache of the build`);
  const { stdout } = fixture("pytest_v");
  const output = `${noise.join("\n")}\n${stdout}`;
  const text = enrich({ argv: ["pytest"], stdout: output, stderr: "", exitCode: 1, budgetTokens: 8_000 })?.text ?? "";
  const shown = text.split("\n").filter((line) => line.startsWith("fixture ")).length;
  const left = Number(/(\d+) other lines/.exec(text)?.[1]);
  assert.ok(shown > 5 && text.includes("old rate table"), text); // both ends, the warning of the run at the last
  assert.equal(shown + left, noise.length);
});

Deno.test("test output: a script whose output merely holds a test total is not a test run", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `step ${i}: copied the table of customers to the new schema`);
  const stdout = [...lines, "===== 3 passed in 0.01s =====", "migration 7 was NOT applied", ""].join("\n");
  const result = enrich({ argv: ["bash", "./migrate.sh"], stdout, stderr: "", exitCode: 0, budgetTokens: 8_000 });
  assert.ok(result === null || result.text.includes("migration 7 was NOT applied") && result.text.includes("step 30:"));
});
