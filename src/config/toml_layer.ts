/** Builds a config layer from a TOML file. @module */
import { checkValue, isTable } from "./check_value.ts";
import { excerptOf, type Problem } from "./error.ts";
import { childOf, isSection, type SchemaNode } from "./keys.ts";
import { allNames, type Assignment, type Base, type ConfigPlace, fitLayer, type Layer } from "./layer.ts";
import { locate, type Locator } from "./locate.ts";
import { nearest } from "./suggest.ts";
import { parseToml } from "./toml.ts";

/** A file that was found. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

type Path = readonly (string | number)[];

/**
 * Reads the assignments of a file.
 * @throws {ConfigError} when it is not TOML at all; every other fault is among the layer's problems
 */
export function readTomlLayer(root: SchemaNode, file: ConfigFile, base: Base): Layer {
  const table = parseToml(file.text, file.path);
  let locator: Locator | undefined;
  const place = (path: Path, part: "key" | "value"): ConfigPlace => {
    // only a fault asks for places, so a good file is never scanned a second time
    locator ??= locate(file.text);
    const position = locator[part](path) ?? locator.key(path.slice(0, -1)) ?? { line: 1, column: 1 };
    return {
      where: `${file.path}:${position.line}:${position.column}`,
      excerpt: excerptOf(file.text, position.line, position.column),
    };
  };
  const other = otherVersion(root, table);
  if (other !== undefined) {
    return { assignments: [], problems: [{ ...place(["mcp", "config_version"], "value"), message: other }] };
  }
  const assignments: Assignment[] = [];
  const problems: Problem[] = [];
  walk(root, table, []);
  return fitLayer(assignments, problems, base);

  function walk(node: SchemaNode, values: Record<string, unknown>, above: readonly string[]): void {
    for (const [name, value] of Object.entries(values)) {
      const path = [...above, name];
      const child = childOf(node, name);
      if (child === undefined) {
        problems.push({ ...place(path, "key"), message: unknown(root, node, path, isTable(value)) });
      } else if (!isSection(child)) {
        const key = { name: path.join("."), path, node: child };
        assignments.push({ key, value, layer: "toml", place: (at = []) => place([...path, ...at], "value") });
      } else if (isTable(value)) walk(child, value, path);
      else {
        const message = `${path.join(".")} is a table; write [${path.join(".")}] and its keys below`;
        problems.push({ ...place(path, "value"), message });
      }
    }
  }
}

/** Said instead of everything else when the file is written for another program version. */
function otherVersion(root: SchemaNode, table: Record<string, unknown>): string | undefined {
  const section = childOf(root, "mcp");
  const node = section && childOf(section, "config_version");
  const version = isTable(table.mcp) ? table.mcp.config_version : undefined;
  if (node === undefined || version === undefined) return undefined;
  return checkValue(node, version).map(({ message }) => `mcp.config_version: ${message}`)[0];
}

function unknown(root: SchemaNode, section: SchemaNode, path: readonly string[], table: boolean): string {
  const name = path.at(-1) ?? "";
  const above = path.slice(0, -1).join(".");
  const known = Object.keys(section.properties ?? {});
  const inside = above === "" ? "" : ` in [${above}]`;
  const what = table ? `unknown table [${path.join(".")}]` : `unknown key ${JSON.stringify(name)}${inside}`;
  const near = nearest(name, known);
  if (near !== undefined) {
    const full = above === "" ? near : `${above}.${near}`;
    return `${what}; did you mean ${table ? `[${full}]` : JSON.stringify(near)}?`;
  }
  const elsewhere = allNames(root).filter((each) => each.endsWith(`.${name}`));
  if (elsewhere.length === 1) return `${what}; did you mean ${table ? `[${elsewhere[0]}]` : elsewhere[0]}?`;
  return known.length > 12 ? what : `${what}; known here: ${known.join(", ")}`;
}
