/** Creates directories with their parents. @module */
import { parentOf } from "../../core/path.ts";
import { OpsError } from "../../core/error.ts";
import { errnoOf, type FileOps, lstatOrNull, removeQuietly } from "./ops.ts";

/**
 * Makes a directory and the parents that it lacks; on failure those that were made are removed again.
 *
 * @returns Those that were made, outermost first; empty when it was there.
 * @throws OpsError NOT_A_DIRECTORY when a part of the path is something else.
 */
export async function makeDirectories(ops: FileOps, path: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    await makeMissing(ops, path, made);
    return made;
  } catch (error) {
    for (const directory of made.reverse()) await removeQuietly(ops, directory);
    throw error;
  }
}

async function makeMissing(ops: FileOps, path: string, made: string[]): Promise<void> {
  try {
    await ops.mkdir(path);
    made.push(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" && path !== "/") {
      await makeMissing(ops, parentOf(path), made);
      return await makeMissing(ops, path, made);
    }
    if (errnoOf(error) !== "EEXIST") throw error;
    const info = await lstatOrNull(ops, path);
    if (info?.isDirectory === true) return;
    throw new OpsError(
      "NOT_A_DIRECTORY",
      `'${path}' exists and is not a directory`,
      "Choose another name, or move it away.",
    );
  }
}
