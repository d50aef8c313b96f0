/**
 * `make mutation`: small changes of the guard, the gate, the splitter, the argument table, the editing core and the
 * limits, each of which a test has to notice, and docs/mutation.md.
 *
 * MUTATION_PER_GROUP is how many mutants of each part are tried, MUTATION_SEED chooses others; then nothing is written.
 * Arguments are parts or paths to try alone.
 * @module
 */
import { writeProof } from "../../scripts/generate_proof_docs.ts";
import { print, ROOT } from "../../scripts/project.ts";
import { vendor } from "../../scripts/vendor.ts";
import { chooseMutants } from "./choose.ts";
import { equivalentOf } from "./equivalent.ts";
import { mutantsOf } from "./mutants.ts";
import type { Mutant } from "../../scripts/reports/mutation.ts";
import { type GroupFates, scoreOf, shownMutant } from "../../scripts/reports/mutation.ts";
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

if (import.meta.main) {
  const perGroup = Number(Deno.env.get("MUTATION_PER_GROUP") ?? PER_GROUP),
    seed = Number(Deno.env.get("MUTATION_SEED") ?? 1);
  if (!(perGroup > 0) || !Number.isInteger(seed)) throw new Error("MUTATION_PER_GROUP or MUTATION_SEED is no number");
  const startedMs = performance.now();
  await vendor();
  const chosen = await choose(perGroup, seed, Deno.args);
  const tests = new Map(GROUPS.flatMap(({ sources }) => sources.map(({ path, tests }) => [path, tests])));
  const tried = chosen.flatMap(({ mutants }) => mutants).filter((mutant) => equivalentOf(mutant) === undefined);
  print(`${tried.length} mutants`);
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
  const seconds = (performance.now() - startedMs) / 1000;
  const isUsual = Deno.args.length === 0 && perGroup === PER_GROUP && seed === 1;
  if (isUsual) await writeProof("docs/mutation.md", { seconds, groups });
  const { killed, counted, percent } = scoreOf(groups);
  print(
    `mutation: ${killed} of ${counted} killed, ${percent.toFixed(1)} %${
      isUsual ? "; docs/mutation.md is written" : ""
    }`,
  );
  Deno.exit(percent < LEAST_PERCENT ? 1 : 0);
}
