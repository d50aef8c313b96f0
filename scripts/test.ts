/**
 * `deno task test [--names] [PATH…]`: rebuilds the executable when it is outdated, runs the tests, and prints one line
 * of counts.
 * @module
 */
import { buildIfOld } from "./build.ts";
import { BINARY, exists, print, ROOT, TEST_BINARY } from "./project.ts";
import { vendor } from "./vendor.ts";
import { LOGS_VARIABLE, searchKeptLogs } from "../tests/support/kept_logs.ts";
import { addCounts, closingLine, type Counts, readCounts } from "./test_counts.ts";

/** Tests that drive the executable. They come last and have both processors for the programs that they start. */
const ON_THE_EXECUTABLE = [
  "tests/contract",
  "tests/docs",
  "tests/e2e",
  "tests/installed",
  "tests/security",
  "tests/specification",
];
/** Tests with a verb of their own: they need root and take minutes. */
const ON_REQUEST = ["tests/packages"];
/** A hanging run is ended, so that it can be looked at. */
const RUN_TIMEOUT_MS = 20 * 60_000;

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Environment of the tests: the executables, and a temporary folder that must be empty again when they are done. */
async function makeTestEnv(): Promise<{ env: Record<string, string>; tempDir: string; logDir: string }> {
  const tempDir = await Deno.makeTempDir({ prefix: "llmc-test-" });
  await Deno.chmod(tempDir, 0o711); // some tests act as another user, in a folder of that user's
  const logDir = await Deno.makeTempDir({ prefix: "llmc-test-logs-" });
  const env = { TMPDIR: tempDir, RUST_BACKTRACE: "0", LLMC_BIN: BINARY, LLMC_TEST_BIN: TEST_BINARY };
  return { env: { ...env, [LOGS_VARIABLE]: logDir }, tempDir, logDir };
}

/** What is said of a test that passed; not worth a line in a run of hundreds. */
// deno-lint-ignore no-control-regex -- colours begin with the escape character
const GOOD_NEWS = /^(?:.* \.\.\. (?:\x1b\[\d+m)*ok.*|(?:\x1b\[[\d;]*m)*running \d+ tests? from .*|)$/;

/** Runs some tests; shows what they print as it comes, lines of passed tests only when `names` says so. */
async function runTests(paths: readonly string[], env: Record<string, string>, names: boolean): Promise<Counts> {
  const args = ["test", "-A", "--no-check", "--parallel", "--permit-no-files", ...paths];
  const timeout = AbortSignal.timeout(RUN_TIMEOUT_MS);
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env,
    stdin: "null",
    stdout: "piped",
    signal: timeout,
  });
  const child = command.spawn();
  let output = "";
  for await (const line of child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new LineStream())) {
    output += `${line}\n`;
    if (names || !GOOD_NEWS.test(line)) print(line);
  }
  const { success } = await child.status;
  if (timeout.aborted) print(`test: ended after ${RUN_TIMEOUT_MS / 60_000} minutes`);
  const counts = readCounts(output);
  // A run that fails without a failed test broke off: it counts as one.
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** Cuts text into lines without their ends. */
class LineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
      flush: (controller) => rest === "" ? undefined : controller.enqueue(rest),
    });
  }
}

/** Every test file of the project, without those that drive the executable. */
async function otherTests(): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/tests`)) {
    const path = `tests/${name}`;
    if (ON_THE_EXECUTABLE.includes(path) || ON_REQUEST.includes(path)) continue;
    if (isDirectory || name.endsWith("_test.ts")) paths.push(path);
  }
  return paths.sort();
}

async function onExecutable(): Promise<string[]> {
  const paths: string[] = [];
  for (const path of ON_THE_EXECUTABLE) if (await exists(`${ROOT}/${path}`)) paths.push(path);
  return paths;
}

/** Names what the tests left in their temporary folder, and removes it. */
async function cleanUp(tempDir: string): Promise<void> {
  const left: string[] = [];
  for await (const { name } of Deno.readDir(tempDir)) left.push(name);
  if (left.length > 0) {
    print(`test: left behind in the temporary folder: ${left.slice(0, 10).join(" ")} (${left.length})`);
  }
  await Deno.remove(tempDir, { recursive: true });
}

/** Searches what all servers of the run have written for their tokens; a token in it counts as one failed test. */
async function searchLogs(logDir: string): Promise<Counts> {
  const { leaks } = await searchKeptLogs(logDir);
  for (const leak of leaks.slice(0, 10)) print(`test: ${leak}`);
  await Deno.remove(logDir, { recursive: true });
  return leaks.length > 0 ? { ...NONE, failed: 1 } : NONE;
}

/** Runs one group of tests; what is needed for it is made first, and if that fails it counts as one failed test. */
async function runGroup({ paths, prepare }: Group, env: Record<string, string>, names: boolean): Promise<Counts> {
  if (paths.length === 0) return NONE;
  try {
    await prepare();
  } catch (error) {
    print(`test: cannot run ${paths.join(" ")}: ${error instanceof Error ? error.message : error}`);
    return { ...NONE, failed: 1 };
  }
  return await runTests(paths, env, names);
}

interface Group {
  readonly paths: readonly string[];
  prepare(): Promise<unknown>;
}

async function main(args: readonly string[]): Promise<number> {
  const names = args.includes("--names");
  const chosen = args.filter((arg) => !arg.startsWith("--"));
  const drivesIt = (path: string) => ON_THE_EXECUTABLE.some((folder) => path.startsWith(folder));
  const groups: Group[] = [
    // Grammars and ripgrep are read by unit tests too.
    {
      paths: chosen.length > 0 ? chosen.filter((path) => !drivesIt(path)) : await otherTests(),
      prepare: () => vendor(),
    },
    { paths: chosen.length > 0 ? chosen.filter(drivesIt) : await onExecutable(), prepare: buildIfOld },
  ];
  const { env, tempDir, logDir } = await makeTestEnv();
  let counts = NONE;
  try {
    for (const group of groups) counts = addCounts(counts, await runGroup(group, env, names));
  } finally {
    await cleanUp(tempDir);
    counts = addCounts(counts, await searchLogs(logDir));
  }
  print(closingLine(counts));
  return counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
