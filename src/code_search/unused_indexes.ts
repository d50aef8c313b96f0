/** Deletes the indexes of folders that have not been queried for a long time. @module */
import { newestChangeMs, removeDatabase } from "../sys/files/database_files.ts";
import { parentOf } from "../core/path.ts";
import { siblings, touch } from "../sys/files/index_files.ts";
import { withFileLock } from "../sys/files/private_files.ts";

/** A user who comes back to a folder after so long waits for a first index again. */
const UNUSED_MS = 60 * 86_400_000;
/** An index, or a damaged one that was set aside. */
const INDEX_NAME = /^[0-9a-f]{20}\.db(?:\.corrupt-\d+)?$/;

/**
 * Notes that an index is used, and removes what lies beside it unused. Another server that still has such an index open
 * finds it gone and makes it again.
 *
 * @param path Of the index that is used.
 */
export function tidyIndexes(path: string, nowMs: number): void {
  touch(path, nowMs);
  const folder = parentOf(path);
  for (const name of siblings(path)) {
    const other = `${folder}/${name}`;
    if (!INDEX_NAME.test(name) || other === path || !isUnused(other, nowMs)) continue;
    withFileLock(`${other.replace(/\.corrupt-\d+$/, "")}.lock`, () => {
      if (isUnused(other, nowMs)) removeDatabase(other);
    });
  }
}

function isUnused(path: string, nowMs: number): boolean {
  return newestChangeMs(path) < nowMs - UNUSED_MS;
}
