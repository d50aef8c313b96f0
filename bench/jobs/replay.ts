/** Replays recorded calls of the jobs, each on a fresh fixture with its own server. @module */
import { startServer } from "../peers/client.ts";
import { ours } from "../peers/ours.ts";
import { makePlace } from "../peers/place.ts";
import type { Count } from "../tokens/tokenizers.ts";
import { CODE_JOBS } from "./code_jobs.ts";
import type { Job } from "./job.ts";
import { MACHINE_JOBS } from "./machine_jobs.ts";
import { type CallRecord, type JobRecord, recordCall } from "./record.ts";
import { TRANSCRIPTS } from "./transcripts.ts";

/** All jobs, in the order of the design. */
export const JOBS: readonly Job[] = [...CODE_JOBS, ...MACHINE_JOBS];

/** What each job cost and what came of it. @param binary The executable. @param seed Chooses the fixtures. */
export async function replayJobs(binary: string, count: Count, seed = 0): Promise<JobRecord[]> {
  const records: JobRecord[] = [];
  for (const job of JOBS) records.push(await replay(job, binary, count, seed));
  return records;
}

async function replay(job: Job, binary: string, count: Count, seed: number): Promise<JobRecord> {
  const transcript = TRANSCRIPTS[job.name];
  if (!transcript) throw new Error(`${job.name} has no transcript`);
  await using place = await makePlace();
  const jobPlace = { root: place.root, home: place.home, env: place.env, seed, facts: {} };
  await job.prepare(jobPlace);
  try {
    const calls: CallRecord[] = [];
    let answer = "", listTokens = 0;
    {
      await using server = await startServer(await ours(binary, "").command(place));
      listTokens = countList(server.instructions, await server.listTools(), count);
      answer = await transcript(async (tool, args) => {
        const result = await server.call(tool, args);
        calls.push(recordCall(tool, args, result, count));
        return result.text;
      });
    }
    return { job: job.name, server: "ours", listTokens, calls, faults: await job.check(jobPlace, answer) };
  } finally {
    await job.clean?.(jobPlace);
  }
}

/** Tokens of the instructions and of what clients put before a model of each tool. */
function countList(
  instructions: string,
  tools: readonly { name: string; description?: string; inputSchema?: unknown }[],
  count: Count,
): number {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  return listed.reduce((total, tool) => total + count(JSON.stringify(tool)), count(instructions));
}
