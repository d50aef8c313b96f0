import assert from "node:assert/strict";
import { addCounts, closingLine, readCounts } from "../../scripts/test_counts.ts";

Deno.test("readCounts takes the last summary, coloured or not, with steps and skipped tests", () => {
  const colours = "\x1b[0m\x1b[32mok\x1b[0m | 20 passed | 0 failed \x1b[0m\x1b[38;5;245m(178ms)\x1b[0m\n";
  assert.deepEqual(readCounts(colours), { passed: 20, failed: 0, skipped: 0 });
  const steps =
    "ok | 1 passed | 0 failed (1ms)\n...\nFAILED | 7 passed (12 steps) | 2 failed (1 step) | 3 ignored (1m2s)\n";
  assert.deepEqual(readCounts(steps), { passed: 7, failed: 2, skipped: 3 });
});

Deno.test("readCounts counts nothing in a run that broke off", () => {
  assert.deepEqual(readCounts("running 3 tests from ./x_test.ts\npanicked"), { passed: 0, failed: 0, skipped: 0 });
});

Deno.test("closingLine names skipped tests only when there are some", () => {
  const one = { passed: 3, failed: 0, skipped: 0 };
  assert.equal(closingLine(one), "3 passed, 0 failed");
  assert.equal(closingLine(addCounts(one, { passed: 4, failed: 1, skipped: 2 })), "7 passed, 1 failed, 2 skipped");
});
