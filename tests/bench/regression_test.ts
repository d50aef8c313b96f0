import assert from "node:assert/strict";
import { findRegressions, ratiosOf, type Regression } from "../../bench/measure/regression.ts";
import type { Row } from "../../scripts/reports/performance.ts";

const READ: Row = {
  key: "read",
  what: "read",
  unit: "ms",
  cells: {
    ours: { min: 1, median: 50, tokens: 100 },
    ours_landlock: { min: 1 },
    peer: { min: 4, median: 5, tokens: 200 },
    floor: { min: 0.5 },
    broken: { fault: "no answer" },
  },
};

Deno.test("ratios compare the best rounds and the tokens with each other contestant", () => {
  assert.deepEqual(ratiosOf({ rows: [READ] }), {
    "read: time to peer": 0.25,
    "read: tokens to peer": 0.5,
    "read: time to floor": 2,
  });
  const askedAgain: Row = { ...READ, cells: { ours: { tokens: 100 }, peer: { tokens: 200, calls: 4 } } };
  assert.deepEqual(ratiosOf({ rows: [askedAgain] }), {}, "how often was for the clock to say");
  assert.deepEqual(ratiosOf({ rows: [{ ...READ, key: "idle", unit: "MB" }] })["idle: memory to peer"], 0.25);
});

Deno.test("a ratio is a regression only beyond its slack, and only when it was measured", () => {
  const recorded: Regression = {
    slack: { time: 2, memory: 1.2, tokens: 1.1 },
    ratios: { "read: time to peer": 0.25, "read: tokens to peer": 0.5, "gone: time to peer": 1 },
  };
  assert.deepEqual(findRegressions({ "read: time to peer": 0.5, "read: tokens to peer": 0.55 }, recorded), []);
  const [time, tokens] = findRegressions({ "read: time to peer": 0.51, "read: tokens to peer": 0.56 }, recorded);
  assert.match(time ?? "", /^read: time to peer: 0\.51, recorded 0\.25/);
  assert.match(tokens ?? "", /^read: tokens to peer/);
});
