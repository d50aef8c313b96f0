/** Builds a config layer from command-line options. @module */
import { ConfigError, type Problem } from "./error.ts";
import type { SchemaNode } from "./keys.ts";
import { allNames, type Assignment, type Base, findKey, fitLayer, type Layer, leafOf } from "./layer.ts";
import { nearest } from "./suggest.ts";
import { readValue } from "./value_text.ts";

/** What the command line says of the configuration. */
export interface Overrides {
  /** Dotted key to value; a text is read as the key's type. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Roots in addition to those that lower layers name. */
  readonly roots: readonly string[];
}

/** Options of the command line that concern the configuration, as typed. */
export interface OverrideFlags {
  /** `--set mcp.server.port=9000`, any number of times. */
  readonly set?: readonly string[];
  /** `--root DIR`, any number of times. */
  readonly root?: readonly string[];
  readonly host?: string;
  readonly port?: string | number;
}

/**
 * Puts the options into one form. `--host` and `--port` go before `--set` of the same key.
 * @throws {ConfigError} when a `--set` is not of the form KEY=VALUE
 */
export function overridesOf(flags: OverrideFlags): Overrides {
  const pairs = (flags.set ?? []).map((text): [string, unknown] => {
    const cut = text.indexOf("=");
    if (cut > 0) return [text.slice(0, cut).trim(), text.slice(cut + 1)];
    throw new ConfigError([{ where: `--set ${text}`, message: "expected KEY=VALUE, as in mcp.server.port=9000" }]);
  });
  if (flags.host !== undefined) pairs.push(["mcp.server.host", flags.host]);
  if (flags.port !== undefined) pairs.push(["mcp.server.port", flags.port]);
  return { values: Object.fromEntries(pairs), roots: flags.root ?? [] };
}

/** Reads the overrides; every key must exist. */
export function readCliLayer(root: SchemaNode, overrides: Overrides, base: Base): Layer {
  const assignments: Assignment[] = [];
  const problems: Problem[] = [];
  const assign = (name: string, value: unknown, append: boolean, where: string) => {
    const found = findKey(root, name.split("."));
    if (found === undefined) {
      problems.push({ where, message: unknown(root, name) });
      return;
    }
    const leaf = leafOf(found.key.node, found.entry);
    const read = typeof value === "string" ? readValue(leaf, value) : value;
    assignments.push({ ...found, append, value: read, layer: "cli", place: () => ({ where }) });
  };
  for (const [name, value] of Object.entries(overrides.values)) assign(name, value, false, "command line");
  if (overrides.roots.length > 0) assign("mcp.tools.allowed_roots", overrides.roots, true, "--root");
  return fitLayer(assignments, problems, base);
}

function unknown(root: SchemaNode, name: string): string {
  const names = allNames(root);
  const ends = names.filter((each) => each.endsWith(`.${name}`));
  const near = names.includes(name) ? undefined : ends.length === 1 ? ends[0] : nearest(name, names);
  if (names.includes(name)) return `${name} is a table; set one of its keys`;
  return `unknown key ${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${near}?`}`;
}
