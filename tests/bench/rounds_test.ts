import assert from "node:assert/strict";
import { type Entrant, runRounds } from "../../bench/measure/rounds.ts";

/** An entrant that writes down its turns, and measures what it is told to. */
function entrant(key: string, turns: string[], own?: number): Entrant {
  return {
    key,
    once() {
      turns.push(key);
      return Promise.resolve(own);
    },
  };
}

Deno.test("entrants take turns, and warm-up rounds are not counted", async () => {
  const turns: string[] = [];
  const bounds = { maxRounds: 2, budgetMs: 10_000, warmUp: 1 };
  const outcomes = await runRounds([entrant("a", turns, 7), entrant("b", turns)], bounds);
  assert.equal(turns.join(""), "ababab");
  const a = outcomes.get("a");
  assert.deepEqual(a, { summary: { median: 7, p95: 7, min: 7, samples: 2 } }, "its own measure counts");
});

Deno.test("rounds end with the time, but not before the least number of them", async () => {
  const turns: string[] = [];
  await runRounds([entrant("a", turns)], { maxRounds: 1_000, budgetMs: 0, minRounds: 4, warmUp: 0 });
  assert.equal(turns.length, 4);
});

Deno.test("an entrant that fails falls out with its reason, and the others go on", async () => {
  const turns: string[] = [];
  const failing: Entrant = { key: "bad", once: () => Promise.reject(new Error("it broke")) };
  const outcomes = await runRounds([failing, entrant("good", turns)], { maxRounds: 3, budgetMs: 10_000, warmUp: 0 });
  assert.deepEqual(outcomes.get("bad"), { fault: "it broke" });
  assert.equal(turns.length, 3);
});
