/** Runs the tests of each mutant in copies of the tree. @module */
import type { Fate } from "../../scripts/reports/mutation.ts";
import { ROOT } from "../../scripts/project.ts";
import { mutate } from "./mutants.ts";
import type { Mutant } from "../../scripts/reports/mutation.ts";

/** How to try. */
export interface TryOptions {
  /** Tests by source, the quickest first. */
  readonly testsOf: (path: string) => readonly string[];
  /** How many at the same time. */
  readonly copies: number;
  /** Where the copies are made, below dist/, which is in no check; the same place keeps what Deno has transpiled. */
  readonly place: string;
  readonly onFate?: (mutant: Mutant, fate: Fate) => void;
}

const COPIED = [
  "deno.json",
  "deno.lock",
  "main.ts",
  "src",
  "tests",
  "scripts",
  "bench",
  "lint",
  "schemas",
  "llmc.toml",
];
/** A file of tests gets this many times what it needs unchanged, and some seconds more. */
const PATIENCE = 4, MORE_MS = 5_000;

/** A copy of the tree. */
interface Copy {
  readonly dir: string;
  readonly tempDir: string;
}

/** Tries all of them. @throws when a test fails without any change */
export async function tryMutants(
  mutants: readonly Mutant[],
  { testsOf, copies, place, onFate }: TryOptions,
): Promise<Map<Mutant, Fate>> {
  const fates = new Map<Mutant, Fate>();
  const dir = `${ROOT}/dist/${place}`;
  const made = await Promise.all(Array.from({ length: copies }, (_, index) => makeCopy(`${dir}/${index}`)));
  const [first] = made;
  if (first === undefined) throw new Error("no copy to try in");
  try {
    const tests = new Set(mutants.flatMap(({ path }) => testsOf(path)));
    const limits = await measure(first, [...tests]);
    const left = [...mutants];
    const worker = async (copy: Copy) => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const fate = await tryOne(copy, mutant, testsOf(mutant.path), limits);
        fates.set(mutant, fate);
        onFate?.(mutant, fate);
      }
    };
    await Promise.all(made.map(worker));
    return fates;
  } finally {
    for (const { tempDir } of made) await Deno.remove(tempDir, { recursive: true });
    await Deno.remove(dir, { recursive: true });
  }
}

/** How long each file of tests may take, ms. */
async function measure(copy: Copy, tests: readonly string[]): Promise<Map<string, number>> {
  const limits = new Map<string, number>();
  for (const test of tests) {
    const startedMs = performance.now();
    const outcome = await runTest(copy, test, 600_000);
    if (outcome !== "passed") throw new Error(`${test} fails without any change`);
    limits.set(test, (performance.now() - startedMs) * PATIENCE + MORE_MS);
  }
  return limits;
}

async function tryOne(
  copy: Copy,
  mutant: Mutant,
  tests: readonly string[],
  limits: ReadonlyMap<string, number>,
): Promise<Fate> {
  const path = `${copy.dir}/${mutant.path}`;
  const source = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, mutate(source, mutant));
  try {
    for (const test of tests) {
      const outcome = await runTest(copy, test, limits.get(test) ?? MORE_MS);
      if (outcome !== "passed") return outcome === "failed" ? "killed" : "timed out";
    }
    return "survived";
  } finally {
    await Deno.writeTextFile(path, source);
  }
}

async function runTest({ dir, tempDir }: Copy, test: string, limitMs: number): Promise<"passed" | "failed" | "late"> {
  const command = new Deno.Command(Deno.execPath(), {
    // A mutant that gathers without an end ends for want of memory before the machine does.
    args: ["test", "-A", "--no-check", "-q", "--fail-fast", "--v8-flags=--max-old-space-size=1024", test],
    cwd: dir,
    env: { TMPDIR: tempDir, RUST_BACKTRACE: "0", NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true, // a group of its own, so that what it started ends with it
  });
  const child = command.spawn();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killGroup(child.pid);
  }, limitMs);
  const { success } = await child.status;
  clearTimeout(timer);
  killGroup(child.pid); // a broken test may leave programs behind
  return late ? "late" : success ? "passed" : "failed";
}

function killGroup(leader: number): void {
  try {
    Deno.kill(-leader, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof TypeError)) throw error; // all have ended
  }
}

async function makeCopy(dir: string): Promise<Copy> {
  await Deno.remove(dir, { recursive: true }).catch(() => {}); // of a run that was broken off
  await Deno.mkdir(dir, { recursive: true });
  const { success } = await new Deno.Command("cp", { args: ["-r", ...COPIED, dir], cwd: ROOT }).output();
  if (!success) throw new Error(`the tree cannot be copied to ${dir}`);
  await Deno.symlink(`${ROOT}/assets`, `${dir}/assets`);
  return { dir, tempDir: await Deno.makeTempDir({ prefix: "llmc-mutation-" }) };
}
