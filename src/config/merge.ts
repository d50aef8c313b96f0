/** Merges config layers in order of precedence. @module */
import { isTable } from "./check_value.ts";
import { ConfigError, type Problem } from "./error.ts";
import { isSettings } from "./file_schema.ts";
import { childOf, isSection, type Key, listKeys, OTHER_SPELLINGS, type SchemaNode } from "./keys.ts";
import { type Assignment, type Layer, type Origin, withAbsolutePaths } from "./layer.ts";
import type { Settings } from "./schema.ts";

/** Effective settings, and who set what. */
export interface Merged {
  readonly settings: Settings;
  /** Layer of each key that is not at its default. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** The assignments of each key that was set, lowest layer first. */
  readonly assigned: ReadonlyMap<string, readonly Assignment[]>;
}

/**
 * Settings from layers, lowest first. Relative paths among the defaults begin at the home directory.
 * @throws {ConfigError} with every fault of every layer, overridden or not
 */
export function mergeLayers(root: SchemaNode, layers: readonly Layer[], homeDir: string): Merged {
  const keys = new Map(listKeys(root).map((key) => [key.name, key]));
  const base = { folder: homeDir, homeDir };
  const defaults = new Map<string, unknown>();
  for (const [name, { node }] of keys) {
    if (node.default !== undefined) defaults.set(name, withAbsolutePaths(node, node.default, base));
  }
  const unified = layers.map((layer) => unifySpellings(keys, layer));
  const problems = unified.flatMap((layer) => layer.problems);
  if (problems.length > 0) throw new ConfigError(problems);

  const values = new Map(defaults);
  const assigned = new Map<string, Assignment[]>();
  for (const assignment of unified.flatMap((layer) => layer.assignments)) {
    const { name } = assignment.key;
    values.set(name, combine(values.get(name), assignment));
    assigned.set(name, [...assigned.get(name) ?? [], assignment]);
  }
  const settings = build(root, [], values);
  const mcp = isTable(settings) ? settings.mcp : undefined;
  if (!isSettings(mcp)) throw new Error("the generated JSON Schema does not match the configuration's types");
  const origins: Record<string, Origin> = {};
  for (const [name, assignments] of assigned) {
    const last = assignments.at(-1);
    if (last && !same(values.get(name), defaults.get(name))) origins[name] = last.layer;
  }
  return { settings: mcp, origins, assigned };
}

/** Gives keys with two spellings their first one, and reports a source that uses both for different values. */
function unifySpellings(keys: ReadonlyMap<string, Key>, layer: Layer): Layer {
  const problems: Problem[] = [...layer.problems];
  const assignments = layer.assignments.flatMap((assignment) => {
    const key = keys.get(OTHER_SPELLINGS[assignment.key.name] ?? "");
    if (key === undefined) return [assignment];
    const twin = layer.assignments.find((each) => each.key.name === key.name && !each.append);
    if (twin === undefined) return [{ ...assignment, key }];
    if (!same(twin.value, assignment.value)) {
      const message =
        `${assignment.key.name} and ${key.name} (${twin.place().where}) mean the same and differ; keep one`;
      problems.push({ ...assignment.place(), message });
    }
    return [];
  });
  return { assignments, problems };
}

function combine(below: unknown, { entry, append, value }: Assignment): unknown {
  if (entry !== undefined) return { ...(isTable(below) ? below : {}), [entry]: value };
  if (append && Array.isArray(below) && Array.isArray(value)) return [...below, ...value];
  return value;
}

function build(node: SchemaNode, path: readonly string[], values: ReadonlyMap<string, unknown>): unknown {
  if (!isSection(node)) return values.get(path.join("."));
  const entries = Object.keys(node.properties ?? {}).map((name) => {
    const child = childOf(node, name);
    return [name, child && build(child, [...path, name], values)] as const;
  });
  // a key without a default is another spelling, and never set
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Whether two plain values are equal; the order of a table's keys counts, which costs a default's name at most. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
