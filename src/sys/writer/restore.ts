/** Puts an entry back into the state of a snapshot. @module */
import { OpsError } from "../../core/error.ts";
import { claimName, hasOtherNames, putInPlace } from "./content.ts";
import { writeInPlace } from "./in_place.ts";
import { removeQuietly, writeAll } from "./ops.ts";
import { temporaryBeside } from "./paths.ts";
import type { EntrySnapshot, EntryState, SnapshotDeps } from "./snapshot.ts";

/**
 * Restores content, mode, owner and attributes of a file, a link, or a directory without what was in it.
 *
 * @param present What is there now. A directory in the way must be empty.
 * @throws the error of the system; the entry is then as it was, but for a directory or link that had to go first.
 */
export async function restoreEntry(
  deps: SnapshotDeps,
  path: string,
  present: EntryState,
  { state, data }: EntrySnapshot,
): Promise<void> {
  const { ops } = deps, isReplaced = present.kind !== state.kind && present.kind !== "absent";
  switch (state.kind) {
    case "absent":
      return await ops.remove(path);
    case "symlink":
      if (present.kind !== "absent") await ops.remove(path);
      return await ops.symlink(state.target ?? "", path);
    case "dir":
      if (isReplaced) await ops.remove(path);
      if (present.kind !== "dir") await ops.mkdir(path, 0o700);
      return await dress(deps, path, state, path);
    case "file":
      if (isReplaced && present.kind === "dir") await ops.remove(path);
      if (present.kind === "file" && present.sha256 === state.sha256) return await dress(deps, path, state, path);
      return await restoreFile(deps, path, present, state, requireData(data, path));
    default:
      throw new OpsError("INVALID_PATH", `'${path}' was a pipe, socket or device`, "It cannot be made again.");
  }
}

async function restoreFile(
  deps: SnapshotDeps,
  path: string,
  present: EntryState,
  state: EntryState,
  data: Uint8Array,
): Promise<void> {
  const { ops } = deps;
  // Its other names show the restored content too, as they did before.
  if (present.kind === "file" && present.inode === state.inode && hasOtherNames(await ops.lstat(path))) {
    await writeInPlace(ops, path, data);
    return await dress(deps, path, state, path);
  }
  const staged = temporaryBeside(path);
  try {
    using file = await ops.open(staged, { write: true, createNew: true, mode: 0o600 });
    await writeAll(file, data);
    await dress(deps, staged, state, path);
  } catch (error) {
    await removeQuietly(ops, staged);
    throw error;
  }
  if (present.kind === "absent") await claimName(ops, { path: staged }, path);
  else await putInPlace(ops, { path: staged }, path);
}

/** Owner first, because a change of it clears set-id bits; the mode last. */
async function dress(
  { ops, attributes }: SnapshotDeps,
  path: string,
  { mode = 0o644, uid = null, gid = null, attributes: named = {} }: EntryState,
  shown: string,
): Promise<void> {
  const now = await ops.lstat(path);
  if (uid !== null && uid !== now.uid || gid !== null && gid !== now.gid) await ops.chown(path, uid, gid);
  if (attributes !== undefined && !attributes.replace(path, named)) {
    throw new OpsError("WRITE_FAILED", `the extended attributes of '${shown}' cannot be restored`);
  }
  if (((now.mode ?? 0) & 0o7777) !== mode) await ops.chmod(path, mode);
}

function requireData(data: Uint8Array | null, path: string): Uint8Array {
  if (data !== null) return data;
  throw new OpsError("NOT_FOUND", `the earlier content of '${path}' was not kept`);
}
