/** Reads an in-memory payload through the file interface. @module */
import type { RandomAccess } from "../sys/files/blob_files.ts";

/** Random access to bytes. */
export function makeMemoryAccess(bytes: Uint8Array): RandomAccess {
  return {
    sizeBytes: bytes.length,
    mtimeMs: 0,
    read(offset, into) {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return Promise.resolve(part.length);
    },
    close() {},
  };
}
