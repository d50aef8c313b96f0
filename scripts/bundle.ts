/**
 * Makes one classic script of each thread's modules, and the small modules that fetch it: V8 takes code that was compiled
 * before only for a classic script that a program hands to it. Where there is none, modules are faster. See
 * docs/decisions/0020.
 * @module
 */
import { relative } from "node:path";
import { npmCacheDir } from "./npm_package.ts";
import { ENTRIES, exists, reasonOf, ROOT, runDeno } from "./project.ts";

/** Bundles each thread's modules. Returns the scripts by their names. @param dir Absent, to work in. */
export async function bundleScripts(dir: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const names = Object.keys(ENTRIES);
  await runBundler(["--format", "iife", "--outdir", dir], await writeStandIns(dir));
  const cachePath = await patternOfCachePath();
  for (const name of names) {
    const code = await Deno.readTextFile(`${dir}/${name}.js`);
    await Deno.writeTextFile(
      `${dir}/${name}.js`,
      code.replace(LOST_META, "$1 = importMeta;").replace(cachePath, "npm/"),
    );
  }
  const minified = `${dir}/minified`, scripts = new Map<string, Uint8Array<ArrayBuffer>>();
  await runBundler(["--format", "iife", "--minify", "--outdir", minified], names.map((name) => `${dir}/${name}.js`));
  for (const name of names) {
    const code = (await Deno.readTextFile(`${minified}/${name}.js`)).replace(BEYOND_ASCII, escapeCharacter);
    // Modules are strict, and these are the names by which they reach the runtime's own modules and their address.
    scripts.set(name, new TextEncoder().encode(`(function(require,importMeta){"use strict";${code}\n})`));
  }
  return scripts;
}

/** Bundles each thread's modules into `dir`, NAME.js, with shared chunks: what is behind `import()` is read when needed. */
export async function bundleModules(dir: string): Promise<void> {
  await runBundler(["--minify", "--code-splitting", "--outdir", dir], await writeStandIns(`${dir}-entries`));
  await forgetMachine(dir);
}

/** The bundler names modules by their path from the top folder: packages by where Deno keeps them on this machine. */
async function patternOfCachePath(): Promise<RegExp> {
  const dir = await npmCacheDir();
  const real = await exists(dir) ? await Deno.realPath(dir) : dir;
  return new RegExp(`${RegExp.escape(relative(await Deno.realPath(ROOT), real))}/[^/"]+/`, "g");
}

/** Takes these paths out of bundled modules, and out of the names of chunks, which are hashes of them too. */
async function forgetMachine(dir: string): Promise<void> {
  const cachePath = await patternOfCachePath(), files = new Map<string, string>(), chunks = new Set<string>();
  const visit = async (name: string) => {
    const code = (await Deno.readTextFile(`${dir}/${name}`)).replace(cachePath, "npm/");
    files.set(name, code);
    for (const [chunk] of code.matchAll(CHUNK)) {
      if (chunks.has(chunk)) continue;
      chunks.add(chunk);
      await visit(chunk);
    }
  };
  for (const name of Object.keys(ENTRIES)) await visit(`${name}.js`);
  const order = [...chunks];
  const nameOf = (name: string) => chunks.has(name) ? `chunk-${order.indexOf(name)}.js` : name;
  await Deno.remove(dir, { recursive: true });
  await Deno.mkdir(dir);
  for (const [name, code] of files) await Deno.writeTextFile(`${dir}/${nameOf(name)}`, code.replace(CHUNK, nameOf));
}

/** What the bundler calls code that is shared or imported late, as imports name it. */
const CHUNK = /(?<=["'`]\.\/)[\w.-]+-[A-Z0-9]{8}\.js(?=["'`])/g;

/** Entries of one folder, NAME.ts, so that what is bundled of them lands in one folder too. */
async function writeStandIns(dir: string): Promise<string[]> {
  await Deno.mkdir(dir, { recursive: true });
  const paths = Object.entries(ENTRIES).map(async ([name, source]) => {
    await Deno.writeTextFile(`${dir}/${name}.ts`, `import "${ROOT}/${source}";\n`);
    return `${dir}/${name}.ts`;
  });
  return await Promise.all(paths);
}

/** What the bundler makes of `import.meta` in a script. */
const LOST_META = /\b(import_meta\d*) = \{\};/g;

/**
 * One of these makes the runtime decode a script character by character, and V8 keep it in two bytes for each. The bundler
 * leaves them in regular expressions and templates only, where an escape means the same.
 */
const BEYOND_ASCII = /[\u0080-\uffff]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Bundles the modules of a program that fetch the scripts into `dir`, NAME.ts as NAME.js. */
export async function bundleLoaders(loaders: readonly string[], dir: string): Promise<void> {
  await runBundler(["--minify", "--outdir", dir], loaders.map((path) => `${ROOT}/${path}`));
}

async function runBundler(options: readonly string[], paths: readonly string[]): Promise<void> {
  // For browsers the MCP SDK brings a JSON schema validator of a tenth of the size, and nothing else differs.
  const { ok, output } = await runDeno(["bundle", "--platform", "browser", ...options, ...paths]);
  // A name that its module does not export is only a warning there, and a crash when it is called.
  if (!ok || output.includes("will always be undefined")) throw new Error(`cannot bundle: ${reasonOf(output)}`);
}
