/** Generates the output of every test runner. @module */
import { range } from "./property.ts";

/** One run of a runner with so many tests, of which the last ones fail. */
export type Runner = (passed: number, failed: number, skipped: number) => string[];

const BANNER = "=".repeat(20);
/** Runners by name. */
export const RUNNERS: Readonly<Record<string, { readonly argv: readonly string[]; readonly run: Runner }>> = {
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
  mocha: {
    argv: ["npx", "mocha"],
    run: (passed, failed, skipped) => [
      "",
      "  cart",
      ...range(passed).map((i) => `    ✔ adds ${i}`),
      ...range(skipped).map((i) => `    - later ${i}`),
      ...range(failed).map((i) => `    ${i + 1}) breaks ${i}`),
      "",
      `  ${passed} passing (1s)`,
      ...skipped > 0 ? [`  ${skipped} pending`] : [],
      ...failed > 0 ? [`  ${failed} failing`, ""] : [],
      ...range(failed).flatMap((i) => [
        `  ${i + 1}) cart`,
        `       breaks ${i}:`,
        "",
        "      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
        "",
        `${i} !== -1`,
        "",
        "      + expected - actual",
        "",
        `      -${i}`,
        "      +-1",
        "",
        `      at Context.<anonymous> (file:///src/cart.spec.mjs:${i + 1}:41)`,
        "      at process.processImmediate (node:internal/timers:483:21)",
        "",
      ]),
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
  node: {
    argv: ["node", "--test"],
    run: (passed, failed, skipped) => [
      ...range(passed).map((i) => `✔ adds ${i} (0.92ms)`),
      ...range(skipped).map((i) => `﹣ later ${i} (0.1ms) # SKIP`),
      ...range(failed).map((i) => `✖ breaks ${i} (1.2ms)`),
      `ℹ tests ${passed + failed + skipped}`,
      "ℹ suites 0",
      `ℹ pass ${passed}`,
      `ℹ fail ${failed}`,
      "ℹ cancelled 0",
      `ℹ skipped ${skipped}`,
      "ℹ todo 0",
      "ℹ duration_ms 61.5",
      ...failed === 0 ? [] : [
        "",
        "✖ failing tests:",
        "",
        ...range(failed).flatMap((i) => [
          `test at a.test.mjs:${i + 1}:1`,
          `✖ breaks ${i} (1.2ms)`,
          "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
          `      at TestContext.<anonymous> (file:///src/a.test.mjs:${i + 1}:32)`,
          "",
        ]),
      ],
    ],
  },
  tap: {
    argv: ["node", "--test", "--test-reporter=tap"],
    run: (passed, failed, skipped) => [
      "TAP version 13",
      ...range(passed).flatMap((i) => [`# Subtest: adds ${i}`, `ok ${i + 1} - adds ${i}`, "  ---", "  ..."]),
      ...range(skipped).flatMap((i) => [`# Subtest: later ${i}`, `ok ${passed + i + 1} - later ${i} # SKIP`]),
      ...range(failed).flatMap((i) => [
        `# Subtest: breaks ${i}`,
        `not ok ${passed + skipped + i + 1} - breaks ${i}`,
        "  ---",
        "  duration_ms: 1.2",
        `  location: '/src/a.test.mjs:${i + 1}:1'`,
        "  failureType: 'testCodeFailure'",
        `  error: 'expected ${i}'`,
        "  ...",
      ]),
      `1..${passed + failed + skipped}`,
      `# tests ${passed + failed + skipped}`,
      "# suites 0",
      `# pass ${passed}`,
      `# fail ${failed}`,
      "# cancelled 0",
      `# skipped ${skipped}`,
      "# todo 0",
      "# duration_ms 61.5",
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
