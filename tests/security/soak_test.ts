/** A short soak test: mixed load and every kind of fault. `make soak` runs it for ten minutes. @module */
import assert from "node:assert/strict";
import { runScenario, SCENARIOS } from "../../bench/soak/run.ts";
import { BINARY } from "../support/binary.ts";
import { needing } from "../support/needs.ts";

const SECONDS = 20;

for (const scenario of SCENARIOS) {
  Deno.test({
    ...needing(`reliability: ${scenario.name}`, await scenario.lack?.(BINARY) ?? null),
    // Servers are killed in the middle of writes and reads: what is left of those is not the test's to close.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const { faults, figures } = await runScenario(scenario, { program: BINARY, seconds: SECONDS, seed: 1 });
      assert.deepEqual(faults, []);
      assert.ok(Object.keys(figures).length > 0);
    },
  });
}
