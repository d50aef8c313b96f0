/**
 * Overwrites a file that must keep its inode, in an order that is safe on a full disk: growth is allocated first,
 * shrinking happens last, and nothing in between needs space.
 * @module
 */
import { OpsError } from "../../core/error.ts";
import { type FileOps, readAt, writeAll } from "./ops.ts";

/** Above this, the end of a file that is shortened is not kept in memory for the case of a failure. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** A file as it was. */
export interface OldContent {
  readonly sizeBytes: number;
  /** The whole content; of a very large file only what is overwritten. */
  readonly data: Uint8Array;
}

/** Overwrites a file; whatever fails puts the old content back. */
export async function writeInPlace(ops: FileOps, path: string, data: Uint8Array): Promise<void> {
  const old = await readOld(ops, path, data.length);
  try {
    await extend(ops, path, data, old);
    await overwrite(ops, path, data, old);
    await cutToLength(ops, path, data, old);
  } catch (error) {
    await putBack(ops, path, old);
    throw error;
  }
}

/** What {@link putBack} needs. */
export async function readOld(ops: FileOps, path: string, newBytes: number): Promise<OldContent> {
  using file = await ops.open(path, { read: true });
  const sizeBytes = (await file.stat()).size;
  const keptBytes = sizeBytes <= MAX_KEPT_BYTES ? sizeBytes : Math.min(sizeBytes, newBytes);
  return { sizeBytes, data: await readAt(file, 0, keptBytes) };
}

/** First: what goes beyond the old end. */
export async function extend(ops: FileOps, path: string, data: Uint8Array, old: OldContent): Promise<void> {
  if (data.length <= old.sizeBytes) return;
  using file = await ops.open(path, { write: true });
  await file.seek(old.sizeBytes);
  await writeAll(file, data.subarray(old.sizeBytes));
  await file.sync(); // file systems that allocate late report a full disk only here
}

/** Second: what lies within the old file. */
export async function overwrite(ops: FileOps, path: string, data: Uint8Array, old: OldContent): Promise<void> {
  using file = await ops.open(path, { write: true });
  await writeAll(file, data.subarray(0, old.sizeBytes));
  await file.sync();
}

/** Last: the cut to the new length. */
export async function cutToLength(ops: FileOps, path: string, data: Uint8Array, old: OldContent): Promise<void> {
  if (data.length >= old.sizeBytes) return;
  using file = await ops.open(path, { write: true });
  await file.truncate(data.length);
  await file.sync();
}

/** The way back from anywhere. @throws OpsError WRITE_FAILED when the file is now neither old nor new. */
export async function putBack(ops: FileOps, path: string, old: OldContent): Promise<void> {
  try {
    using file = await ops.open(path, { write: true });
    await file.truncate(old.sizeBytes); // first: it frees what was added
    await writeAll(file, old.data);
    await file.sync();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = "Restore it from version control or a backup.";
    throw new OpsError("WRITE_FAILED", `'${path}' was being changed in place and could not be put back: ${why}`, hint);
  }
}
