/**
 * Runs eight whole jobs for a model that sees only a server's tool list: prepares a job, forwards and counts its
 * calls, and checks the outcome.
 *
 *     deno task jobs start fix-bug [ours|ours_core|ours_full|desktop_commander] [SEED]   prints the folder and the task
 *     deno task jobs tools FOLDER                             prints what the model sees
 *     deno task jobs call FOLDER TOOL '{"name": "value"}'     prints the answer; write ` and $ as \u0060 and \u0024
 *     deno task jobs end FOLDER ['what the model answers']    checks the outcome and prints the cost
 *     deno task jobs replay [SEED]                            repeats one run's calls, and prints its table
 *     deno task jobs report [ours|desktop_commander]          prints a table of the jobs that were ended
 *
 * @module
 */
import { readLines } from "../peers/lines.ts";
import { makePlace } from "../peers/place.ts";
import { BINARY } from "./contestants.ts";
import type { Job } from "./job.ts";
import { loadO200k } from "../tokens/tokenizers.ts";
import { JOBS, replayJobs } from "./replay.ts";
import { type JobRecord, reportTable, tokensOf } from "./record.ts";
import { readRecord, readState, writeRecord, writeState } from "./state.ts";

const RECORDS = new URL("../../artifacts/jobs/", import.meta.url).pathname;
const START_TIMEOUT_MS = 90_000, LOOK_MS = 50;

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

function jobOf(name: string): Job {
  const job = JOBS.find((each) => each.name === name);
  if (!job) throw new Error(`unknown job '${name}'; jobs: ${JOBS.map((each) => each.name).join(" ")}`);
  return job;
}

async function start(name: string, server: string, seed: number): Promise<void> {
  const job = jobOf(name), { dir, root, home, env } = await makePlace(), place = { root, home, env, seed, facts: {} };
  await job.prepare(place);
  await writeState(dir, { job: name, server, place });
  const holder = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", new URL("hold.ts", import.meta.url).pathname, dir],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
    detached: true,
  }).spawn();
  holder.unref();
  for (const end = performance.now() + START_TIMEOUT_MS; await readRecord(dir) === null;) {
    if (performance.now() > end) throw new Error("the server does not start");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  say(`${dir}\nThe project is in ${root}.\n${job.task}`);
}

/** @param tool Null ends the server. */
async function ask(
  dir: string,
  tool: string | null,
  args: unknown,
): Promise<{ text: string; isError: boolean } | null> {
  using connection = await Deno.connect({ transport: "unix", path: `${dir}/socket` });
  await connection.write(new TextEncoder().encode(`${JSON.stringify({ tool, args })}\n`));
  const answered = Promise.withResolvers<string>();
  void readLines(connection.readable, answered.resolve).catch(() => {}); // closed once there is an answer
  return JSON.parse(await answered.promise);
}

async function call(dir: string, tool: string, args: string): Promise<void> {
  const answer = await ask(dir, tool, JSON.parse(args));
  say(`${answer?.isError ? "(error) " : ""}${answer?.text}`);
}

async function end(dir: string, answer: string): Promise<number> {
  await ask(dir, null, {});
  const { job: name, place } = await readState(dir), job = jobOf(name), record = await readRecord(dir);
  if (record === null) throw new Error(`${dir} has no record`);
  const ended: JobRecord = { ...record, faults: await job.check(place, answer) };
  await job.clean?.(place);
  await Deno.mkdir(RECORDS, { recursive: true });
  await writeRecord(dir, ended);
  await Deno.copyFile(`${dir}/record.json`, `${RECORDS}${record.server}-${name}.json`);
  await Deno.remove(dir, { recursive: true });
  const refused = ended.calls.filter(({ isRefusal }) => isRefusal).length;
  say(
    `${name}: ${ended.calls.length} calls, ${tokensOf(ended)} tokens, ${refused} refused; ${
      ended.faults?.join("; ") || "right"
    }`,
  );
  return ended.faults?.length === 0 ? 0 : 1;
}

async function report(server: string): Promise<void> {
  const records: JobRecord[] = [];
  for (const { name } of JOBS) {
    const text = await Deno.readTextFile(`${RECORDS}${server}-${name}.json`).catch(() => null);
    if (text !== null) records.push(JSON.parse(text));
  }
  say(reportTable(records));
}

const [verb, first = "", second = "", third = "{}"] = Deno.args;
switch (verb) {
  case "start":
    await start(first, second || "ours", Number(third === "{}" ? 0 : third));
    break;
  case "tools":
    say(await Deno.readTextFile(`${first}/tools.txt`));
    break;
  case "call":
    await call(first, second, third);
    break;
  case "end":
    Deno.exitCode = await end(first, second);
    break;
  case "replay":
    say(reportTable(await replayJobs(BINARY, await loadO200k(), Number(first))));
    break;
  case "report":
    await report(first || "ours");
    break;
  default:
    say(`verbs: start tools call end replay report; jobs: ${JOBS.map(({ name }) => name).join(" ")}`);
}
