/** Intersects a client's roots with the configured ones. @module */
import { isInside } from "../core/path.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { realPathOf } from "../sys/files/real_path.ts";
import type { PathGuard } from "./path_guard.ts";

/**
 * The folders that lie in both, as real paths in the order of the client's; none when they have nothing in common.
 *
 * @param given Absolute paths. What is no path of this machine, or is closed to tools, counts for nothing.
 * @param guard Of the configured roots.
 */
export async function commonRoots(
  given: readonly string[],
  { roots }: Pick<Config, "roots">,
  guard: PathGuard,
): Promise<readonly string[]> {
  const common: string[] = [];
  for (const path of given) {
    const inside = await targetOrNull(path, guard);
    if (inside !== null) common.push(inside);
    else common.push(...await rootsBelow(path, roots));
  }
  return [...new Set(common)].filter((path) => !common.some((other) => other !== path && isInside(path, other)));
}

/** The real path, which need not exist, when it lies in a configured root. */
async function targetOrNull(path: string, guard: PathGuard): Promise<string | null> {
  try {
    return await guard.target(path);
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}

/** Configured roots that a folder holds; of one that this process may not look at, only the name is known. */
async function rootsBelow(path: string, roots: readonly string[]): Promise<readonly string[]> {
  const found = await realPathOf(path), real = "path" in found ? found.path : path.replace(/(?<=.)\/+$/, "");
  return roots.filter((root) => isInside(root, real));
}
