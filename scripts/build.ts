/**
 * Builds dist/llmc-mcp: fetches embedded files, bundles the entry of every thread, and compiles all into one
 * executable.
 * @module
 */
import { TEST_SWITCHES } from "../src/sys/script.ts";
import { attachPack, compressAssets, type FileToPack } from "./attach_pack.ts";
import { bundleLoaders, bundleModules, bundleScripts } from "./bundle.ts";
import { makeCodeCaches } from "./code_cache.ts";
import { denortAtHand, denortFromNpm } from "./denort.ts";
import { BINARY, exists, LOADERS, print, reasonOf, ROOT, runDeno, runVerb, TEST_BINARY } from "./project.ts";
import { type Arch, ASSETS, vendor } from "./vendor.ts";

/** Where a build works. It is removed at the end, whatever the end is. */
const WORK_DIR = `${ROOT}/dist/build`;

/**
 * A small young generation, a heap that grows in small steps, and WebAssembly that is optimised when much of it ran; see
 * docs/decisions/0016.
 */
const V8_FLAGS = "--max-semi-space-size=2,--heap-growing-percent=20,--wasm-tiering-budget=50000000";

/** What is made, other than the usual. */
interface BuildOptions {
  /** Target as Deno names it, such as "aarch64-unknown-linux-gnu". */
  readonly target?: string;
  /** Makes {@link TEST_BINARY} too, which can pretend to be on a machine with less confinement. */
  readonly forTests?: boolean;
}

/** Builds the executable and returns its path. When that fails, an executable of an earlier build stays as it was. */
export async function build({ target, forTests = false }: BuildOptions = {}): Promise<string> {
  const arch = archOf(target), output = target === undefined ? BINARY : `${BINARY}-${arch}`;
  await removeIfThere(WORK_DIR);
  await Deno.mkdir(WORK_DIR, { recursive: true });
  try {
    const parts = await partsFor(arch, target);
    await compile(output, parts);
    if (forTests) {
      const switches = { name: TEST_SWITCHES, bytes: new Uint8Array(), asset: { sha256: "", sizeBytes: 0 } };
      await compile(TEST_BINARY, { ...parts, files: [...parts.files, switches] });
    }
    return output;
  } finally {
    await removeIfThere(WORK_DIR);
  }
}

function archOf(target: string | undefined): Arch {
  const arch = target?.split("-")[0] ?? Deno.build.arch;
  if (arch !== "x86_64" && arch !== "aarch64") throw new Error(`${arch} is not an architecture that is built for`);
  return arch;
}

async function removeIfThere(path: string): Promise<void> {
  if (await exists(path)) await Deno.remove(path, { recursive: true });
}

/** V8's code cache fits one kind of processor, and scripts without one would start slower than modules. */
async function partsFor(arch: Arch, target: string | undefined): Promise<Parts> {
  const assets = await assetsFor(arch);
  return arch === Deno.build.arch
    ? { arch, target, stage: (dir) => bundleLoaders(LOADERS, dir), files: [...assets, ...await scriptFiles()] }
    : { arch, target, stage: bundleModules, files: assets };
}

/** Another architecture's assets are kept apart, so that those of this machine stay usable. */
async function assetsFor(arch: Arch): Promise<FileToPack[]> {
  const dir = arch === Deno.build.arch ? ASSETS : `${ROOT}/dist/assets-${arch}`;
  await vendor(dir, arch);
  return await compressAssets(dir);
}

/** Each thread's script, and V8's code cache of it. */
async function scriptFiles(): Promise<FileToPack[]> {
  const scripts = await bundleScripts(`${WORK_DIR}/scripts`), dir = `${WORK_DIR}/caches`;
  await Deno.mkdir(dir);
  return [...named(scripts, "js"), ...named(await makeCodeCaches(scripts, dir, V8_FLAGS), "cache")];
}

function named(parts: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, ending: string): FileToPack[] {
  return [...parts].map(([name, bytes]) => ({ name: `${name}.${ending}`, bytes }));
}

/** The times of embedded files become part of the executable: with them no two builds would be equal. */
async function forgetTimes(dir: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(dir)) {
    if (isDirectory) await forgetTimes(`${dir}/${name}`);
    else await Deno.utime(`${dir}/${name}`, 0, 0);
  }
}

/** What an executable is made of. */
interface Parts {
  readonly arch: Arch;
  readonly target: string | undefined;
  /** Writes the modules that the runtime reads into a folder. */
  readonly stage: (dir: string) => Promise<void>;
  /** What they fetch. */
  readonly files: readonly FileToPack[];
}

/** Compiles beside the old executable and takes its place at the end. Its name becomes part of what is compiled. */
async function compile(output: string, { stage, files, ...machine }: Parts): Promise<void> {
  const stageDir = `${WORK_DIR}/stage`, compiled = `${WORK_DIR}/${output.slice(output.lastIndexOf("/") + 1)}`;
  await removeIfThere(stageDir);
  await stage(stageDir);
  await forgetTimes(stageDir);
  await runCompiler(stageDir, compiled, machine);
  await attachPack(compiled, files);
  await Deno.rename(compiled, output);
}

async function runCompiler(
  stageDir: string,
  output: string,
  { arch, target }: Pick<Parts, "arch" | "target">,
): Promise<void> {
  const args = [
    "compile",
    "-q",
    "--no-check",
    "--no-config",
    "-A",
    "--no-prompt",
    "--unstable-worker-options",
  ];
  args.push(`--v8-flags=${V8_FLAGS}`, "--no-code-cache");
  if (target !== undefined) args.push("--target", target);
  args.push("--include", stageDir, "--output", output, `${stageDir}/main.js`);
  // The runtime that a person names is one for this machine, and `deno compile` would take it for any.
  if (arch !== Deno.build.arch) Deno.env.delete("DENORT_BIN");
  const atHand = Deno.env.get("DENORT_BIN") ?? await denortAtHand(arch);
  const ran = await runDeno(args, atHand === undefined ? {} : { DENORT_BIN: atHand });
  if (ran.ok) return;
  if (atHand !== undefined || !ran.output.includes("Setting up base binary")) {
    throw new Error(`cannot compile: ${reasonOf(ran.output)}`);
  }
  print("build: Deno's runtime cannot be downloaded from its own site; taking the same file from npm");
  const again = await runDeno(args, { DENORT_BIN: await denortFromNpm(arch) });
  if (!again.ok) throw new Error(`cannot compile: ${reasonOf(again.output)}`);
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

async function main(): Promise<void> {
  const at = Deno.args.indexOf("--target");
  const target = at < 0 ? undefined : Deno.args[at + 1];
  const started = performance.now();
  const path = await build(target === undefined ? {} : { target });
  const { size } = await Deno.stat(path);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`built ${path.replace(`${ROOT}/`, "")}: ${(size / 1e6).toFixed(1)} MB in ${seconds} s`);
}

if (import.meta.main) await runVerb("build", main);
