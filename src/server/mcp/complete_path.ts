/** Completes a partial path, inside the roots only. @module */
import { OpsError } from "../../core/error.ts";
import { readDirectory, walkRoot } from "../../sys/files/walk.ts";
import type { PathGuard } from "../../roots/path_guard.ts";

const MAX_COMPLETIONS = 100;

/** Paths that begin so, directories with a slash at their end. Nothing for what cannot be looked at. */
export async function completePath(
  prefix: string,
  paths: PathGuard,
  closed: readonly string[],
  only: "all" | "directories" = "all",
): Promise<string[]> {
  const slash = prefix.lastIndexOf("/") + 1, directory = prefix.slice(0, slash), name = prefix.slice(slash);
  const real = await realDirectory(directory === "" ? "." : directory, paths);
  if (real === null) return [];
  const options = { includeHidden: name.startsWith("."), respectIgnore: true, closed };
  const { entries } = await readDirectory(walkRoot(real, options), options);
  return entries
    .filter((entry) => entry.name.startsWith(name) && (only === "all" || entry.type === "dir"))
    .filter((entry) => !closed.includes(`${real}/${entry.name}`))
    .slice(0, MAX_COMPLETIONS)
    .map((entry) => `${directory}${entry.name}${entry.type === "dir" ? "/" : ""}`);
}

async function realDirectory(path: string, paths: PathGuard): Promise<string | null> {
  try {
    return await paths.existing(path);
  } catch (error) {
    if (error instanceof OpsError) return null;
    throw error;
  }
}
