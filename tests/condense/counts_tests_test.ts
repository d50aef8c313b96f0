/** Counts of test runs equal those of a plain reference, on generated output of every runner. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import { enrich, type Enriched } from "../../src/condense/enrich.ts";
import { namedFailures } from "./named_failures.ts";
import { RUNNERS } from "./runners.ts";
import { BUDGET_TOKENS, property, range, sumOf } from "./property.ts";

/** What a digest says of a test run: every number in it is the reference's. */
function checkTests(enriched: Enriched, passed: number, failed: number, skipped: number): void {
  assert.equal(enriched.matchCount, passed + failed + skipped);
  const note = /\[… not listed: (.*)\]/.exec(enriched.text)?.[1] ?? "";
  assert.equal(sumOf(note, /(\d+) passed tests?/g), passed, "passed tests that are not listed");
  const shown = namedFailures(enriched.text, /(?:breaks?|bad|Breaks)[ _]?\d+\b/).length;
  assert.equal(
    shown + sumOf(note.replace(/parts of .*/, ""), /(\d+) failures?/g),
    failed,
    "failures shown and not listed",
  );
}

for (const [name, { argv, run }] of Object.entries(RUNNERS)) {
  property(`${name}: one run`, ({ below }) => {
    const [passed, failed, skipped] = [20 + below(400), below(3) === 0 ? 0 : 1 + below(7), below(4)] as const;
    return {
      argv,
      lines: run(passed, failed, skipped),
      exitCode: failed > 0 ? 1 : 0,
      check: (enriched) => checkTests(enriched, passed, failed, skipped),
    };
  });
}

for (const [name, { argv, run }] of Object.entries(RUNNERS)) {
  for (const failed of [1, 3, 25, 120]) {
    Deno.test(`counts: ${name}: ${failed} failures of 300 are all named, with what is wrong, in at most 400 tokens`, () => {
      const stdout = run(300 - failed, failed, 0).join("\n");
      const enriched = enrich({ argv, stdout, stderr: "", exitCode: 1, budgetTokens: 8_000 });
      assert.ok(enriched && estimateTokens(enriched.text) <= 400, enriched?.text);
      checkTests(enriched, 300 - failed, failed, 0);
      assert.equal(namedFailures(enriched.text, /(?:breaks?|bad|Breaks)[ _]?\d+\b/).length, failed, enriched.text);
      assert.match(enriched.text, /Error|assert|got 0|Expected|expected/, enriched.text);
    });
  }
}

/** Runners whose runs can be separated; those of cargo and go are added up by their parsers, node and mocha report failures last. */
const SEPARATE = Object.keys(RUNNERS).filter((name) => !["cargo", "go", "node", "mocha"].includes(name));

property("several test runs one after the other are added up", ({ below, pick }) => {
  const runs = range(2 + below(3)).map(() => [pick(SEPARATE), 20 + below(90), below(3), below(3)] as const);
  const total = (at: 1 | 2 | 3): number => runs.reduce((sum, run) => sum + run[at], 0);
  return {
    argv: ["make", "test"],
    lines: runs.flatMap(([name, passed, failed, skipped]) => RUNNERS[name]?.run(passed, failed, skipped) ?? []),
    exitCode: total(2) > 0 ? 1 : 0,
    check({ matchCount, text }) {
      assert.equal(matchCount, total(1) + total(2) + total(3));
      assert.equal(sumOf(/\[… not listed: (.*)\]/.exec(text)?.[1] ?? "", /(\d+) passed tests?/g), total(1));
    },
  };
});

Deno.test("counts: runs that cannot be told apart are shown as they are", () => {
  for (const names of [["cargo", "pytest"], ["go", "jest"], ["go", "cargo"]]) {
    const lines = names.flatMap((name) => RUNNERS[name]?.run(100, 1, 0) ?? []);
    const input = {
      argv: ["make", "test"],
      stdout: lines.join("\n"),
      stderr: "",
      exitCode: 1,
      budgetTokens: BUDGET_TOKENS,
    };
    assert.doesNotMatch(enrich(input)?.text ?? "", /not listed: 100 passed/, names.join(" "));
  }
});
