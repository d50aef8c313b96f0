/** Loads the generated JSON Schema of llmc.toml. @module */
import schema from "../../schemas/llmc.schema.json" with { type: "json" };
import { checkValue, isTable } from "./check_value.ts";
import { childOf, type SchemaNode } from "./keys.ts";
import type { Settings } from "./schema.ts";

/** The whole file: one table, `mcp`. */
export const fileSchema: SchemaNode = schema;

/** Whether a value is a complete `[mcp]` table. */
export function isSettings(value: unknown): value is Settings {
  const node = childOf(fileSchema, "mcp");
  return node !== undefined && isTable(value) && checkValue(node, value).length === 0;
}
