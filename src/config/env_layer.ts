/** Builds a config layer from environment variables. @module */
import type { Problem } from "./error.ts";
import { environmentName, listKeys, OTHER_SPELLINGS, type SchemaNode } from "./keys.ts";
import { type Assignment, type Base, findKey, fitLayer, type Layer, leafOf } from "./layer.ts";
import { nearest } from "./suggest.ts";
import { readValue } from "./value_text.ts";

const PREFIX = "LLMC_MCP__";
const ROOTS = "mcp.tools.allowed_roots";

/** The root that `LLMC_ROOT` names. It counts only where no layer sets a root: it must never add to a narrower choice. */
export function readRootLayer(root: SchemaNode, folder: string, layers: readonly Layer[]): Layer {
  const isSet = layers.some(({ assignments }) =>
    assignments.some(({ key: { name } }) => (OTHER_SPELLINGS[name] ?? name) === ROOTS)
  );
  const found = findKey(root, ROOTS.split("."));
  if (isSet || found === undefined) return { assignments: [], problems: [] };
  const place = () => ({ where: "LLMC_ROOT" });
  return { assignments: [{ ...found, value: [folder], layer: "env", place }], problems: [] };
}

/** Reads every variable whose name begins with `LLMC_MCP__`; all of them must be keys. */
export function readEnvLayer(root: SchemaNode, env: Readonly<Record<string, string>>, base: Base): Layer {
  const assignments: Assignment[] = [];
  const problems: Problem[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX)) continue;
    const place = () => ({ where: name });
    const path = name.slice("LLMC_".length).toLowerCase().split("__");
    const found = findKey(root, path);
    if (found === undefined) {
      const near = nearest(name, listKeys(root).map((key) => environmentName(key.path)));
      const hint = near === undefined ? "see 'llmc-mcp config show' for the keys" : `did you mean ${near}?`;
      problems.push({ where: name, message: `no such key, ${path.join(".")}; ${hint}` });
      continue;
    }
    assignments.push({ ...found, value: readValue(leafOf(found.key.node, found.entry), text), layer: "env", place });
  }
  return fitLayer(assignments, problems, base);
}

/** Variables that were probably meant for a key, but have one underscore where two belong. */
export function misspeltVariables(root: SchemaNode, env: Readonly<Record<string, string>>): string[] {
  const others = Object.keys(env).filter((name) => name.startsWith("LLMC_") && !name.startsWith(PREFIX));
  if (others.length === 0) return [];
  const flat = (name: string) => name.replace(/_+/g, "_");
  const names = new Map(listKeys(root).map(({ path }) => [flat(environmentName(path)), environmentName(path)]));
  return others.flatMap((name) => {
    const meant = names.get(flat(name));
    return meant === undefined ? [] : [`${name} has no effect: the variable of this key is ${meant}`];
  });
}
