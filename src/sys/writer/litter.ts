/** Removes temporary files that a killed server left behind, recognised by name and age. @module */
import { type FileOps, removeQuietly } from "./ops.ts";
import { isTemporary } from "./paths.ts";

const MAX_AGE_MS = 60 * 60 * 1000;
/** A directory is looked through once an hour, and not to the end when it is huge. */
const AGAIN_AFTER_MS = 60 * 60 * 1000;
const MAX_ENTRIES = 5_000;
const MAX_REMEMBERED = 1_000;

/** Sweeps directories that are about to be written in. */
export interface LitterSweeper {
  /** Never throws: litter is no reason for a change to fail. */
  sweep(directory: string): Promise<void>;
}

/** Makes a sweeper. @param now Milliseconds since 1970. */
export function makeLitterSweeper(ops: FileOps, now: () => number): LitterSweeper {
  const sweptMs = new Map<string, number>();
  return {
    async sweep(directory) {
      const nowMs = now();
      if (nowMs - (sweptMs.get(directory) ?? -Infinity) < AGAIN_AFTER_MS) return;
      if (sweptMs.size >= MAX_REMEMBERED) sweptMs.clear();
      sweptMs.set(directory, nowMs);
      try {
        await removeOld(ops, directory, nowMs);
      } catch {
        // An unreadable directory may still be writable.
      }
    },
  };
}

async function removeOld(ops: FileOps, directory: string, nowMs: number): Promise<void> {
  let seen = 0;
  for await (const entry of ops.readDir(directory)) {
    if (++seen > MAX_ENTRIES) return;
    if (!isTemporary(entry.name)) continue;
    const path = `${directory}/${entry.name}`;
    const info = await ops.lstat(path);
    // A second name that keeps an old file for the length of a commit has that file's old mtime, but a new ctime.
    const youngestMs = Math.max(info.mtime?.getTime() ?? 0, info.ctime?.getTime() ?? 0);
    if (nowMs - youngestMs < MAX_AGE_MS) continue;
    if (info.isDirectory) await ops.removeTree(path);
    else await removeQuietly(ops, path);
  }
}
