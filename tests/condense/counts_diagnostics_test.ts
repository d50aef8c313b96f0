/** Counts of compiler and linter output equal those of a plain reference, on generated output of every tool. @module */
import assert from "node:assert/strict";
import type { Enriched } from "../../src/condense/enrich.ts";
import { gnu, severityOf, TOOLS } from "./compilers.ts";
import { type Case, property, range, word } from "./property.ts";

/** What a digest shows and what it says to be left out are together what the tool printed. */
function checkSum({ matchCount, text }: Enriched, total: number, head: RegExp): void {
  assert.equal(matchCount, total);
  const shown = text.split("\n").filter((line) => head.test(line))
    .reduce((sum, line) => sum + Number(/ \[×(\d+)\]$/.exec(line)?.[1] ?? 1), 0);
  const [, hidden = "0", said = String(total)] = /\[… (\d+) of (\d+) diagnostics?/.exec(text) ?? [];
  assert.deepEqual([shown + Number(hidden), Number(said)], [total, total]);
}

for (const { command, stream, head, report, before = [], behind } of TOOLS) {
  property(`${command}: diagnostics shown and left out make all`, (random) => {
    const reports = range(20 + random.below(120)).map((n) => report(random, n + 1));
    const lines = [...before, ...reports.flatMap((each) => each.lines), ...behind?.(reports) ?? []];
    return {
      argv: command.split(" "),
      ...stream === "stderr" ? { lines: [], errors: lines } : { lines },
      exitCode: 1,
      check: (enriched) => checkSum(enriched, reports.length, head),
    };
  });
}

property("eslint: problems shown and left out make all, and its own total is kept", (random): Case => {
  const files = range(2 + random.below(30)).map((i) => ({
    path: `/src/${word(random)}${i}.js`,
    problems: range(1 + random.below(9)).map((n) => ({ severity: severityOf(random), line: n + 1 })),
  }));
  const problems = files.flatMap((file) => file.problems);
  const of = (severity: string): number => problems.filter((problem) => problem.severity === severity).length;
  const total = `✖ ${problems.length} problem${problems.length === 1 ? "" : "s"} (${of("error")} errors, ${
    of("warning")
  } warnings)`;
  return {
    argv: ["npx", "eslint", "."],
    lines: [
      ...files.flatMap(({ path, problems }) => [
        "",
        path,
        ...problems.map(({ severity, line }) =>
          `  ${line}:5  ${severity.padEnd(7)}  'v${random.below(6)}' is assigned a value but never used  no-unused-vars`
        ),
      ]),
      "",
      total,
      "",
    ],
    exitCode: 1,
    check(enriched) {
      const { text, omitted, matchCount } = enriched;
      assert.equal(matchCount, problems.length);
      const isUnchanged = / {2}\d+:5 {2}(?:error|warning) /.test(text);
      if (isUnchanged) assert.equal(omitted, "");
      else checkSum(enriched, problems.length, /^\/src\/\w+\.js:\d+:5 /);
      assert.ok(enriched.text.includes(total), "eslint's own total");
    },
  };
});

property(
  "make: a compiler's diagnostics among recipes are counted, and every other line is shown or counted",
  (random) => {
    const reports = range(20 + random.below(60)).map((n) => gnu(random, n + 1, true));
    const recipes = range(3 + random.below(20)).map((n) => `cc -O2 -c -o build/a${n}.o src/a${n}.c`);
    return {
      argv: ["make"],
      lines: recipes,
      errors: [...reports.flatMap((each) => each.lines), "make: *** [Makefile:4: all] Error 1"],
      exitCode: 2,
      check(enriched) {
        checkSum(enriched, reports.length, /^src\/a\d\.c:\d+:5: /);
        const shown = enriched.text.split("\n").filter((line) => line.startsWith("cc -O2 ")).length;
        const hidden = Number(/(\d+) other lines? left out/.exec(enriched.text)?.[1] ?? 0);
        assert.equal(shown + hidden, recipes.length);
      },
    };
  },
);
