/** Lists the configuration keys from their JSON Schema. @module */

/** The part of JSON Schema that the generated file uses. */
export interface SchemaNode {
  readonly type: string;
  readonly description?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  /** False for a section, the type of the values for a table with free names. */
  readonly additionalProperties?: boolean | SchemaNode;
}

/** One key. */
export interface Key {
  /** Dotted, as in messages and on the command line: `mcp.server.port`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly node: SchemaNode;
}

/** Keys that mean the same as another one. */
export const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  "mcp.linux_ops.roots.allowed_roots": "mcp.tools.allowed_roots",
  "mcp.linux_ops.roots.enforce_roots": "mcp.tools.enforce_roots",
};

/** Whether a node is a table whose keys are fixed. */
export function isSection(node: SchemaNode): boolean {
  return node.properties !== undefined && node.additionalProperties === false;
}

/** What a table holds under a name; undefined when the name is not one of its own. */
export function childOf(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
}

/** Every key in the order of the schema. */
export function listKeys(node: SchemaNode, path: readonly string[] = []): Key[] {
  if (!isSection(node)) return [{ name: path.join("."), path, node }];
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => listKeys(child, [...path, name]));
}

/** Name of the environment variable of a key: `LLMC_MCP__SERVER__PORT`. */
export function environmentName(path: readonly string[]): string {
  return `LLMC_${path.join("__").toUpperCase()}`;
}
