/**
 * Makes of each thread's entry one classic script and a module that runs it. V8 takes code that was compiled before only
 * for a classic script that a program hands to it; see docs/decisions/0020.
 * @module
 */
import { ENTRIES, ROOT, runDeno } from "./project.ts";

/** What a thread's module does besides running its script. */
export interface Entry {
  /** Name of a file beside the script that holds what V8 compiled of it. */
  readonly cachedData?: string;
  /** JavaScript that runs next; `script` is the `vm.Script`. */
  readonly then?: string;
}

/** Writes NAME.script for every entry into `dir`. */
export async function bundle(dir: string): Promise<void> {
  const standIns = `${ROOT}/dist/entries`, out = `${ROOT}/dist/bundle`;
  for (const folder of [standIns, out]) await Deno.mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [name, source] of Object.entries(ENTRIES)) {
    const path = `${standIns}/${name}.ts`;
    await Deno.writeTextFile(path, `import "../../${source}";\n`);
    paths.push(path);
  }
  // For browsers the MCP SDK brings a JSON schema validator of a tenth of the size, and nothing else differs.
  const args = ["bundle", "--platform", "browser", "--format", "iife", "--minify", "--outdir", out];
  const { ok, output } = await runDeno([...args, ...paths]);
  // A name that its module does not export is only a warning there, and a crash when it is called.
  if (!ok || output.includes("will always be undefined")) throw new Error(`bundling failed:\n${output}`);
  for (const name of Object.keys(ENTRIES)) {
    const code = await Deno.readTextFile(`${out}/${name}.js`);
    // Modules are strict, and ask for the runtime's own modules by this name.
    await Deno.writeTextFile(`${dir}/${name}.script`, `(function(require){"use strict";${code}\n})`);
  }
  for (const folder of [standIns, out]) await Deno.remove(folder, { recursive: true });
}

/** Writes NAME.js into `dir`: the module that the runtime loads, which runs NAME.script. */
export async function writeEntry(dir: string, name: string, { cachedData, then = "" }: Entry): Promise<void> {
  const lines = [`import source from "./${name}.script" with { type: "text" };`];
  if (cachedData !== undefined) lines.push(`import cachedData from "./${cachedData}" with { type: "bytes" };`);
  lines.push(
    `const { Script } = process.getBuiltinModule("node:vm");`,
    `const script = new Script(source, { filename: "${name}"${cachedData === undefined ? "" : ", cachedData"} });`,
    then,
    `script.runInThisContext()(process.getBuiltinModule);`,
  );
  await Deno.writeTextFile(`${dir}/${name}.js`, `${lines.filter((line) => line !== "").join("\n")}\n`);
}
