/** Computes a digest of a call that does not depend on the order of its arguments. @module */
import { sha256Hex } from "../core/bytes.ts";

/** SHA-256 in hexadecimal. */
export async function digestOf(tool: string, args: object): Promise<string> {
  return await sha256Hex(JSON.stringify([tool, sorted(args)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, sorted(inner)]));
}
