/** Replays whole jobs through the executable: right outcome, no refusals, within their calls and tokens. @module */
import assert from "node:assert/strict";
import { makePlace } from "../../bench/peers/place.ts";
import { CODE_JOBS } from "../../bench/jobs/code_jobs.ts";
import { replayJobs } from "../../bench/jobs/replay.ts";
import { reportTable, tokensOf } from "../../bench/jobs/record.ts";
import { loadO200k } from "../../bench/tokens/tokenizers.ts";
import { BINARY } from "../support/binary.ts";
import { MOUNTS, needing, ROOT_USER } from "../support/needs.ts";

const MAX_CALLS = 45, MAX_TOKENS = 12_000;

Deno.test("the check of a job finds that nothing was done", async () => {
  for (const job of CODE_JOBS) {
    await using place = await makePlace();
    const jobPlace = { ...place, seed: 0, facts: {} };
    await job.prepare(jobPlace);
    assert.notDeepEqual(await job.check(jobPlace, "done"), [], job.name);
  }
});

for (const seed of [0, 7]) {
  Deno.test(
    needing(
      `the eight jobs end right, with nothing refused, within their calls and tokens, with fixtures of seed ${seed}`,
      ROOT_USER,
      MOUNTS,
    ),
    async () => {
      const records = await replayJobs(BINARY, await loadO200k(), seed);
      const table = reportTable(records), calls = records.flatMap((record) => record.calls);
      assert.deepEqual(records.filter(({ faults }) => faults?.length !== 0), [], table);
      assert.deepEqual(calls.filter(({ isRefusal }) => isRefusal), [], table);
      const tokens = records.reduce(
        (sum, record) => sum + tokensOf(record),
        Math.max(...records.map(({ listTokens }) => listTokens)),
      );
      assert.ok(calls.length <= MAX_CALLS && tokens <= MAX_TOKENS, table);
    },
  );
}
