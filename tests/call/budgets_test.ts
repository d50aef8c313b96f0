/** Token budgets over the real telemetry. @module */
import assert from "node:assert/strict";
import { OpsError } from "../../src/core/error.ts";
import { makeCallLog } from "../../src/store/call_log.ts";
import type { TeRecord } from "../../src/store/calls.ts";
import { LEAST_RESULT_TOKENS, makeBudgets } from "../../src/call/budgets.ts";
import { openStore, withDirectory } from "../store/support.ts";

const NOW = Date.UTC(2026, 4, 6, 7, 8, 30);
const LIMITS = { default: 16_000, "claude-desktop-mcp": 45_000 };

const spent = (outputTokens: number, agentId: string, sessionId: string, timeMs = NOW): TeRecord => ({
  timeMs,
  agentId,
  sessionId,
  model: "m",
  command: "rg x",
  mode: "enriched",
  inputBytes: 1,
  outputBytes: 1,
  outputTokens,
  truncated: false,
  handle: null,
  latencyMs: 1,
  error: null,
});

Deno.test(
  "budgets count by agent and session, and a new process knows what the last one spent",
  withDirectory((dataDir) => {
    const open = () => {
      const store = openStore({ dataDir });
      const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => NOW, warn: () => {} });
      return { store, log, budgets: makeBudgets(LIMITS, log, () => NOW) };
    };
    {
      const { store, log, budgets } = open();
      using _ = store;
      assert.equal(budgets.remaining("a", "s"), 16_000);
      log.recordTe(spent(1_500, "a", "s"));
      log.recordTe(spent(500, "a", "s"));
      log.recordTe(spent(9_000, "a", "other"));
      log.recordTe(spent(9_000, "claude-desktop-mcp", "s"));
    }
    const { store, budgets } = open();
    using _ = store;
    assert.equal(budgets.remaining("a", "s"), 14_000);
    assert.equal(budgets.remaining("claude-desktop-mcp", "s"), 36_000);
    assert.equal(budgets.remaining("constructor", "s"), 16_000);
  }),
);

Deno.test("budgets shrink results near the end and never refuse one", () => {
  let used = 0;
  const budgets = makeBudgets(LIMITS, { teTokens: () => used }, () => NOW);
  const sizes = [0, 4_000, 8_000, 12_000, 15_000, 16_000, 40_000].map((tokens) => {
    used = tokens;
    return budgets.sizeFor("a", "s", 8_000);
  });
  assert.deepEqual(sizes, [4_000, 3_000, 2_000, 1_000, 300, 300, 300]);
  assert.equal(budgets.remaining("a", "s"), 0);
  assert.equal(budgets.sizeFor("a", "s", 100), 100);
  assert.equal(LEAST_RESULT_TOKENS, 300);
});

Deno.test(
  "budgets forget what was spent more than a day ago",
  withDirectory((dataDir) => {
    using store = openStore({ dataDir });
    const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => NOW, warn: () => {} });
    log.recordTe(spent(5_000, "a", "s", NOW - 25 * 3_600_000));
    assert.equal(makeBudgets(LIMITS, log, () => NOW).remaining("a", "s"), 16_000);
  }),
);

Deno.test("budgets let a result through when what was spent cannot be read, and hide no other error", () => {
  const failing = (error: Error) =>
    makeBudgets(LIMITS, {
      teTokens: () => {
        throw error;
      },
    }, () => NOW);
  assert.equal(failing(new OpsError("STATS_BACKEND_UNAVAILABLE", "no room")).remaining("a", "s"), 16_000);
  assert.throws(() => failing(new TypeError("a bug")).remaining("a", "s"), TypeError);
});

Deno.test("budgets of nobody are nothing", () => {
  const budgets = makeBudgets({ other: 5_000 }, { teTokens: () => 0 }, () => NOW);
  assert.equal(budgets.remaining("a", "s"), 0);
  assert.equal(budgets.sizeFor("a", "s", 8_000), LEAST_RESULT_TOKENS);
});
