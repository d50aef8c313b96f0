/** State of a job, stored in its folder. @module */
import type { JobPlace } from "./job.ts";
import type { JobRecord } from "./record.ts";

/** A job that was prepared. */
export interface JobState {
  readonly job: string;
  readonly server: string;
  readonly place: JobPlace;
}

/** Reads what {@link writeState} wrote. */
export async function readState(dir: string): Promise<JobState> {
  return JSON.parse(await Deno.readTextFile(`${dir}/job.json`));
}

/** Keeps a job. */
export async function writeState(dir: string, state: JobState): Promise<void> {
  await Deno.writeTextFile(`${dir}/job.json`, JSON.stringify(state));
}

/** Reads the record; null before the first. */
export async function readRecord(dir: string): Promise<JobRecord | null> {
  return await Deno.readTextFile(`${dir}/record.json`).then((text): JobRecord => JSON.parse(text), () => null);
}

/** Keeps the record. */
export async function writeRecord(dir: string, record: JobRecord): Promise<void> {
  await Deno.writeTextFile(`${dir}/record.new`, JSON.stringify(record, null, 1));
  await Deno.rename(`${dir}/record.new`, `${dir}/record.json`); // it is read meanwhile
}
