/** Guarantees of every condenser, over real, damaged and invented outputs. @module */
import assert from "node:assert/strict";
import { estimateTokens } from "../../src/core/tokens.ts";
import { enrich, type Enriched, type EnrichInput } from "../../src/condense/enrich.ts";
import { boundPlain } from "../../src/core/bound_lines.ts";
import { fixture, FIXTURES } from "./fixture.ts";

const BUDGETS = [60, 150, 400, 1_000, 8_000];

function cost(result: { text: string; stderr: string }): number {
  return estimateTokens(result.text) + estimateTokens(result.stderr);
}

/** Notes, counts and line numbers are ours; every other word must be a piece of the input. */
function inventedWords(input: EnrichInput, result: Enriched): string[] {
  const whole = input.stdout + "\n" + input.stderr;
  const squeezed = whole.replace(/\s+/g, "");
  const lines = `${result.text}\n${result.stderr}`.split("\n");
  const words = lines.flatMap((line) => {
    if (/^\s*\[… .*\]$/.test(line)) return [];
    const own = line.replace(/ ?\[(?:×|\+)\d+\]/g, "").replace(/…$/, "");
    const numbered = own.replace(/^\d+: /, "").replace(/^(?:[^\s:]*:)?[\d,]+:/, "");
    return [numbered.split(/\s+/), own.split(/\s+/)].reduce((best, each) =>
      unknown(each).length < unknown(best).length ? each : best
    );
  });
  function unknown(candidates: string[]): string[] {
    return candidates.filter((word) => !whole.includes(word.replace(/[@/]$/, "")) && !squeezed.includes(word));
  }
  return unknown(words);
}

function checkPromises(input: EnrichInput, label: string): void {
  const result = enrich(input);
  if (result === null) return;
  assert.ok(cost(result) <= input.budgetTokens, `${label}: ${cost(result)} tokens of ${input.budgetTokens}`);
  const plain = estimateTokens(input.stdout) + estimateTokens(input.stderr);
  if (plain <= input.budgetTokens) assert.ok(cost(result) <= plain, `${label}: longer than plain`);
  assert.deepEqual(inventedWords(input, result), [], `${label}: invented words`);
  assert.equal(result.truncated, result.omitted !== "", label);
  if (result.truncated) assert.match(result.text, /\[[…+×]|…$/m, `${label}: left out without saying so`);
}

for (const name of FIXTURES) {
  Deno.test(`enrich keeps its promises for ${name} under every budget`, () => {
    for (const budgetTokens of BUDGETS) checkPromises(fixture(name, budgetTokens), `${name} at ${budgetTokens}`);
  });
}

/** Deterministic noise: the same on every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The same output with lines lost, doubled, cut and swapped. */
function damage(text: string, random: () => number): string {
  const lines = text.split("\n");
  const damaged = lines.flatMap((line) => {
    const dice = random();
    if (dice < 0.05) return [];
    if (dice < 0.1) return [line, line];
    if (dice < 0.15) return [line.slice(0, Math.floor(random() * line.length))];
    if (dice < 0.2) return [lines[Math.floor(random() * lines.length)] ?? ""];
    return [line];
  });
  return damaged.join("\n");
}

Deno.test("enrich keeps its promises for damaged outputs of every command", () => {
  const random = makeRandom(7);
  for (const name of FIXTURES) {
    const input = fixture(name, 700);
    for (let round = 0; round < 3; round++) {
      const stdout = damage(input.stdout.slice(0, 12_000), random);
      checkPromises({ ...input, stdout, stderr: damage(input.stderr, random) }, `${name} damaged`);
    }
  }
});

Deno.test("enrich keeps its promises when a command prints what another command would", () => {
  for (const command of ["rg", "git log", "ps"]) {
    for (const name of FIXTURES) {
      const other = fixture(name, 600);
      checkPromises(
        { ...other, argv: command.split(" "), stdout: other.stdout.slice(0, 8_000) },
        `${command} with ${name}`,
      );
    }
  }
});

Deno.test("enrich says how much of the output it saves: two thirds over all real outputs", () => {
  let before = 0, after = 0;
  for (const name of FIXTURES) {
    const input = fixture(name);
    const result = enrich(input);
    const plain = estimateTokens(input.stdout) + estimateTokens(input.stderr);
    before += plain;
    after += result === null ? plain : cost(result);
  }
  assert.ok(after < before * 0.35, `${after} of ${before}`);
});

Deno.test("enrich returns null for an unknown command, so that the caller bounds it plainly", () => {
  const input = { argv: ["frobnicate"], stdout: "a\nb\n", stderr: "", exitCode: 0, budgetTokens: 100 };
  assert.equal(enrich(input), null);
});

Deno.test("enrich passes small output unchanged", () => {
  const stdout = "src/a.ts:1:const x = 1;\nsrc/b.ts:2:const x = 2;\n";
  const result = enrich({ argv: ["rg", "-n", "x"], stdout, stderr: "", exitCode: 0, budgetTokens: 8_000 });
  assert.equal(result?.text, stdout);
  assert.equal(result?.matchCount, 2);
  assert.equal(result?.truncated, false);
});

Deno.test("enrich takes the working directory off paths, and colours and overwritten progress off lines", () => {
  const hits = Array.from({ length: 5 }, (_, i) => `\u001b[31m/home/me/app/${i}.ts\u001b[0m:${i}:x`);
  const stdout = [...hits, "10%\r50%\r/home/me/app/last.ts:9:x", ""].join("\n");
  const cwd = "/home/me/app";
  const result = enrich({ argv: ["rg", "-n", "x"], stdout, stderr: "", exitCode: 0, budgetTokens: 8_000, cwd });
  assert.equal(result?.text, "0.ts:0:x\n1.ts:1:x\n2.ts:2:x\n3.ts:3:x\n4.ts:4:x\nlast.ts:9:x\n");
});

Deno.test("enrich leaves the working directory in contents, and in longer paths that end like it", () => {
  const cwd = "/home/me/app";
  const of = (command: string, stdout: string) =>
    enrich({ argv: ["bash", "-c", command], stdout, stderr: "", exitCode: 1, budgetTokens: 8_000, cwd })?.text;
  const text = "root = /home/me/app/data\n";
  assert.equal(of("cat settings.ini", text), text);
  assert.equal(of("rg -n x", "/home/me/app/a.ts:1:see /home/me/app/b.ts\n"), "a.ts:1:see /home/me/app/b.ts\n");
  const errors = "file:///home/me/app/a.ts:1:2: error: x\n/mnt/home/me/app/b.ts:1:2: error: y\n";
  assert.equal(of("gcc a.c", errors), "a.ts:1:2: error: x\n/mnt/home/me/app/b.ts:1:2: error: y\n");
});

Deno.test("boundPlain keeps head and tail within the budget and says what lies between", () => {
  const lines = Array.from({ length: 500 }, (_, i) => `row ${i} of the output`);
  for (const budget of [40, 100, 1_000]) {
    const bounded = boundPlain(lines.join("\n"), budget);
    assert.ok(estimateTokens(bounded.text) <= budget, `${budget}`);
    const shown = bounded.text.split("\n").filter((line) => line.startsWith("row ")).length;
    assert.match(bounded.text, new RegExp(`\\[… ${500 - shown} of 500 lines left out\\]`));
  }
  assert.match(boundPlain(lines.join("\n"), 100).text, /^row 0 of/);
  assert.match(boundPlain(lines.join("\n"), 100).text, /row 499 of the output$/);
});

Deno.test("boundPlain cuts a very long line and counts what it cut", () => {
  const bounded = boundPlain("x".repeat(100_000), 4_000);
  assert.match(bounded.omitted, /^98000 characters of long lines$/);
});

Deno.test("boundPlain returns what fits unchanged", () => {
  assert.deepEqual(boundPlain("a\nb\n", 100), { text: "a\nb\n", omitted: "" });
});

Deno.test("enrich takes no longer than its input deserves, whatever it is shown", () => {
  const pieces = [
    "a:1:b ",
    "\n",
    " ",
    ".",
    ":1:",
    "word ",
    "[",
    "a\n",
    "1:\n",
    "a/b\n",
    "--- a\n+++ b\n@@ -1 +1 @@\n",
    "\t",
    '"',
    "-1-",
  ];
  const commands = [
    "rg -n x",
    "cat a.ts",
    "cat a.json",
    "ls -l",
    "find .",
    "git log",
    "git diff",
    "ps aux",
    "pytest",
    "tsc",
    "make",
    "journalctl",
    "tree",
    "du",
    "frob",
  ];
  for (const piece of pieces) {
    const stdout = piece.repeat(Math.ceil(20_000 / piece.length));
    for (const command of commands) {
      // A pattern that tries every way would not end.
      enrich({ argv: ["bash", "-c", command], stdout, stderr: "", exitCode: 1, budgetTokens: 1_000 });
    }
  }
});

Deno.test("tests: failures that differ in their numbers only are told once, twice in a line, and named", () => {
  const failure = (n: number) => [
    "=".repeat(70),
    `FAIL: test_round_${n} (tests.A.test_round_${n})`,
    "-".repeat(70),
    "Traceback (most recent call last):",
    `  File "/src/tests.py", line ${n}, in test_round_${n}`,
    `    self.assertEqual(round_to(${n}, 10), ${n * 10})`,
    `AssertionError: ${n} != ${n * 10}`,
    "",
  ];
  const other = [
    "=".repeat(70),
    "ERROR: test_other (tests.A.test_other)",
    "-".repeat(70),
    "Traceback (most recent call last):",
    '  File "/src/tests.py", line 900, in test_other',
    "    open('x')",
    "FileNotFoundError: x",
    "",
  ];
  const numbers = Array.from({ length: 20 }, (_, i) => i + 1);
  const progress = "F".repeat(20) + "E" + ".".repeat(2_163);
  const stderr = [
    progress,
    ...numbers.flatMap(failure),
    ...other,
    "Ran 2184 tests in 0.2s",
    "",
    "FAILED (failures=20, errors=1)",
    "",
  ];
  const argv = ["python3", "-m", "unittest"];
  const text = enrich({ argv, stdout: "", stderr: stderr.join("\n"), exitCode: 1, budgetTokens: 8_000 })?.text ?? "";
  assert.equal(text.match(/self\.assertEqual/g)?.length, 1);
  for (const n of [2, 3]) {
    assert.match(text, new RegExp(`^FAIL: test_round_${n} .* AssertionError: ${n} != ${n * 10}$`, "m"));
  }
  assert.match(text, /^ {2}File .*, in test_other\n {4}open\('x'\)\nFileNotFoundError: x$/m);
  assert.match(text, /\[… not listed: 2163 passed tests, parts of 19 failures\]$/);
  assert.match(text, /\[… also failed: tests\.A\.test_round_# \(# = 4-20\)\]/);
  assert.doesNotMatch(text, /\.{20}/);
});
