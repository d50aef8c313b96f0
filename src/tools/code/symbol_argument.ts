/** Reads the argument that names a symbol: by name, by place, or both. @module */
import type { ToolContext } from "../../call/tool.ts";

/** A symbol as it was named. */
export interface NamedSymbol {
  readonly name?: string;
  /** Real path. */
  readonly path?: string;
  readonly line?: number;
}

/** `path:line`, as answers show places, and perhaps the name on that line. */
const PLACE = /^(.+?):(\d+)(?:[-:]\d+)*(?:\s+(\S+))?$/;

/** Reads `name`, `Type.member`, `path:line` or `path:line name`. @throws OpsError for a path that cannot be used. */
export async function readSymbol(symbol: string, { paths }: Pick<ToolContext, "paths">): Promise<NamedSymbol> {
  const [, path, line, name] = PLACE.exec(symbol.trim()) ?? [];
  if (path === undefined || path.endsWith(":")) return { name: symbol.trim() };
  return { path: await paths.existing(path), line: Number(line), ...name === undefined ? {} : { name } };
}
