/**
 * `make security`: every attack at length, the same races against published peers, and docs/security-proof.md.
 *
 * SECURITY_SECONDS is the length of one race, SECURITY_PATHS how many paths are generated, SECURITY_SEED what from.
 * @module
 */
import { ATTACKS } from "../../tests/support/attacks.ts";
import { BINARY, Sandbox, startHttp, TEST_BINARY } from "../../tests/support/binary.ts";
import { WITHOUT_LIMITS } from "../../tests/support/raw_http.ts";
import { LOGS_VARIABLE, searchKeptLogs } from "../../tests/support/kept_logs.ts";
import type { LogSearch } from "../../scripts/reports/security.ts";
import { buildIfOld } from "../../scripts/build.ts";
import { writeProof } from "../../scripts/generate_proof_docs.ts";
import { print, runDeno } from "../../scripts/project.ts";
import { startServer } from "../peers/client.ts";
import type { Contestant } from "../peers/hands.ts";
import { installPeers } from "../peers/install.ts";
import { makePlace } from "../peers/place.ts";
import { ourRacer, peerRacer, type Racer } from "./contestants.ts";
import { type Flipper, makeFlipper } from "./flipper.ts";
import { fuzzHttp } from "./http_fuzz.ts";
import { auditPackages } from "./packages.ts";
import type { PackageAudit } from "../../scripts/reports/security.ts";
import { fuzzPaths } from "./path_fuzz.ts";
import { race } from "./race.ts";
import type { RaceResult, Races } from "../../scripts/reports/security.ts";
import { escapes, type Figures, type StallResult } from "../../scripts/reports/security.ts";
import { ALL_TOOLS, fuzzRpc } from "./rpc_fuzz.ts";
import { findUnstoppable, measureStalls, writeWorstRoot } from "./stalls/stalls.ts";
import { policyCalls, worstCalls } from "./stalls/worst_inputs.ts";
import { measureTokenTiming } from "./token_timing.ts";

const FULL_SECONDS = 15, FULL_PATHS = 200_000;
const SECONDS = numberFrom("SECURITY_SECONDS", FULL_SECONDS), PATHS = numberFrom("SECURITY_PATHS", FULL_PATHS);
const SEED = numberFrom("SECURITY_SEED", Math.trunc(Date.now() / 1000));
const RPC_FRAMES = 20_000, CALLS_PER_TOOL = 200, HTTP_REQUESTS = 15_000, RAW_CONNECTIONS = 3_000;
/** What a comparison of tokens may differ by, in percent: the noise of a busy machine. */
const MAX_TIMING_SPREAD = 10;

function numberFrom(name: string, usual: number): number {
  const value = Number(Deno.env.get(name) ?? usual);
  if (!(value > 0)) throw new Error(`${name} is no positive number`);
  return value;
}

async function raceAll(racer: Racer, flipper: Flipper, only?: readonly string[], toDataDir = false): Promise<Races> {
  const results: RaceResult[] = [];
  for (const operation of racer.operations) {
    if (only !== undefined && !only.includes(operation.name)) continue;
    // A server of its own for each, because one that was led astray may not answer the next.
    await using place = await makePlace();
    await using server = await startServer(await racer.command(place));
    const outside = toDataDir ? `${place.dir}/state/llmc-mcp` : place.outside;
    const options = { flipper, durationMs: SECONDS * 1000, outside, shared: toDataDir };
    const result = await race(server, place.root, operation, options);
    results.push(result);
    const { tries, swaps } = result;
    print(
      `  ${racer.title}, ${operation.name}: ${tries} tries, ${swaps} swaps: ${escapes(result)} escapes`,
    );
  }
  return { title: racer.title, results };
}

async function runRaces(): Promise<{ ours: Races[]; control: Races; peers: Races[] }> {
  await using flipper = await makeFlipper();
  print(`races, ${SECONDS} s each, against a ${flipper.language} program that swaps names`);
  const dataDir = { ...ourRacer(BINARY), title: "llmc-mcp, link to its data directory" };
  const landlock = ["read", "stat", "write, overwrite", "run cat", "run in the folder"];
  const ours = [
    await raceAll(ourRacer(BINARY), flipper),
    await raceAll(dataDir, flipper, undefined, true),
    await raceAll(ourRacer(TEST_BINARY, "landlock"), flipper, landlock),
  ];
  const control = await raceAll(ourRacer(TEST_BINARY, "bwrap"), flipper, ["read", "write, overwrite", "delete"]);
  const { peers, missing } = await installPeers();
  for (const name of missing) print(`  ${name} cannot be had, so it is left out`);
  const withFiles = peers.filter(({ read, write }: Contestant) => read && write);
  const raced: Races[] = [];
  for (const peer of withFiles) raced.push(await raceAll(peerRacer(peer), flipper));
  return { ours, control, peers: raced };
}

async function runFuzz() {
  print(`${PATHS} paths, from seed ${SEED}`);
  const paths = await fuzzPaths({
    count: PATHS,
    seed: SEED,
    command: (root, home) => ({
      program: BINARY,
      args: ["stdio", "--root", root],
      env: { PATH: "/usr/bin:/bin", HOME: home, XDG_STATE_HOME: `${home}/../state` },
    }),
  });
  print(`messages and arguments over stdio`);
  const files = { "a.txt": "hello\n", "dir/b.txt": "b\n" };
  await using forRpc = await Sandbox.make(files);
  const command = { program: BINARY, args: ["stdio", "--root", forRpc.root, ...ALL_TOOLS], env: forRpc.env };
  const rpc = await fuzzRpc({ command, frames: RPC_FRAMES, callsPerTool: CALLS_PER_TOOL, seed: SEED });
  print(`requests over HTTP`);
  await using forHttp = await Sandbox.make(files);
  const limits = ["--set", "mcp.tools.idle_timeout=3", "--set", "mcp.limits.concurrency_per_token=64"];
  await using server = await startHttp(forHttp, { args: [...WITHOUT_LIMITS, ...limits] });
  const http = await fuzzHttp({ server, requests: HTTP_REQUESTS, rawConnections: RAW_CONNECTIONS, seed: SEED });
  return { paths, rpc, http };
}

/** The worst inputs, all of them, at the level of this machine; what the rules take apart also where they are the wall. */
async function runStalls(): Promise<StallResult> {
  print("worst inputs for every tool, while another client asks");
  await using sandbox = await Sandbox.make();
  await writeWorstRoot(sandbox.root);
  const args = [...WITHOUT_LIMITS, ...ALL_TOOLS], calls = worstCalls("all");
  const results: StallResult[] = [], unstoppable: string[] = [];
  for (const level of [undefined, "landlock", "bwrap", "none"]) {
    const env: Record<string, string> = level === undefined ? {} : { LLMC_TEST_LEVEL: level };
    await using server = await startHttp(sandbox, { args, env, binary: level === undefined ? BINARY : TEST_BINARY });
    results.push(await measureStalls(server, level === undefined ? calls : policyCalls()));
    if (level === undefined) unstoppable.push(...await findUnstoppable(server, calls));
  }
  const sum = (of: (result: StallResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const [worst] = results.toSorted((a, b) => b.worstMs - a.worstMs);
  return {
    calls: sum((result) => result.calls),
    asked: sum((result) => result.asked),
    worstMs: worst?.worstMs ?? 0,
    worst: worst?.worst ?? "",
    faults: [...results.flatMap(({ faults }) => faults), ...unstoppable],
  };
}

/** The tests of attacks with words, at every level, and the short forms of all the others. */
async function runTests(): Promise<{ passed: number; ok: boolean }> {
  print("tests of attacks");
  const { ok, output } = await runDeno(["test", "-A", "--no-check", "tests/security", "tests/exec/attacks_test.ts"], {
    LLMC_BIN: BINARY,
    LLMC_TEST_BIN: TEST_BINARY,
    SECURITY_SEED: `${SEED}`,
    SECURITY_VALUES: "10", // for each argument of each tool
    SECURITY_HEADS: `${PATHS}`, // requests to the proxy of listed names
  });
  if (!ok) print(output);
  return { passed: Number(output.match(/(\d+) passed/)?.[1] ?? 0), ok };
}

/** What is not as it must be. */
function findFaults(
  { ours, control }: Awaited<ReturnType<typeof runRaces>>,
  { paths, rpc, http }: Awaited<ReturnType<typeof runFuzz>>,
  timing: ReturnType<typeof measureTokenTiming>,
  tests: Awaited<ReturnType<typeof runTests>>,
  { advisories }: PackageAudit,
  logs: LogSearch,
  stalls: StallResult,
): string[] {
  const lost = ours.flatMap(({ title, results }) =>
    results.flatMap(({ operation, examples }) => examples.map((example) => `${title}, ${operation}: ${example}`))
  );
  const proves = control.results.some(({ told, opened, changed }) => told + opened + changed > 0);
  return [
    ...lost,
    ...proves ? [] : ["the races prove nothing: none was lost where the kernel does not hold"],
    ...paths.escapes,
    ...paths.wrong,
    ...paths.broken,
    ...rpc.faults,
    ...http.faults,
    ...timing.spreadPercent > MAX_TIMING_SPREAD
      ? [`the time of a comparison differs by ${timing.spreadPercent} %`]
      : [],
    ...tests.ok ? [] : ["tests of attacks failed"],
    ...advisories ?? [],
    ...logs.leaks,
    ...stalls.faults,
  ];
}

if (import.meta.main) {
  const startedMs = performance.now();
  const logDir = await Deno.makeTempDir({ prefix: "llmc-logs-" });
  Deno.env.set(LOGS_VARIABLE, logDir); // the tests inherit it
  await buildIfOld();
  // Side by side: races take their time whatever else is done.
  const [races, fuzz] = await Promise.all([runRaces(), runFuzz()]);
  const tests = await runTests();
  const stalls = await runStalls(); // with nothing beside it
  const timing = measureTokenTiming(), packages = await auditPackages();
  const logs = await searchKeptLogs(logDir);
  await Deno.remove(logDir, { recursive: true });
  const minutes = Math.round((performance.now() - startedMs) / 60_000);
  const figures: Figures = {
    attacks: ATTACKS.length,
    seconds: SECONDS,
    minutes,
    races,
    fuzz,
    tests,
    timing,
    packages,
    logs,
    stalls,
  };
  // A short run to try the program itself is no proof.
  const isFull = SECONDS >= FULL_SECONDS && PATHS >= FULL_PATHS;
  if (isFull) await writeProof("docs/security-proof.md", figures);
  const faults = findFaults(races, fuzz, timing, tests, packages, logs, stalls);
  for (const fault of faults) print(`FAULT ${fault}`);
  print(
    `security: ${faults.length} faults after ${minutes} minutes${isFull ? "; docs/security-proof.md is written" : ""}`,
  );
  Deno.exit(faults.length > 0 ? 1 : 0);
}
