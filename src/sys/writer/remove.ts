/** Removes entries: links as links, trees without following links, as much as can be removed. @module */
import { OpsError } from "../../core/error.ts";
import { errnoOf, type FileOps, lstatOrNull } from "./ops.ts";

/** What a removal left behind. */
export interface Removal {
  /** Entries that could not be removed (the directories above them stay with them), at most twenty. */
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
  /** How many there are in all; 0 when everything is gone. */
  readonly keptCount: number;
}

const MAX_NAMED = 20;

/** How to remove. */
export interface RemoveOptions {
  readonly recursive: boolean;
  /** How messages name a path. */
  readonly show?: (path: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes an entry.
 *
 * @throws OpsError IS_DIRECTORY for a directory unless `recursive`; the system's error when an entry cannot be removed.
 */
export async function removeEntry(
  ops: FileOps,
  path: string,
  { recursive, show = (path) => path, signal }: RemoveOptions,
): Promise<Removal> {
  const info = await lstatOrNull(ops, path);
  if (info === null) throw new OpsError("NOT_FOUND", `'${show(path)}' does not exist`);
  const tally = new Tally();
  if (!info.isDirectory) {
    await ops.remove(path);
    return tally;
  }
  if (!recursive) {
    throw new OpsError(
      "IS_DIRECTORY",
      `'${show(path)}' is a directory`,
      "Set 'recursive' to remove it with everything in it.",
    );
  }
  try {
    await ops.removeTree(path);
  } catch {
    // It stops at the first entry that resists; the walk takes what else there is, and can say what stays.
    await removeTree(ops, path, tally, signal);
  }
  return tally;
}

/** Names what stays. */
class Tally implements Removal {
  keptCount = 0;
  readonly kept: { path: string; reason: string }[] = [];

  keep(path: string, error: unknown): void {
    this.keptCount++;
    const reason = errnoOf(error) || (error instanceof Error ? error.name : "unknown");
    if (this.kept.length < MAX_NAMED) this.kept.push({ path, reason });
  }
}

/** Answers whether the directory itself is gone. Depth first, so that a failure leaves whole branches. */
async function removeTree(
  ops: FileOps,
  directory: string,
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  signal?.throwIfAborted();
  let empty = true;
  try {
    for await (const entry of ops.readDir(directory)) {
      const path = `${directory}/${entry.name}`;
      // A link to a directory is no directory here: it is removed, what it names stays.
      const gone = entry.isDirectory ? await removeTree(ops, path, tally, signal) : await removeOne(ops, path, tally);
      empty &&= gone;
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    if (errnoOf(error) === "ENOENT") return true;
    tally.keep(directory, error);
    return false;
  }
  return empty && await removeOne(ops, directory, tally);
}

async function removeOne(ops: FileOps, path: string, tally: Tally): Promise<boolean> {
  try {
    await ops.remove(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return true; // another program was faster
    tally.keep(path, error);
    return false;
  }
}
