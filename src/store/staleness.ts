/** Checks whether a file has changed since a handle was made from it. @module */
import { sha256Hex } from "../core/bytes.ts";
import { openRandomAccess, type RandomAccess } from "../sys/files/blob_files.ts";
import type { SourceStamp } from "./handles.ts";

/** Up to this size a touched file is compared by content: hashing it takes a few milliseconds. */
const HASH_BYTES = 4 * 1024 * 1024;

/** Looks again at a path: the guard's answer, or its refusal when the file is gone or has left the roots. */
export type CheckSource = (path: string) => Promise<string>;

async function sha256(access: RandomAccess): Promise<string> {
  const bytes = new Uint8Array(access.sizeBytes);
  await access.read(0, bytes);
  return await sha256Hex(bytes);
}

/** Whether an open file differs from its stamp: by size, then by time, where a hash can still clear it. */
export async function differs(access: RandomAccess, stamp: SourceStamp): Promise<boolean> {
  if (access.sizeBytes !== stamp.sizeBytes) return true;
  if (access.mtimeMs === Math.trunc(stamp.mtimeMs)) return false;
  if (stamp.sha256 === undefined || access.sizeBytes > HASH_BYTES) return true;
  return await sha256(access) !== stamp.sha256.toLowerCase();
}

/** Whether the file of a copy changed or is gone: what the guard now refuses is gone for its reader. */
export async function isStale(stamp: SourceStamp, checkSource: CheckSource): Promise<boolean> {
  let access: RandomAccess | undefined;
  try {
    const path = await checkSource(stamp.path);
    access = await openRandomAccess(path);
    return path !== stamp.path || await differs(access, stamp);
  } catch {
    return true;
  } finally {
    access?.close();
  }
}
