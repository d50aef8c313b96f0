/** Downloads a published package into Deno's own cache, for files in it that are not modules. @module */
import { exists, reasonOf, runDeno } from "./project.ts";

/**
 * Folders of packages such as "web-tree-sitter@0.27.2", downloaded when they are not there yet. Deno checks the
 * registry's hash of the archive and reads the registry's address from the usual npm configuration.
 */
export async function packageDirs(specifiers: readonly string[]): Promise<Map<string, string>> {
  const cacheDir = await npmCacheDir();
  const wanted = [...new Set(specifiers)];
  const found = await locate(cacheDir, wanted);
  const missing = wanted.filter((specifier) => !found.has(specifier));
  if (missing.length === 0) return found;
  const { ok, output } = await runDeno(["cache", "-q", "--no-config", ...missing.map((name) => `npm:${name}`)]);
  if (!ok) throw new Error(`cannot download ${missing.join(", ")}: ${reasonOf(output)}`);
  const all = await locate(cacheDir, wanted);
  for (const specifier of wanted) {
    if (!all.has(specifier)) throw new Error(`${specifier} was downloaded, but is not below ${cacheDir}`);
  }
  return all;
}

/** Where Deno keeps packages on this machine: below it are a folder for each registry, then name and version. */
export async function npmCacheDir(): Promise<string> {
  const { ok, output } = await runDeno(["info", "-q", "--json", "--no-config"]);
  const npmCache: unknown = ok ? JSON.parse(output).npmCache : undefined;
  if (typeof npmCache !== "string") throw new Error(`deno info does not name its npm cache: ${reasonOf(output)}`);
  return npmCache;
}

/** The cache has one folder per registry, then name and version. */
async function locate(cacheDir: string, specifiers: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (!await exists(cacheDir)) return found;
  for await (const registry of Deno.readDir(cacheDir)) {
    for (const specifier of specifiers) {
      const at = specifier.lastIndexOf("@");
      const dir = `${cacheDir}/${registry.name}/${specifier.slice(0, at)}/${specifier.slice(at + 1)}`;
      if (await exists(`${dir}/package.json`)) found.set(specifier, dir);
    }
  }
  return found;
}
