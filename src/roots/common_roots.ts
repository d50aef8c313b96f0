/** Intersects a client's roots with the configured ones. @module */
import { isInside } from "../core/path.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { realPathOf } from "../sys/files/real_path.ts";
import type { PathGuard } from "./path_guard.ts";

/** What of a client's roots counts. */
export interface CommonRoots {
  /** The folders that lie in both, as real paths in the order of the client's. */
  readonly common: readonly string[];
  /** Paths inside a configured root at which there is nothing. */
  readonly missing: readonly string[];
}

/**
 * Intersects a client's roots with the configured ones.
 *
 * @param given Absolute paths. What does not exist on this machine, or is closed to tools, counts for nothing.
 * @param guard Of the configured roots.
 */
export async function commonRoots(
  given: readonly string[],
  { roots }: Pick<Config, "roots">,
  guard: PathGuard,
): Promise<CommonRoots> {
  const common: string[] = [], missing: string[] = [];
  for (const path of given) {
    const inside = await locate(path, guard);
    if (inside === "missing") missing.push(path);
    else if (inside === "outside") common.push(...await rootsBelow(path, roots));
    else common.push(inside.path);
  }
  const outermost = new Set(common.filter((path) => !common.some((other) => other !== path && isInside(path, other))));
  return { common: [...outermost], missing };
}

/** The real path where it exists in a configured root. */
async function locate(path: string, guard: PathGuard): Promise<{ path: string } | "missing" | "outside"> {
  try {
    return { path: await guard.existing(path) };
  } catch (error) {
    if (error instanceof OpsError) return error.code === "NOT_FOUND" ? "missing" : "outside";
    throw error;
  }
}

/** Configured roots that a folder holds; of one that this process may not look at, only the name is known. */
async function rootsBelow(path: string, roots: readonly string[]): Promise<readonly string[]> {
  const found = await realPathOf(path), real = "path" in found ? found.path : path.replace(/(?<=.)\/+$/, "");
  return roots.filter((root) => isInside(root, real));
}
