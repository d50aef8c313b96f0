/**
 * `make soak`: mixed load and every kind of trouble, within SOAK_SECONDS (600), and docs/reliability-proof.md.
 * @module
 */
import { buildIfOld } from "../../scripts/build.ts";
import { writeProof } from "../../scripts/generate_proof_docs.ts";
import { print, ROOT } from "../../scripts/project.ts";
import { makeRandom } from "../../tests/support/random.ts";
import type { Scenario } from "./scenario.ts";
import type { Outcome } from "../../scripts/reports/reliability.ts";
import { badClients } from "./scenarios/bad_clients.ts";
import { clockJumps } from "./scenarios/clock_jumps.ts";
import { fullDisk } from "./scenarios/full_disk.ts";
import { killed } from "./scenarios/killed.ts";
import { limits } from "./scenarios/limits.ts";
import { lostDataDir } from "./scenarios/lost_data_dir.ts";
import { manyProcesses } from "./scenarios/many_processes.ts";
import { revoked } from "./scenarios/revoked.ts";
import { sessions } from "./scenarios/sessions.ts";
import { steady } from "./scenarios/steady.ts";

/** In the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  steady,
  killed,
  sessions,
  fullDisk,
  lostDataDir,
  revoked,
  clockJumps,
  manyProcesses,
  badClients,
  limits,
];

const FULL_SECONDS = 600;

/** How long all of it takes, about, and what it is tried on. */
export interface SoakOptions {
  readonly program: string;
  readonly seconds: number;
  readonly seed: number;
}

/** Runs one scenario in a folder that is removed afterwards. */
export async function runScenario(scenario: Scenario, { program, seconds, seed }: SoakOptions): Promise<Outcome> {
  const lack = await scenario.lack?.(program) ?? null;
  if (lack !== null) return { figures: {}, faults: [], skipped: lack };
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmc-soak-" }));
  await Deno.chmod(dir, 0o755); // one of them serves another user
  try {
    return await scenario.run({
      program,
      dir,
      durationMs: seconds * scenario.share * 1000,
      scale: Math.min(1, seconds / FULL_SECONDS * 2),
      random: makeRandom(seed),
    });
  } catch (error) {
    return { figures: {}, faults: [`it broke off: ${error instanceof Error ? error.stack : error}`] };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

if (import.meta.main) {
  const seconds = Number(Deno.env.get("SOAK_SECONDS") ?? FULL_SECONDS);
  if (!(seconds >= 10)) throw new Error("SOAK_SECONDS must be at least 10");
  const only = Deno.args[0];
  await buildIfOld();
  const options = { program: `${ROOT}/dist/llmc-mcp`, seconds, seed: Math.trunc(Date.now() / 1000) };
  const outcomes = new Map<string, Outcome>();
  for (const scenario of SCENARIOS.filter(({ name }) => only === undefined || name.includes(only))) {
    const startedMs = performance.now();
    const outcome = await runScenario(scenario, options);
    outcomes.set(scenario.name, outcome);
    const took = ((performance.now() - startedMs) / 1000).toFixed(0);
    print(`${scenario.name} (${took} s): ${outcome.skipped ?? JSON.stringify(outcome.figures)}`);
    for (const fault of outcome.faults.slice(0, 20)) print(`  FAULT ${fault}`);
  }
  // A short run to try the program itself is no proof.
  const isFull = only === undefined && seconds >= FULL_SECONDS;
  if (isFull) await writeProof("docs/reliability-proof.md", { seconds, outcomes: Object.fromEntries(outcomes) });
  const faults = [...outcomes.values()].reduce((sum, outcome) => sum + outcome.faults.length, 0);
  print(`soak: ${faults} faults`);
  Deno.exit(faults > 0 ? 1 : 0);
}
