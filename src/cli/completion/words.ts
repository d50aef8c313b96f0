/** Lists completion words besides commands and options: settings, tools, and tool arguments. @module */
import { fileSchema } from "../../config/file_schema.ts";
import { listKeys } from "../../config/keys.ts";
import type { Tool } from "../../call/tool.ts";

/** All of them. */
export interface Words {
  /** Dotted keys. */
  readonly settings: readonly string[];
  /** Name of each tool, and of its arguments. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

/** Reads them from the schema and from the tools. */
export function readWords(tools: readonly Tool[]): Words {
  return {
    settings: listKeys(fileSchema).map(({ name }) => name),
    tools: Object.fromEntries(tools.map(({ name, input }) => [name, Object.keys(input.shape)])),
  };
}
