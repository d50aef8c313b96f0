/**
 * `deno task bench`: every figure that is promised, beside published peers and beside what the machine needs without any
 * server, in one run, in turns. Writes bench/results/bench.json and docs/performance.md.
 *
 *     deno run -A bench/run.ts [--quick] [--only start|files|walk|search|commands|faults|others] [--check] [--record]
 *
 * `--check` measures quickly, writes nothing, and fails when a ratio is far from bench/regression.json; `--record` writes
 * that file. Needs npm for the peers; without them only the floors are compared. RAG_BENCH=FOLDER names the questions for
 * the code search (see bench/rag.ts); without it that table stays. Where it may, it runs without a network and with priority
 * over other programs.
 *
 * @module
 */
import { buildIfOld } from "../scripts/build.ts";
import { renderPerformance } from "../scripts/generate_performance_docs.ts";
import { BINARY, print, ROOT, TEST_BINARY } from "../scripts/project.ts";
import { VERSION } from "../src/core/version.ts";
import { measureBounds } from "./bounds.ts";
import { commandsBench } from "./commands_bench.ts";
import { runFaults } from "./faults/run.ts";
import { filesBench, walkBench } from "./files_bench.ts";
import type { Bench } from "./measure/context.ts";
import { describeMachine, hasPriority, loadNow } from "./measure/machine.ts";
import { flag, option } from "./measure/options.ts";
import { foreignTables, RAG_FOLDER, RESULTS, runOthers, tokenTasks } from "./measure/others.ts";
import { findRegressions, ratiosOf, type Regression } from "./measure/regression.ts";
import type { FaultRow, Report, Row } from "../scripts/reports/performance.ts";
import { searchTree, walkTree } from "./measure/trees.ts";
import { compileEcho } from "./peers/floors.ts";
import type { Contestant } from "./peers/hands.ts";
import { installPeers } from "./peers/install.ts";
import { ours } from "./peers/ours.ts";
import { runOrThrow } from "./rag/run_program.ts";
import { searchBench } from "./search_bench.ts";
import { startBench } from "./start_bench.ts";
import { loadO200k } from "./tokens/tokenizers.ts";

const REGRESSION = `${ROOT}/bench/regression.json`;
/** Parts that a quick run leaves out. */
const LONG = new Set(["faults", "others"]);
const NAMESPACE_FLAG = "--in-namespace";
/** No part begins later than this. */
const LIMIT_MS = 7.5 * 60_000;
const CHECK_ROUNDS = 3;
/** The figures move between runs by so much, on a machine that does other work too. */
const SLACK = { time: 2.5, memory: 1.25, tokens: 1.2 };

async function main(): Promise<number> {
  const count = await loadO200k();
  if (option("binary", "") === "") await buildIfOld();
  const { peers, missing } = await installPeers(flag("check"));
  if (!flag(NAMESPACE_FLAG.slice(2))) {
    await Promise.all([compileEcho(), searchTree(), walkTree(), ...wantsRag() ? [prepareRag()] : []]);
    const code = await runAlone();
    if (code !== null) return code;
  }
  for (const name of missing) print(`bench: ${name} cannot be installed and is left out`);
  const own = [ours(option("binary", BINARY), VERSION)];
  if (await Deno.stat(TEST_BINARY).then(() => true, () => false)) own.push(ours(TEST_BINARY, VERSION, "landlock"));
  const bench: Bench = { contestants: [...own, ...peers], quick: flag("quick") || flag("check"), count, say: print };
  const loadBefore = loadNow();
  const { rows, faults, written } = await measure(bench);
  const report: Report = {
    at: new Date().toISOString().slice(0, 10),
    quick: bench.quick,
    machine: { ...await describeMachine(), load: [loadBefore, loadNow()], priority: await hasPriority() },
    contestants: bench.contestants.map(({ key, title, version }) => ({ key, title, version })),
    missing,
    rows,
    faults,
    tokenTasks: await tokenTasks(RESULTS),
    others: await foreignTables(RESULTS, written),
  };
  return await finish(report);
}

/**
 * Starts itself again where nothing can be reached, and with priority over what else the machine does: a session of its
 * own, because the kernel shares time between sessions first. @returns its exit code; null where that is not possible
 */
async function runAlone(): Promise<number | null> {
  const probe = await new Deno.Command("unshare", { args: ["-n", "true"], stderr: "null" }).output().catch(() => null);
  if (!probe?.success) return null;
  const again = [Deno.execPath(), "run", "-A", "--no-lock", import.meta.filename ?? "", ...Deno.args, NAMESPACE_FLAG];
  const script = 'ip link set lo up; echo -15 > /proc/self/autogroup; exec nice -n -15 "$@" 2>&3';
  const child = new Deno.Command("setsid", {
    args: ["-w", "unshare", "-n", "sh", "-c", `exec 3>&2 2>/dev/null; ${script}`, "sh", ...again],
    stdin: "null",
  }).spawn();
  const stop = () => child.kill("SIGTERM");
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, stop);
  return (await child.status).code;
}

function wantsRag(): boolean {
  return RAG_FOLDER !== undefined && !flag("quick") && !flag("check") && ["", "others"].includes(option("only", ""));
}

/** Downloads what is searched: later there is no network. */
async function prepareRag(): Promise<void> {
  await runOrThrow(`${RAG_FOLDER}/prepare`, []);
}

/** Every part that was asked for, as long as there is time; and what the other benchmarks wrote. */
async function measure(bench: Bench): Promise<{ rows: Row[]; faults: FaultRow[]; written: ReadonlySet<string> }> {
  const started = performance.now(), only = option("only", "");
  const hello = await compileEcho();
  const usual = bench.contestants.filter(({ key }: Contestant) => key !== "ours_landlock");
  const rows: Row[] = [];
  let faults: FaultRow[] = [], written: ReadonlySet<string> = new Set();
  const parts: Readonly<Record<string, () => Promise<unknown>>> = {
    start: async () => rows.push(...await startBench(bench, hello)),
    files: async () => rows.push(...await filesBench(bench, hello)),
    walk: async () => rows.push(...await walkBench(bench)),
    search: async () => rows.push(...await searchBench(bench)),
    commands: async () => rows.push(...await commandsBench(bench)),
    faults: async () => faults = await runFaults(usual, print, { deadline: started + LIMIT_MS }),
    others: async () => written = await runOthers(option("binary", BINARY), print),
  };
  for (const [name, run] of Object.entries(parts)) {
    if (only === "" ? LONG.has(name) && bench.quick : name !== only) continue;
    if (name !== "others" && performance.now() - started > LIMIT_MS) print(`bench: no time left for ${name}`);
    else await run();
  }
  return { rows, faults, written };
}

async function finish(report: Report): Promise<number> {
  const ratios = ratiosOf(report);
  if (flag("record")) {
    const regression: Regression = { slack: SLACK, ratios };
    await Deno.writeTextFile(REGRESSION, `${JSON.stringify(regression, null, 2)}\n`);
  }
  if (flag("check")) {
    const faults = [
      ...findRegressions(ratios, JSON.parse(await Deno.readTextFile(REGRESSION))),
      ...await brokenBounds(),
    ];
    for (const fault of faults) print(`bench: worse than recorded or promised: ${fault}`);
    return faults.length > 0 ? 1 : 0;
  }
  const only = option("only", "");
  if (report.quick || !["", "others"].includes(only)) return 0;
  await publish(only === "" ? report : await withOthersAlone(report));
  return 0;
}

/** Promised times that are not kept, loosely: by the best of a few attempts, and with the slack of ratios. */
async function brokenBounds(): Promise<string[]> {
  const measured = await measureBounds(option("binary", BINARY), CHECK_ROUNDS);
  return measured.flatMap(({ what, limitMs, summary: { min } }) =>
    min <= limitMs * SLACK.time ? [] : [`${what}: ${min.toFixed(0)} ms, promised are ${limitMs} ms`]
  );
}

/** The last whole run with what the other benchmarks found by themselves. */
async function withOthersAlone({ tokenTasks }: Report): Promise<Report> {
  const last: Report = JSON.parse(await Deno.readTextFile(new URL("bench.json", RESULTS)));
  return { ...last, tokenTasks, others: await foreignTables(RESULTS, new Set()) };
}

async function publish(report: Report): Promise<void> {
  await Deno.mkdir(RESULTS, { recursive: true });
  await Deno.writeTextFile(new URL("bench.json", RESULTS), `${JSON.stringify(report, null, 2)}\n`);
  await Deno.writeTextFile(`${ROOT}/docs/performance.md`, renderPerformance(report));
  print("wrote bench/results/bench.json and docs/performance.md");
}

if (import.meta.main) Deno.exit(await main());
