/** Finds dead code: files that no entry reaches, exports that no other file imports, unused dependencies. @module */
import configuration from "../deno.json" with { type: "json" };
import { type Outline, outline } from "./exports.ts";
import { ENTRIES, exists, LOADERS, print, ROOT } from "./project.ts";

/** Exports that look unused and are not, as "path#name", each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {};

/** Folders whose files are read; only those that exist. */
const FOLDERS = ["src", "tests", "scripts", "bench", "lint"];

/**
 * Finds unused code.
 *
 * @param sources Every file of the project by its path from the top.
 * @param entries Files that the product starts with.
 * @returns One line for each finding.
 */
export function findDeadCode(sources: ReadonlyMap<string, string>, entries: readonly string[]): string[] {
  const outlines = new Map(Array.from(sources, ([path, source]) => [path, outline(path, source)]));
  return [...unreached(outlines, entries), ...unused(outlines)].sort();
}

/** The path of an imported file. */
export function resolveImport(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

/** Files of src/ that the product never loads, not even for a type. */
function unreached(outlines: ReadonlyMap<string, Outline>, entries: readonly string[]): string[] {
  const reached = new Set<string>();
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const imports = outlines.get(path)?.imports;
    if (imports === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const specifier of imports.keys()) queue.push(resolveImport(path, specifier));
  }
  const lost = [...outlines.keys()].filter((path) => path.startsWith("src/") && !reached.has(path));
  return lost.map((path) => `${path}: no entry of the product reaches this file`);
}

function unused(outlines: ReadonlyMap<string, Outline>): string[] {
  const users = new Map<string, { product: boolean }>();
  const use = (target: string, name: string, from: string) => {
    const product = !from.startsWith("tests/");
    const known = users.get(`${target}#${name}`);
    users.set(`${target}#${name}`, { product: product || (known?.product ?? false) });
  };
  for (const [from, { imports }] of outlines) {
    for (const [specifier, names] of imports) {
      const target = resolveImport(from, specifier);
      for (const name of names.has("*") ? outlines.get(target)?.exports.keys() ?? [] : names) use(target, name, from);
    }
  }
  const findings: string[] = [];
  for (const [path, { exports, mentions }] of outlines) {
    for (const [name, { isType, line }] of exports) {
      if (`${path}#${name}` in ALLOWED || name === "default") continue;
      const fault = judge(users.get(`${path}#${name}`), (mentions.get(name) ?? 0) > 1, isType, path);
      if (fault !== undefined) findings.push(`${path}:${line}: ${name} ${fault}`);
    }
  }
  return findings;
}

/** A type may be exported for the signature that uses it, although no other file names it. */
function judge(
  users: { product: boolean } | undefined,
  usedInFile: boolean,
  isType: boolean,
  path: string,
): string | undefined {
  if (users?.product) return undefined;
  if (users === undefined) {
    if (!usedInFile) return "is never used";
    return isType ? undefined : "is used in its own file only: do not export it";
  }
  return usedInFile || !path.startsWith("src/") ? undefined : "is used by tests only";
}

/** Dependencies of the import map that no source imports; a mention in a comment or a text is not an import. */
export function findUnusedDependencies(sources: ReadonlyMap<string, string>, names: readonly string[]): string[] {
  const used = [...sources].flatMap(([path, source]) => [...outline(path, source).packages]);
  const isUsed = (name: string) => used.some((text) => text === name || text.startsWith(`${name.replace(/\/$/, "")}/`));
  return names.filter((name) => !isUsed(name)).map((name) => `deno.json: nothing imports ${name}`);
}

/** Reads every TypeScript file of the project. */
export async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const read = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${path}`)) {
      const child = `${path}/${name}`;
      if (isDirectory) await read(child);
      else if (name.endsWith(".ts")) sources.set(child, await Deno.readTextFile(`${ROOT}/${child}`));
    }
  };
  for (const folder of FOLDERS) if (await exists(`${ROOT}/${folder}`)) await read(folder);
  if (await exists(`${ROOT}/main.ts`)) sources.set("main.ts", await Deno.readTextFile(`${ROOT}/main.ts`));
  return sources;
}

/** Everything unused in this project. */
export async function findUnused(): Promise<string[]> {
  const sources = await readSources();
  const dependencies = findUnusedDependencies(sources, Object.keys(configuration.imports));
  return [...dependencies, ...findDeadCode(sources, [...Object.values(ENTRIES), ...LOADERS])];
}

if (import.meta.main) {
  const findings = await findUnused();
  for (const finding of findings) print(finding);
  print(findings.length === 0 ? "no dead code" : `${findings.length} findings`);
  Deno.exit(findings.length === 0 ? 0 : 1);
}
