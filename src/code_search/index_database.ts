/** Opens the index database of one folder, and distinguishes corruption from transient errors. @module */
import { sha256Hex } from "../core/bytes.ts";
import { parentOf } from "../core/path.ts";
import { type Database, openDatabase, UnusableError } from "../sys/database.ts";
import { removeDatabase, setAside } from "../sys/files/database_files.ts";
import { ensurePrivateDirectory, withFileLock } from "../sys/files/private_files.ts";
import { INDEX_FORMAT } from "./index_schema.ts";

/** Where the index of a folder lies. @param root Real path. */
export async function indexPath(dataDir: string, root: string): Promise<string> {
  return `${dataDir}/index/${(await sha256Hex(root)).slice(0, 20)}.db`;
}

/** What {@link openOrReplaceIndex} found. */
export interface OpenedIndex {
  readonly index: Database;
  /** Where a damaged index was put; undefined when there was none. */
  readonly setAside?: string;
}

/**
 * Opens an index, or sets a damaged one aside and begins a new one: under a lock, so that of two servers one does it.
 *
 * @param options damaged: a reader met damage that opening does not show; discard: starts over although nothing is wrong.
 */
export function openOrReplaceIndex(
  path: string,
  options: { damaged?: boolean; discard?: boolean; nowMs: number },
): OpenedIndex {
  ensurePrivateDirectory(parentOf(path));
  return withFileLock(`${path}.lock`, () => {
    let kept: string | undefined;
    try {
      if (options.damaged) throw new UnusableError("corrupt", "it was found to be corrupt while in use");
      if (options.discard) removeDatabase(path);
      return { index: openDatabase(path, INDEX_FORMAT) };
    } catch (error) {
      if (!(error instanceof UnusableError)) throw error;
      if (error.kind === "corrupt") kept = setAside(path, `corrupt-${options.nowMs}`);
      else removeDatabase(path);
    }
    const index = openDatabase(path, INDEX_FORMAT);
    return kept === undefined ? { index } : { index, setAside: kept };
  });
}
