/** Whole jobs, repeated through the executable: the right outcome, nothing refused, within their calls and tokens. @module */
import assert from "node:assert/strict";
import { startServer } from "../../bench/peers/client.ts";
import { ours } from "../../bench/peers/ours.ts";
import { makePlace } from "../../bench/peers/place.ts";
import { CODE_JOBS } from "../../bench/jobs/code_jobs.ts";
import { MACHINE_JOBS } from "../../bench/jobs/machine_jobs.ts";
import { type CallRecord, type JobRecord, recordCall, reportTable, tokensOf } from "../../bench/jobs/record.ts";
import { TRANSCRIPTS } from "../../bench/jobs/transcripts.ts";
import { loadO200k } from "../../bench/tokens/tokenizers.ts";
import { BINARY } from "../support/binary.ts";
import { MOUNTS, needing, ROOT_USER } from "../support/needs.ts";

const MAX_CALLS = 45, MAX_TOKENS = 12_000;

Deno.test("the check of a job finds that nothing was done", async () => {
  for (const job of CODE_JOBS) {
    await using place = await makePlace();
    const jobPlace = { ...place, facts: {} };
    await job.prepare(jobPlace);
    assert.notDeepEqual(await job.check(jobPlace, "done"), [], job.name);
  }
});

Deno.test(
  needing("the eight jobs end right, with nothing refused, within their calls and tokens", ROOT_USER, MOUNTS),
  async () => {
    const count = await loadO200k(), records: JobRecord[] = [];
    for (const job of [...CODE_JOBS, ...MACHINE_JOBS]) {
      await using place = await makePlace();
      const jobPlace = { root: place.root, home: place.home, env: place.env, facts: {} };
      await job.prepare(jobPlace);
      try {
        const calls: CallRecord[] = [];
        let answer = "", listTokens = 0;
        {
          await using server = await startServer(await ours(BINARY, "").command(place));
          const tools = await server.listTools();
          listTokens = count(server.instructions + JSON.stringify(tools));
          answer = await TRANSCRIPTS[job.name]?.(async (tool, args) => {
            const result = await server.call(tool, args);
            calls.push(recordCall(tool, args, result, count));
            return result.text;
          }) ?? assert.fail(`no transcript of ${job.name}`);
        }
        records.push({ job: job.name, server: "ours", listTokens, calls, faults: await job.check(jobPlace, answer) });
      } finally {
        await job.clean?.(jobPlace);
      }
    }
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
