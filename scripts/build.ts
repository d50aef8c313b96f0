/**
 * Makes dist/llmc-mcp: vendors what is embedded, bundles every thread's entry, and compiles both into one executable.
 * @module
 */
import { attachPack, type PackedFile, packFolder } from "./attach_pack.ts";
import { denortAtHand, denortFromNpm } from "./denort.ts";
import { bundle, writeEntry } from "./bundle.ts";
import { recordCodeCache, RECORDED, recordingEntry } from "./code_cache.ts";
import { BINARY, ENTRIES, exists, print, ROOT, runDeno, TEST_BINARY } from "./project.ts";
import { type Arch, ASSETS, vendor } from "./vendor.ts";

/** What the runtime reads at a start is laid out here: the folder that all parts share becomes the executable's top. */
const STAGE = `${ROOT}/dist/stage`;

/** A small young generation and a heap that grows in small steps; see docs/decisions/0016. */
const V8_FLAGS = "--max-semi-space-size=2,--heap-growing-percent=20";

/** What is made, other than the usual. */
interface BuildOptions {
  /** Target as Deno names it, such as "aarch64-unknown-linux-gnu". */
  readonly target?: string;
  /** Makes {@link TEST_BINARY} too, which can pretend to be on a machine with less confinement. */
  readonly forTests?: boolean;
}

/** What every executable of one build has in common. */
interface Parts {
  readonly arch: Arch;
  readonly target: string | undefined;
  readonly assets: readonly PackedFile[];
}

/** Builds the executable and returns its path. */
export async function build({ target, forTests = false }: BuildOptions = {}): Promise<string> {
  const arch = archOf(target);
  const output = target === undefined ? BINARY : `${BINARY}-${arch}`;
  await Deno.remove(STAGE, { recursive: true }).catch(ignoreMissing);
  await Deno.mkdir(STAGE, { recursive: true });
  const parts: Parts = { arch, target, assets: await assetsFor(arch) };
  await stageEntries(parts);
  await compile(output, parts);
  if (forTests) {
    await refuseStaleCaches(arch);
    await compile(TEST_BINARY, { ...parts, assets: [...parts.assets, TEST_SWITCHES] });
  }
  return output;
}

function archOf(target: string | undefined): Arch {
  const arch = target?.split("-")[0] ?? Deno.build.arch;
  if (arch !== "x86_64" && arch !== "aarch64") throw new Error(`${arch} is not an architecture that is built for`);
  return arch;
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Another architecture's assets are kept apart, so that those of this machine stay usable. */
async function assetsFor(arch: Arch): Promise<PackedFile[]> {
  const dir = arch === Deno.build.arch ? ASSETS : `${ROOT}/dist/assets-${arch}`;
  await vendor(dir, arch);
  return await packFolder(dir);
}

/** What V8 refuses costs time and changes nothing else: in the tests' executable it ends the thread. */
async function refuseStaleCaches(arch: Arch): Promise<void> {
  if (arch !== Deno.build.arch) return;
  const then = 'if (script.cachedDataRejected) throw new Error("V8 refuses what was compiled at build time");';
  for (const name of RECORDED) await writeEntry(STAGE, name, { cachedData: `${name}.cache`, then });
}

/** The mere presence of this asset lets the program obey the switches that only tests may use. */
const TEST_SWITCHES: PackedFile = { name: "test-switches", sha256: "", sizeBytes: 0, bytes: new Uint8Array() };

/**
 * Each thread's module, script, and what V8 compiled of it: that, a program of the same parts has recorded. For another
 * architecture nothing is recorded, and its threads compile for themselves.
 */
async function stageEntries(parts: Parts): Promise<void> {
  await bundle(STAGE);
  for (const name of Object.keys(ENTRIES)) await writeEntry(STAGE, name, {});
  if (parts.arch !== Deno.build.arch) return;
  for (const name of RECORDED) await writeEntry(STAGE, name, recordingEntry(name));
  const recorder = `${ROOT}/dist/recorder`;
  await compile(recorder, parts);
  await recordCodeCache(recorder, STAGE);
  await Deno.remove(recorder);
  for (const name of RECORDED) await writeEntry(STAGE, name, { cachedData: `${name}.cache` });
}

/** The times of embedded files become part of the executable: with them no two builds would be equal. */
async function forgetTimes(dir: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(dir)) {
    if (isDirectory) await forgetTimes(`${dir}/${name}`);
    else await Deno.utime(`${dir}/${name}`, 0, 0);
  }
}

async function compile(output: string, parts: Parts): Promise<void> {
  await forgetTimes(STAGE);
  await runCompiler(output, parts);
  await attachPack(output, parts.assets);
}

async function runCompiler(output: string, { arch, target }: Parts): Promise<void> {
  const args = [
    "compile",
    "-q",
    "--no-check",
    "--no-config",
    "-A",
    "--no-prompt",
    "--unstable-worker-options",
    "--unstable-raw-imports",
  ];
  args.push(`--v8-flags=${V8_FLAGS}`, "--no-code-cache");
  if (target !== undefined) args.push("--target", target);
  args.push("--include", STAGE, "--output", output, `${STAGE}/main.js`);
  // The runtime that a person names is one for this machine, and `deno compile` would take it for any.
  if (arch !== Deno.build.arch) Deno.env.delete("DENORT_BIN");
  const atHand = Deno.env.get("DENORT_BIN") ?? await denortAtHand(arch);
  const ran = await runDeno(args, atHand === undefined ? {} : { DENORT_BIN: atHand });
  if (ran.ok) return;
  if (atHand !== undefined || !ran.output.includes("Setting up base binary")) {
    throw new Error(`compiling failed:\n${ran.output}`);
  }
  print("build: Deno's runtime cannot be downloaded from its own site; taking the same file from npm");
  const again = await runDeno(args, { DENORT_BIN: await denortFromNpm(arch) });
  if (!again.ok) throw new Error(`compiling failed:\n${again.output}`);
}

/** Every file whose change makes the executable out of date. */
export async function newestSourceMs(): Promise<number> {
  const paths = [`${ROOT}/main.ts`, `${ROOT}/deno.json`, `${ROOT}/deno.lock`, `${ROOT}/scripts`, `${ROOT}/src`];
  const times = await Promise.all(paths.map(newestMs));
  return Math.max(...times);
}

/** When a file, or the newest file of a folder, was changed; 0 when there is none. */
export async function newestMs(path: string): Promise<number> {
  if (!await exists(path)) return 0;
  const { isDirectory, mtime } = await Deno.stat(path);
  let newest = mtime?.getTime() ?? 0;
  if (!isDirectory) return newest;
  for await (const { name } of Deno.readDir(path)) newest = Math.max(newest, await newestMs(`${path}/${name}`));
  return newest;
}

/** Builds for tests when an executable is missing or older than a source. */
export async function buildIfOld(): Promise<void> {
  const oldestMs = Math.min(...await Promise.all([BINARY, TEST_BINARY].map(newestMs)));
  if (oldestMs > await newestSourceMs()) return;
  print("build: the executable is missing or older than its sources");
  await build({ forTests: true });
}

if (import.meta.main) {
  const at = Deno.args.indexOf("--target");
  const target = at < 0 ? undefined : Deno.args[at + 1];
  const started = performance.now();
  const path = await build(target === undefined ? {} : { target });
  const { size } = await Deno.stat(path);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`built ${path.replace(`${ROOT}/`, "")}: ${(size / 1e6).toFixed(1)} MB in ${seconds} s`);
}
