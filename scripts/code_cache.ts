/**
 * Makes V8's code cache of each thread's script, the same bytes every time: V8 compiles in a process of its own in which
 * nothing else happens. Nothing is served and nothing confined for that, so it works wherever Deno runs.
 * @module
 */
import { reasonOf, runDeno } from "./project.ts";

/** The command of the main script whose start is evaluated: the shortest. */
const EVALUATED_AS = ["version"];

/** A script's cache holds all of its functions, or those that ran while it was evaluated. */
type Extent = "all" | "evaluated";

/** All functions of the main script would take longer to read than compiling the few that run: it has every command. */
const EXTENTS: Readonly<Record<string, Extent>> = {
  main: "evaluated",
  broker: "all",
  spawner: "all",
  recorder: "all",
  server: "all",
  indexer: "all",
  condenser: "all",
  script: "all",
};

/**
 * V8 stores with a function how old it is and which compilers have tried it. Both change in the background, so they are
 * switched off: no ageing by the garbage collector, and the interpreter only.
 */
const STEADY = ["--single-threaded-gc", "--no-flush-bytecode", "--no-sparkplug", "--no-maglev", "--no-turbofan"];

/**
 * Compiles scripts and returns their caches by name.
 *
 * @param dir An empty folder to work in.
 * @param v8Flags Of the program that will read the caches.
 * @throws Error when V8, with those flags, refuses one
 */
export async function makeCodeCaches(
  scripts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  dir: string,
  v8Flags: string,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const names = [...scripts.keys()];
  await Promise.all([...scripts].map(([name, source]) => Deno.writeFile(`${dir}/${name}.js`, source)));
  const withExtent = (extent: Extent) => names.filter((name) => EXTENTS[name] === extent);
  await Promise.all([
    runStep("compile", dir, withExtent("all"), [...STEADY, "--no-lazy"]),
    ...withExtent("evaluated").map((name) => runStep("evaluate", dir, [name], STEADY)),
  ]);
  await runStep("fit", dir, names, [v8Flags]);
  const caches = names.map(async (name) => [name, await Deno.readFile(`${dir}/${name}.cache`)] as const);
  return new Map(await Promise.all(caches));
}

async function runStep(step: string, dir: string, names: readonly string[], v8Flags: readonly string[]): Promise<void> {
  const args = ["run", "-A", "--no-prompt", `--v8-flags=${v8Flags.join(",")}`];
  const { ok, output } = await runDeno([...args, "scripts/code_cache_process.ts", ...EVALUATED_AS], {
    STEP: step,
    DIR: dir,
    NAMES: names.join(","),
  });
  if (!ok) throw new Error(`cannot make V8's code cache: ${reasonOf(output)}`);
}
