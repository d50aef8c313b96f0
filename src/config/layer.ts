/** Defines a config layer: assignments from one source, each with its location. @module */
import { checkValue, isTable } from "./check_value.ts";
import type { Problem } from "./error.ts";
import { absolutePath } from "./paths.ts";
import { childOf, type Key, listKeys, type SchemaNode } from "./keys.ts";

/** Which layer set a key. Later ones win: file, environment, command line. */
export type Origin = "toml" | "env" | "cli";

/** Where something was written. */
export type ConfigPlace = Pick<Problem, "where" | "excerpt">;

/** One key set by one source. */
export interface Assignment {
  readonly key: Key;
  /** Name inside a table with free names, when only that one is set. */
  readonly entry?: string;
  /** Adds to what lower layers say, instead of replacing it. */
  readonly append?: boolean;
  readonly value: unknown;
  readonly layer: Origin;
  /** Where the value stands, or a part of it. */
  place(at?: readonly (string | number)[]): ConfigPlace;
}

/** Everything that one source says, and what is wrong with it. */
export interface Layer {
  readonly assignments: readonly Assignment[];
  readonly problems: readonly Problem[];
}

/** Where paths of a source begin. */
export interface Base {
  /** Folder of a relative path. */
  readonly folder: string;
  readonly homeDir: string;
  /** `LLMC_ROOT`, made absolute: where a relative `mcp.te.script_path` begins, as the specification has it. */
  readonly llmcRoot?: string | undefined;
}

const OF_LLMC_ROOT = "mcp.te.script_path";

/** A layer in which every value fits its key; the others are reported. Paths are made absolute. */
export function fitLayer(assignments: readonly Assignment[], problems: readonly Problem[], base: Base): Layer {
  const good: Assignment[] = [];
  const bad: Problem[] = [...problems];
  for (const assignment of assignments) {
    const node = leafOf(assignment.key.node, assignment.entry);
    const misfits = checkValue(node, assignment.value);
    for (const { at, message } of misfits) {
      bad.push({ ...assignment.place(at), message: `${nameOf(assignment)}${stepsText(at)}: ${message}` });
    }
    if (misfits.length > 0) continue;
    const folder = assignment.key.name === OF_LLMC_ROOT ? base.llmcRoot ?? base.folder : base.folder;
    good.push({ ...assignment, value: withAbsolutePaths(node, assignment.value, { ...base, folder }) });
  }
  return { assignments: good, problems: bad };
}

/** A key, or a name inside a table with free names, by its path; undefined when there is none. */
export function findKey(root: SchemaNode, path: readonly string[]): { key: Key; entry?: string } | undefined {
  let node: SchemaNode = root;
  for (let depth = 0; depth < path.length; depth++) {
    const child = childOf(node, path[depth] ?? "");
    if (child === undefined) return undefined;
    node = child;
    if (node.additionalProperties === false) continue;
    const key: Key = { name: path.slice(0, depth + 1).join("."), path: path.slice(0, depth + 1), node };
    const rest = path.slice(depth + 1);
    if (rest.length === 0) return { key };
    return node.type === "object" ? { key, entry: rest.join(".") } : undefined;
  }
  return undefined;
}

/** The node of a key, or of one name inside a table with free names. */
export function leafOf(node: SchemaNode, entry: string | undefined): SchemaNode {
  if (entry === undefined) return node;
  const others = node.additionalProperties;
  return childOf(node, entry) ?? (typeof others === "object" ? others : node);
}

/** Dotted names of all keys, and of all sections before them. */
export function allNames(root: SchemaNode): string[] {
  const names = new Set<string>();
  for (const { path } of listKeys(root)) path.forEach((_, depth) => names.add(path.slice(0, depth + 1).join(".")));
  return [...names];
}

function nameOf({ key, entry }: Assignment): string {
  return entry === undefined ? key.name : `${key.name}.${entry}`;
}

function stepsText(steps: readonly (string | number)[]): string {
  return steps.map((step) => typeof step === "number" ? `[${step}]` : `.${step}`).join("");
}

/** A copy of a value with the paths in it made absolute. */
export function withAbsolutePaths(node: SchemaNode, value: unknown, base: Base): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => node.items ? withAbsolutePaths(node.items, item, base) : item);
  }
  if (isTable(value)) return { ...value };
  if (typeof value !== "string" || value === "" || node.title !== "path") return value;
  return absolutePath(value, base.folder, base.homeDir);
}
