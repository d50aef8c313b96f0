/** Converts paths to and from `file:` URLs. @module */
import { fileURLToPath } from "node:url";

/** The path that an address names on this machine; null for another scheme, another host, or no address. */
export function filePathOf(uri: string): string | null {
  try {
    const path = fileURLToPath(uri);
    return path.includes("\0") ? null : path;
  } catch {
    return null;
  }
}
