/** Computes a digest of a call that does not depend on the order of its arguments. @module */

/** SHA-256 in hexadecimal. */
export async function digestOf(tool: string, args: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([tool, sorted(args)]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, sorted(inner)]));
}
