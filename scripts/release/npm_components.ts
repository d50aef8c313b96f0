/** Lists the npm packages in the executable: the direct imports of its entries, and their dependencies. @module */
import { ENTRIES, exists, ROOT, runDeno } from "../project.ts";
import { packageDirs } from "../npm_package.ts";
import { type Component, npmPurl } from "./embedded.ts";

/** What `deno info --json` tells of a module graph. */
interface Graph {
  readonly modules: readonly { readonly kind?: string; readonly npmPackage?: string }[];
  readonly npmPackages: Readonly<Record<string, Package>>;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
}

/** Every package that goes into the executable, by name. @throws Error when one has no licence text */
export async function npmComponents(): Promise<Component[]> {
  const needed = new Map<string, Package>();
  for (const entry of Object.values(ENTRIES)) {
    if (await exists(`${ROOT}/${entry}`)) collect(await graphOf(entry), needed);
  }
  const specifiers = [...needed.values()].map(({ name, version }) => `${name}@${version}`).sort();
  const dirs = await packageDirs(specifiers);
  const integrity = await readIntegrity();
  return await Promise.all(specifiers.map((specifier) => describe(specifier, dirs.get(specifier) ?? "", integrity)));
}

async function graphOf(entry: string): Promise<Graph> {
  const { ok, output } = await runDeno(["info", "-q", "--json", entry]);
  if (!ok) throw new Error(`deno info ${entry}:\n${output}`);
  return JSON.parse(output.slice(output.indexOf("{")));
}

/** Types are no code, and `deno info` lists every package of the lock file, imported or not. */
function collect({ modules, npmPackages }: Graph, needed: Map<string, Package>): void {
  const queue = modules.flatMap(({ npmPackage }) => npmPackage ?? []);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const found = npmPackages[id];
    if (found === undefined || needed.has(id) || found.name.startsWith("@types/")) continue;
    needed.set(id, found);
    queue.push(...found.dependencies);
  }
}

/** SHA-512 of each package's archive, in hexadecimal, by specifier. */
async function readIntegrity(): Promise<Map<string, string>> {
  const lock: { npm: Record<string, { integrity: string }> } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.lock`));
  return new Map(
    Object.entries(lock.npm).map(([id, { integrity }]) => {
      const specifier = id.replace(/^(@?[^@]+@[^_]+).*$/, "$1");
      return [specifier, Uint8Array.fromBase64(integrity.replace("sha512-", "")).toHex()];
    }),
  );
}

async function describe(specifier: string, dir: string, integrity: ReadonlyMap<string, string>): Promise<Component> {
  const { license }: { license?: unknown } = JSON.parse(await Deno.readTextFile(`${dir}/package.json`));
  if (typeof license !== "string") throw new Error(`${specifier}: package.json names no licence`);
  const at = specifier.lastIndexOf("@");
  const hex = integrity.get(specifier);
  return {
    name: specifier.slice(0, at),
    version: specifier.slice(at + 1),
    license,
    licenseText: await licenseText(specifier, dir, license),
    purl: npmPurl(specifier),
    kind: "library",
    ...hex === undefined ? {} : { hash: { algorithm: "SHA-512" as const, hex } },
  };
}

/** The texts of all files that look like one; the bare MIT terms with the author's name when there is none. */
async function licenseText(specifier: string, dir: string, license: string): Promise<string> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(dir)) {
    if (isFile && /^(?:licen[cs]e|notice|copying)/i.test(name)) names.push(name);
  }
  const texts = await Promise.all(names.sort().map((name) => Deno.readTextFile(`${dir}/${name}`)));
  if (texts.length > 0) return texts.map((text) => text.trim()).join("\n\n");
  if (license !== "MIT") throw new Error(`${specifier} is under ${license} and has no licence file`);
  const { author }: { author?: string | { name?: string } } = JSON.parse(
    await Deno.readTextFile(`${dir}/package.json`),
  );
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${specifier}`;
  return `Copyright (c) ${holder}\n\n${await Deno.readTextFile(`${ROOT}/packaging/licenses/MIT.txt`)}`;
}
