/**
 * `make mutation`: small changes of the guard, the gate, the splitter, the argument table, the editing core and the
 * limits, each of which a test has to notice, and docs/mutation.md.
 *
 * Each run draws a seed, prints it and writes what it found. MUTATION_SEED tries the mutants of one seed again: that is
 * written only where its run is among the last ones. Arguments are parts or paths to try alone, so that a run can be made
 * in pieces with one seed. MUTATION_PER_GROUP is how many mutants of each part are tried; then nothing is written.
 * @module
 */
import { writeProof } from "../../scripts/generate_proof_docs.ts";
import { print, ROOT } from "../../scripts/project.ts";
import { vendor } from "../../scripts/vendor.ts";
import { chooseMutants } from "./choose.ts";
import { equivalentOf } from "./equivalent.ts";
import { mutantsOf } from "./mutants.ts";
import type { Mutant } from "../../scripts/reports/mutation.ts";
import { type GroupFates, type MutationReport, scoreOf, shownMutant, withRun } from "../../scripts/reports/mutation.ts";
import { GROUPS } from "./targets.ts";
import { tryMutants } from "./try_mutants.ts";
import type { Fate } from "../../scripts/reports/mutation.ts";

const LEAST_PERCENT = 95;
const PER_GROUP = 40, COPIES = 2;

/** Mutants of one part. */
interface Chosen {
  readonly name: string;
  readonly files: number;
  readonly possible: number;
  readonly mutants: readonly Mutant[];
}

async function choose(perGroup: number, seed: number, only: readonly string[]): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  for (const { name, sources } of GROUPS) {
    const wanted = sources.filter(({ path }) => only.length === 0 || only.includes(name) || only.includes(path));
    const all = await Promise.all(
      wanted.map(async ({ path }) => mutantsOf(path, await Deno.readTextFile(`${ROOT}/${path}`))),
    );
    const possible = all.flat();
    chosen.push({
      name,
      files: wanted.length,
      possible: possible.length,
      mutants: chooseMutants(possible, perGroup, seed),
    });
  }
  return chosen.filter(({ mutants }) => mutants.length > 0);
}

function drawSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
}

if (import.meta.main) {
  const perGroup = Number(Deno.env.get("MUTATION_PER_GROUP") ?? PER_GROUP),
    given = Deno.env.get("MUTATION_SEED"),
    seed = given === undefined ? drawSeed() : Number(given);
  if (!(perGroup > 0) || !Number.isInteger(seed)) throw new Error("MUTATION_PER_GROUP or MUTATION_SEED is no number");
  await vendor();
  const chosen = await choose(perGroup, seed, Deno.args);
  const tests = new Map(GROUPS.flatMap(({ sources }) => sources.map(({ path, tests }) => [path, tests])));
  const tried = chosen.flatMap(({ mutants }) => mutants).filter((mutant) => equivalentOf(mutant) === undefined);
  print(`seed ${seed}: ${tried.length} mutants`);
  const onFate = (mutant: Mutant, fate: Fate) => print(`${fate.padEnd(9)} ${shownMutant(mutant)}`);
  const fates = await tryMutants(tried, {
    testsOf: (path) => tests.get(path) ?? [],
    copies: COPIES,
    place: "mutation",
    onFate,
  });
  const groups: GroupFates[] = chosen.map(({ mutants, ...rest }) => ({
    ...rest,
    tried: mutants.flatMap((mutant) => {
      const fate = fates.get(mutant);
      return fate === undefined ? [] : [{ mutant, fate }];
    }),
    equivalents: mutants.flatMap((mutant) => {
      const entry = equivalentOf(mutant);
      return entry === undefined ? [] : [{ mutant, reason: entry.reason }];
    }),
  }));
  const before: MutationReport = JSON.parse(await Deno.readTextFile(`${ROOT}/bench/results/mutation.json`));
  const isOfParts = chosen.every(({ name, files }) =>
    GROUPS.some((group) => group.name === name && group.sources.length === files)
  );
  const isKept = perGroup === PER_GROUP && isOfParts &&
    (given === undefined || before.runs.some((run) => run.seed === seed));
  const date = new Date().toISOString().slice(0, 10);
  if (isKept) await writeProof("docs/mutation.md", withRun(before, { seed, date, groups }));
  const { killed, counted, percent } = scoreOf(groups);
  print(
    `mutation: seed ${seed}: ${killed} of ${counted} killed, ${percent.toFixed(1)} %${
      isKept ? "; docs/mutation.md is written" : ""
    }`,
  );
  Deno.exit(percent < LEAST_PERCENT ? 1 : 0);
}
