/**
 * Makes one classic script of each thread's modules, and the small modules that fetch it. V8 takes code that was compiled
 * before only for a classic script that a program hands to it; see docs/decisions/0020.
 * @module
 */
import { ENTRIES, ROOT, runDeno } from "./project.ts";

/** Bundles each thread's modules. Returns the scripts by their names. */
export async function bundleScripts(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const standIns = `${ROOT}/dist/entries`, out = `${ROOT}/dist/scripts`;
  await Deno.mkdir(standIns, { recursive: true });
  const paths: string[] = [];
  for (const [name, source] of Object.entries(ENTRIES)) {
    paths.push(`${standIns}/${name}.ts`);
    await Deno.writeTextFile(`${standIns}/${name}.ts`, `import "../../${source}";\n`);
  }
  await runBundler("iife", out, paths);
  const scripts = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of Object.keys(ENTRIES)) {
    const code = await Deno.readTextFile(`${out}/${name}.js`);
    // Modules are strict, and ask for the runtime's own modules by this name.
    scripts.set(name, new TextEncoder().encode(`(function(require){"use strict";${code}\n})`));
  }
  for (const folder of [standIns, out]) await Deno.remove(folder, { recursive: true });
  return scripts;
}

/** Bundles the modules of a program that fetch the scripts into `dir`, NAME.ts as NAME.js. */
export async function bundleLoaders(loaders: readonly string[], dir: string): Promise<void> {
  await runBundler("esm", dir, loaders.map((path) => `${ROOT}/${path}`));
}

async function runBundler(format: "esm" | "iife", out: string, paths: readonly string[]): Promise<void> {
  // For browsers the MCP SDK brings a JSON schema validator of a tenth of the size, and nothing else differs.
  const args = ["bundle", "--platform", "browser", "--format", format, "--minify", "--outdir", out];
  const { ok, output } = await runDeno([...args, ...paths]);
  // A name that its module does not export is only a warning there, and a crash when it is called.
  if (!ok || output.includes("will always be undefined")) throw new Error(`bundling failed:\n${output}`);
}
