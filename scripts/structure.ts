/** Finds import cycles, imports across the top folders that are not allowed, and exported names with two meanings. @module */
import { type Outline, outline } from "./exports.ts";
import { readSources, resolveImport } from "./dead_code.ts";
import { print } from "./project.ts";

/** What a file may not reach, directly or through others, each with its reason. */
const CLOSED: readonly { readonly from: RegExp; readonly to: RegExp; readonly reason: string }[] = [
  { from: /^(?:main\.ts|src\/)/, to: /^(?:scripts|bench|tests|lint)\//, reason: "the product has to build alone" },
  { from: /^scripts\/(?:build|bundle|release|vendor)\.ts$/, to: /^(?:bench|tests)\//, reason: "a build needs no test" },
];

/**
 * Checks the graph of imports, types included.
 *
 * @param sources Every file of the project by its path from the top.
 * @returns One line for each finding.
 */
export function findStructureFaults(sources: ReadonlyMap<string, string>): string[] {
  const outlines = new Map(Array.from(sources, ([path, source]) => [path, outline(path, source)]));
  const graph = new Map(Array.from(outlines, ([path, { imports }]) => [
    path,
    [...imports.keys()].map((specifier) => resolveImport(path, specifier)).filter((target) => sources.has(target)),
  ]));
  return [...findCycles(graph), ...findForbidden(graph), ...findSharedNames(outlines)];
}

type Graph = ReadonlyMap<string, readonly string[]>;

/** Each cycle once, from its first file on. */
function findCycles(graph: Graph): string[] {
  const cycles: string[] = [], done = new Set<string>(), path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push(`import cycle: ${[...path.slice(at), file].join(" → ")}`);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

function findForbidden(graph: Graph): string[] {
  return [...graph.keys()].flatMap((file) =>
    CLOSED.filter(({ from }) => from.test(file)).flatMap(({ to, reason }) => {
      const reached = new Set([file]);
      for (const each of reached) for (const target of graph.get(each) ?? []) reached.add(target);
      return [...reached].filter((each) => to.test(each)).map((each) => `${file} reaches ${each}: ${reason}`);
    })
  );
}

/** Names that two files of src/ declare and export. */
function findSharedNames(outlines: ReadonlyMap<string, Outline>): string[] {
  const owners = new Map<string, string[]>();
  for (const [path, { exports, imports }] of outlines) {
    if (!path.startsWith("src/")) continue;
    const passedOn = new Set([...imports.values()].flatMap((names) => [...names]));
    for (const name of exports.keys()) {
      if (name !== "default" && !passedOn.has(name)) owners.set(name, [...owners.get(name) ?? [], path]);
    }
  }
  const shared = [...owners].filter(([, paths]) => paths.length > 1);
  return shared.map(([name, paths]) => `${name} is exported by ${paths.join(" and ")}: one name, one meaning`);
}

if (import.meta.main) {
  const findings = findStructureFaults(await readSources());
  for (const finding of findings) print(finding);
  Deno.exit(findings.length === 0 ? 0 : 1);
}
