/** Every count that a digest states equals that of a plain reference, on generated output of programs. @module */
import assert from "node:assert/strict";
import { enrich, type Enriched, unreadMark } from "../../src/condense/enrich.ts";
import { makeRandom, type Random } from "../support/random.ts";

const CASES = 60;
/** Small enough that something has to be left out. */
const BUDGET_TOKENS = 700;

/** Output of a program, and what is true of it. */
interface Case {
  readonly argv: readonly string[];
  readonly lines: readonly string[];
  readonly exitCode?: number;
  readonly check: (enriched: Enriched) => void;
}

/** Runs generated cases. */
function property(what: string, make: (random: Random) => Case): void {
  Deno.test(`counts: ${what}`, () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { argv, lines, exitCode = 0, check } = make(makeRandom(seed));
      const stdout = lines.map((line) => `${line}\n`).join("");
      const enriched = enrich({ argv, stdout, stderr: "", exitCode, budgetTokens: BUDGET_TOKENS });
      assert.ok(enriched, `seed ${seed}: not recognised`);
      try {
        check(enriched);
      } catch (error) {
        throw new Error(`seed ${seed}\n${enriched.text}\n--- ${enriched.omitted}`, { cause: error });
      }
    }
  });
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const word = ({ below }: Random): string => range(3 + below(6)).map(() => String.fromCharCode(97 + below(26))).join("");
/** The sum of the numbers that a pattern captures. */
const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);

/** One run of a runner with so many tests, of which the last ones fail. */
type Runner = (passed: number, failed: number, skipped: number) => string[];

const BANNER = "=".repeat(20);
const RUNNERS: Readonly<Record<string, { readonly argv: readonly string[]; readonly run: Runner }>> = {
  pytest: {
    argv: ["pytest", "-v"],
    run: (passed, failed, skipped) => [
      `${BANNER} test session starts ${BANNER}`,
      `collected ${passed + failed + skipped} items`,
      "",
      ...range(passed).map((i) => `tests/test_a.py::test_ok[${i}] PASSED [ 10%]`),
      ...range(skipped).map((i) => `tests/test_a.py::test_later[${i}] SKIPPED (later) [ 20%]`),
      ...range(failed).map((i) => `tests/test_a.py::test_bad_${i} FAILED [ 90%]`),
      "",
      ...failed === 0 ? [] : [
        `${BANNER} FAILURES ${BANNER}`,
        ...range(failed).flatMap((i) => [
          `________________ test_bad_${i} ________________`,
          "",
          `>       assert ${i} == 0`,
          `E       assert ${i} == 0`,
          "",
          `tests/test_a.py:${i}: AssertionError`,
        ]),
        `${BANNER} short test summary info ${BANNER}`,
        ...range(failed).map((i) => `FAILED tests/test_a.py::test_bad_${i} - assert ${i} == 0`),
      ],
      `${BANNER} ${
        [failed && `${failed} failed`, passed && `${passed} passed`, skipped && `${skipped} skipped`].filter((part) =>
          part
        )
          .join(", ")
      } in 1.25s ${BANNER}`,
    ],
  },
  unittest: {
    argv: ["python3", "-m", "unittest", "-v"],
    run: (passed, failed, skipped) => [
      ...range(passed).map((i) => `test_ok_${i} (tests.A.test_ok_${i}) ... ok`),
      ...range(skipped).map((i) => `test_later_${i} (tests.A.test_later_${i}) ... skipped 'later'`),
      ...range(failed).map((i) => `test_bad_${i} (tests.A.test_bad_${i}) ... FAIL`),
      "",
      ...range(failed).flatMap((i) => [
        "=".repeat(70),
        `FAIL: test_bad_${i} (tests.A.test_bad_${i})`,
        "-".repeat(70),
        "Traceback (most recent call last):",
        `  File "/src/tests.py", line ${i + 1}, in test_bad_${i}`,
        `    self.assertEqual(${i}, 0)`,
        `AssertionError: ${i} != 0`,
        "",
      ]),
      "-".repeat(70),
      `Ran ${passed + failed + skipped} tests in 0.010s`,
      "",
      (failed > 0 ? "FAILED" : "OK") +
      (failed + skipped > 0
        ? ` (${[failed && `failures=${failed}`, skipped && `skipped=${skipped}`].filter((part) => part).join(", ")})`
        : ""),
    ],
  },
  jest: {
    argv: ["npx", "jest", "--verbose"],
    run: (passed, failed, skipped) => [
      `${failed > 0 ? "FAIL" : "PASS"} src/a.test.js`,
      "  cart",
      ...range(passed).map((i) => `    ✓ adds ${i} (2 ms)`),
      ...range(failed).map((i) => `    ✕ breaks ${i} (2 ms)`),
      ...range(skipped).map((i) => `    ○ skipped later ${i}`),
      "",
      ...range(failed).flatMap((i) => [
        `  ● cart › breaks ${i}`,
        "",
        "    expect(received).toBe(expected)",
        "",
        `    Expected: ${i}`,
        "    Received: -1",
        "",
        `      at Object.<anonymous> (src/a.test.js:${i + 1}:5)`,
        "",
      ]),
      `Test Suites: ${failed > 0 ? "1 failed, " : ""}1 total`,
      `Tests:       ${
        [failed && `${failed} failed`, skipped && `${skipped} skipped`, `${passed} passed`].filter((part) => part).join(
          ", ",
        )
      }, ${passed + failed + skipped} total`,
      "Snapshots:   0 total",
      "Time:        1.2 s",
      "Ran all test suites.",
    ],
  },
  vitest: {
    argv: ["npx", "vitest", "run"],
    run: (passed, failed, skipped) => [
      " RUN  v3.0.0 /src",
      "",
      ` ❯ a.test.ts (${passed + failed + skipped} tests | ${failed} failed) 8ms`,
      ...range(passed).map((i) => `   ✓ adds ${i} 1ms`),
      ...range(failed).map((i) => `   × breaks ${i} 1ms`),
      "",
      ...failed > 0 ? [`⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failed} ⎯⎯⎯⎯⎯⎯⎯`, ""] : [],
      ...range(failed).flatMap((i) => [
        ` FAIL  a.test.ts > breaks ${i}`,
        `AssertionError: expected ${i} to be -1`,
        ` ❯ a.test.ts:${i + 1}:3`,
        `⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${i + 1}/${failed}]⎯`,
        "",
      ]),
      ` Test Files  1 ${failed > 0 ? "failed" : "passed"} (1)`,
      `      Tests  ${
        [failed && `${failed} failed`, passed && `${passed} passed`, skipped && `${skipped} skipped`].filter((part) =>
          part
        )
          .join(" | ")
      } (${passed + failed + skipped})`,
      "   Start at  10:00:00",
      "   Duration  312ms (transform 20ms)",
    ],
  },
  deno: {
    argv: ["deno", "test"],
    run: (passed, failed, skipped) => [
      `running ${passed + failed + skipped} tests from ./a_test.ts`,
      ...range(passed).map((i) => `adds ${i} ... ok (2ms)`),
      ...range(skipped).map((i) => `later ${i} ... ignored (0ms)`),
      ...range(failed).map((i) => `breaks ${i} ... FAILED (2ms)`),
      "",
      ...failed === 0 ? [] : [
        " ERRORS ",
        "",
        ...range(failed).flatMap((i) => [
          `breaks ${i} => ./a_test.ts:${i + 1}:6`,
          `error: AssertionError: ${i} is not 0`,
          `    at file:///src/a_test.ts:${i + 1}:9`,
          "",
        ]),
        " FAILURES ",
        "",
        ...range(failed).map((i) => `breaks ${i} => ./a_test.ts:${i + 1}:6`),
        "",
      ],
      `${failed > 0 ? "FAILED" : "ok"} | ${passed} passed | ${failed} failed${
        skipped > 0 ? ` | ${skipped} ignored` : ""
      } (15ms)`,
    ],
  },
  cargo: {
    argv: ["cargo", "test"],
    run: (passed, failed, skipped) => [
      `running ${passed + failed + skipped} tests`,
      ...range(passed).map((i) => `test tests::adds_${i} ... ok`),
      ...range(skipped).map((i) => `test tests::later_${i} ... ignored`),
      ...range(failed).map((i) => `test tests::breaks_${i} ... FAILED`),
      "",
      ...failed === 0 ? [] : [
        "failures:",
        "",
        ...range(failed).flatMap((i) => [
          `---- tests::breaks_${i} stdout ----`,
          `thread 'tests::breaks_${i}' panicked at src/lib.rs:${i + 1}:5:`,
          `assertion failed: ${i} == 0`,
          "",
        ]),
        "failures:",
        ...range(failed).map((i) => `    tests::breaks_${i}`),
        "",
      ],
      `test result: ${
        failed > 0 ? "FAILED" : "ok"
      }. ${passed} passed; ${failed} failed; ${skipped} ignored; 0 measured; ` +
      "0 filtered out; finished in 0.01s",
    ],
  },
  go: {
    argv: ["go", "test", "-v", "./..."],
    run: (passed, failed, skipped) => [
      ...range(passed).flatMap((i) => [`=== RUN   TestAdds${i}`, `--- PASS: TestAdds${i} (0.00s)`]),
      ...range(skipped).flatMap((
        i,
      ) => [`=== RUN   TestLater${i}`, `    a_test.go:9: later`, `--- SKIP: TestLater${i} (0.00s)`]),
      ...range(failed).flatMap((i) => [
        `=== RUN   TestBreaks${i}`,
        `    a_test.go:${i + 1}: got ${i}, want 0`,
        `--- FAIL: TestBreaks${i} (0.00s)`,
      ]),
      failed > 0 ? "FAIL" : "PASS",
      `${failed > 0 ? "FAIL" : "ok"}\texample.com/a\t0.012s`,
    ],
  },
};

/** What a digest says of a test run: every number in it is the reference's. */
function checkTests(enriched: Enriched, passed: number, failed: number, skipped: number): void {
  assert.equal(enriched.matchCount, passed + failed + skipped);
  const note = /\[… not listed: (.*)\]/.exec(enriched.text)?.[1] ?? "";
  assert.equal(sumOf(note, /(\d+) passed tests?/g), passed, "passed tests that are not listed");
  const shown = new Set(enriched.text.match(/(?:breaks?|bad|Breaks)[ _]?\d+\b/g)).size;
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

/** Runners whose runs are told apart; those of cargo and go are read together. */
const SEPARATE = Object.keys(RUNNERS).filter((name) => name !== "cargo" && name !== "go");

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

const LINTERS: Readonly<Record<string, (random: Random, place: number) => string>> = {
  "tsc": ({ below }, n) =>
    `src/m${below(9)}.ts(${n},7): error TS2322: Type 'string' is not assignable to type '${below(6)}'.`,
  "gcc -c a.c": ({ below, pick }, n) =>
    `src/a${below(9)}.c:${n}:5: ${pick(["error", "warning"])}: unused variable 'v${below(6)}'`,
  "mypy src": ({ below }, n) =>
    `src/m${below(9)}.py:${n}: error: Incompatible return value type ${below(6)}  [return-value]`,
  "ruff check --output-format concise": ({ below }, n) =>
    `src/m${below(9)}.py:${n}:1: F401 'os${below(6)}' imported but unused`,
};
for (const [command, row] of Object.entries(LINTERS)) {
  property(`${command}: diagnostics shown and left out make all`, (random) => {
    const lines = range(30 + random.below(200)).map((n) => row(random, n + 1));
    return {
      argv: command.split(" "),
      lines,
      exitCode: 1,
      check({ matchCount, text }) {
        assert.equal(matchCount, lines.length);
        const heads = text.split("\n").filter((line) => /^src\/\w+\.\w+[(:]\d+/.test(line));
        const shown = heads.reduce((sum, line) => sum + Number(/\[×(\d+)\]$/.exec(line)?.[1] ?? 1), 0);
        const [, hidden = "0", all = String(lines.length)] = /\[… (\d+) of (\d+) diagnostics/.exec(text) ?? [];
        assert.deepEqual([shown + Number(hidden), Number(all)], [lines.length, lines.length]);
      },
    };
  });
}

/** Paths in a few folders, each once. */
function paths(random: Random, count: number): string[] {
  const folders = range(2 + random.below(12)).map(() => `${word(random)}/${word(random)}`);
  return [...new Set(range(count).map((i) => `${random.pick(folders)}/${word(random)}${i}.ts`))].sort();
}

for (const argv of [["grep", "-rn", "needle"], ["rg", "-n", "needle"], ["git", "grep", "-n", "needle"]]) {
  property(`${argv.join(" ")}: hits shown and left out make all`, (random) => {
    const files = paths(random, 5 + random.below(60));
    const lines = files.flatMap((path) =>
      range(1 + random.below(9)).map((i) =>
        `${path}:${i * 3 + 1}:  const x${random.below(40)} = needle(${i}); // ${word(random)}`
      )
    );
    return {
      argv,
      lines,
      check({ matchCount, text }) {
        assert.equal(matchCount, lines.length);
        const head = /^\[… (\d+) matches in (\d+) files?/.exec(text);
        if (head) assert.deepEqual(head.slice(1, 3).map(Number), [lines.length, new Set(files).size]);
        const numbers = [...text.matchAll(/^(?:[\w/.]+:)?([\d,]+):/gm)].map((match) =>
          (match[1] ?? "").split(",").length
        );
        const shown = numbers.reduce((sum, count) => sum + count, 0);
        const others = /\[… more in (.*)\]/.exec(text)?.[1] ?? "";
        const hidden = sumOf(text, /\[… (\d+) more here\]/g) + sumOf(others, / (\d+)(?:,|$)/g);
        assert.equal(shown + hidden, lines.length);
      },
    };
  });
}

property("grep -h names no number of files", (random) => {
  const lines = range(200 + random.below(300)).map((i) => `${i}:needle ${word(random)} ${word(random)}`);
  return {
    argv: ["grep", "-rhn", "needle", "src"],
    lines,
    check({ matchCount, text }) {
      assert.equal(matchCount, lines.length);
      assert.doesNotMatch(text, /in \d+ files?/);
    },
  };
});

property("grep -c: files and hits", (random) => {
  const rows = paths(random, 20 + random.below(200)).map((path) => [path, random.below(5)] as const);
  const total = rows.reduce((sum, [, count]) => sum + count, 0);
  return {
    argv: ["grep", "-rc", "needle", "."],
    lines: rows.map(([path, count]) => `${path}:${count}`),
    check({ matchCount, text }) {
      assert.equal(matchCount, total);
      const all = /; (\d+) in all\]/.exec(text)?.[1];
      if (all !== undefined) assert.equal(Number(all), total);
      const shown = text.split("\n").filter((line) => /:\d+$/.test(line)).length;
      const [empty, fewer] = [sumOf(text, /(\d+) files? with 0/g), sumOf(text, /(\d+) files? with fewer/g)];
      assert.equal(empty + fewer + shown, rows.length);
    },
  };
});

for (const argv of [["find", ".", "-type", "f"], ["git", "ls-files"], ["rg", "--files"], ["ls", "-R"]]) {
  property(`${argv.join(" ")}: names shown and left out make all`, (random) => {
    const all = paths(random, 10 + random.below(600));
    const byFolder = Map.groupBy(all, (path) => path.slice(0, path.lastIndexOf("/")));
    const lines = argv[0] === "ls"
      ? [...byFolder].flatMap((
        [folder, members],
      ) => [`${folder}:`, ...members.map((path) => path.slice(folder.length + 1)), ""])
      : all;
    return {
      argv,
      lines,
      check({ matchCount, text }) {
        assert.equal(matchCount, all.length);
        const shown = [...text.matchAll(/(?<=^|[\s/])[a-z]+\d+\.ts(?=\s|$)/gm)].length;
        assert.equal(
          shown + sumOf(text, /\[\+(\d+)\]/g) + sumOf(/\[… and (.*)\]/.exec(text)?.[1] ?? "", / (\d+)(?:,|$)/g),
          all.length,
        );
        for (const [, said] of text.matchAll(/\[… (\d+) (?:paths|names)/g)) assert.equal(Number(said), all.length);
      },
    };
  });
}

property("git status: paths shown and left out make all", (random) => {
  const all = paths(random, 20 + random.below(300));
  return {
    argv: ["git", "status"],
    lines: [
      "On branch main",
      "",
      "Changes not staged for commit:",
      '  (use "git add <file>..." to update what will be committed)',
      ...all.map((path) => `\tmodified:   ${path}`),
      "",
      "no changes added to commit",
    ],
    check({ matchCount, text }) {
      assert.equal(matchCount, all.length);
      const shown = text.split("\n").filter((line) => line.startsWith("\tmodified:")).length;
      const [, hidden = "0", said = String(all.length)] = /\[… (\d+) of (\d+) paths? left out\]/.exec(text) ?? [];
      assert.deepEqual([shown + Number(hidden), Number(said)], [all.length, all.length]);
    },
  };
});

property("git log: commits shown and left out make all", (random) => {
  const commits = range(20 + random.below(200));
  return {
    argv: ["git", "log"],
    lines: commits.flatMap((i) => [
      `commit ${String(i).padStart(8, "a")}${"b".repeat(32)}`,
      `Author: ${random.pick(["Ann", "Bob"])} <a@example.com>`,
      "Date:   Mon Nov 2 10:00:00 2026 +0000",
      "",
      `    Change ${word(random)} ${i}`,
      "",
    ]),
    check({ matchCount, text }) {
      assert.equal(matchCount, commits.length);
      const shown = text.split("\n").filter((line) => /^ Change /.test(line)).length;
      const [, oldest = "0"] = /the (\d+) oldest of/.exec(text) ?? [];
      assert.equal(shown + Number(oldest), commits.length);
    },
  };
});

for (const [argv, noun] of [[["git", "diff", "--stat"], "file"], [["git", "stash", "list"], "line"]] as const) {
  property(`${argv.join(" ")}: rows are counted as what they are`, (random) => {
    const all = paths(random, 100 + random.below(200));
    const body = noun === "file"
      ? all.map((path) => ` ${path} | 3 +++`)
      : all.map((path, i) => `stash@{${i}}: WIP on main: ${path}`);
    return {
      argv,
      lines: noun === "file" ? [...body, ` ${all.length} files changed, ${3 * all.length} insertions(+)`] : body,
      check({ matchCount, text }) {
        assert.equal(matchCount, all.length);
        const shown = text.split("\n").filter((line) => / \| 3 |^stash@/.test(line)).length;
        const [, hidden = "0", said = String(all.length)] =
          new RegExp(`\\[… (\\d+) of (\\d+) ${noun}s left out\\]`).exec(text) ?? [];
        assert.deepEqual([shown + Number(hidden), Number(said)], [all.length, all.length]);
      },
    };
  });
}

property("git diff: added and removed lines of each file", (random) => {
  const files = range(2 + random.below(8)).map((i) => ({
    path: `src/${word(random)}${i}.ts`,
    hunks: range(1 + random.below(6)).map(() => ({ added: 1 + random.below(20), removed: random.below(20) })),
  }));
  const of = (file: typeof files[number], key: "added" | "removed"): number =>
    file.hunks.reduce((sum, hunk) => sum + hunk[key], 0);
  return {
    argv: ["git", "diff"],
    lines: files.flatMap(({ path, hunks }) => [
      `diff --git a/${path} b/${path}`,
      "index 1111111..2222222 100644",
      `--- a/${path}`,
      `+++ b/${path}`,
      ...hunks.flatMap(({ added, removed }, n) => [
        `@@ -${n * 50 + 1},${removed + 2} +${n * 50 + 1},${added + 2} @@`,
        ` ${word(random)}`,
        ...range(removed).map(() => `-- ${word(random)} ${word(random)} ${word(random)}`),
        ...range(added).map(() => `++ ${word(random)} ${word(random)} ${word(random)}`),
        ` ${word(random)}`,
      ]),
    ]),
    check({ matchCount, text }) {
      assert.equal(matchCount, files.length);
      const summary = /^\[… (\d+ files? \+.*)\]$/m.exec(text)?.[1];
      if (summary === undefined) return;
      const added = files.reduce((sum, file) => sum + of(file, "added"), 0);
      const removed = files.reduce((sum, file) => sum + of(file, "removed"), 0);
      const each = files.map((file) => `${file.path} +${of(file, "added")} -${of(file, "removed")}`).join(", ");
      assert.equal(summary, `${files.length} files +${added} -${removed}: ${each}`);
    },
  };
});

property("ps: rows shown and left out make all", (random) => {
  const rows = range(40 + random.below(300)).map((i) =>
    `root ${i + 1} ${random.below(9)}.0 1.0 1000 2000 ? S 10:00 0:00 ${word(random)} --flag`
  );
  return {
    argv: ["ps", "aux"],
    lines: ["USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND", ...rows],
    check({ matchCount, text }) {
      assert.equal(matchCount, rows.length);
      const shown = text.split("\n").filter((line) => /^root \d/.test(line)).length;
      for (const [, said] of text.matchAll(/\[… (\d+) (?:of \d+ )?(?:more )?(?:process|row)/g)) {
        assert.ok(
          Number(said) === rows.length - shown || Number(said) === rows.length,
          `${said} of ${rows.length}, ${shown} shown`,
        );
      }
    },
  };
});

Deno.test("counts: of output whose middle is not at hand, the digest says what they cover", () => {
  const row = (level: string, n: number) =>
    `2026-11-28T10:00:00.${String(n % 1000).padStart(3, "0")}Z ${level} request ${n} took long`;
  const level = (n: number) => n % 10 === 0 ? "ERROR" : "INFO";
  const head = range(300).map((n) => row(level(n), n)), tail = range(300).map((n) => row(level(n), n));
  const stdout = `${head.join("\n")}\n2026-11-28T10:00:0\n${unreadMark(123_456)}\nERROR cut line\n${tail.join("\n")}\n`;
  const enriched = enrich({
    argv: ["cat", "app.log"],
    stdout,
    stderr: "",
    exitCode: 0,
    budgetTokens: BUDGET_TOKENS,
    unreadBytes: 123_456,
  });
  assert.match(enriched?.text ?? "", /600 lines: 60 ERROR, 540 INFO/);
  assert.match(enriched?.text ?? "", /\[… 123456 bytes in the middle were not looked at: counts are of the rest\]$/);
  assert.equal(enriched?.truncated, true);
});
