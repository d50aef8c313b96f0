/** Computes the SHA-256 of a file as a stream. @module */
import { createHash } from "node:crypto";
import type { OpenFile } from "./open_file.ts";

const CHUNK_BYTES = 256 * 1024;

/** Hash of an open file's whole content, in hex. @throws the reason of `signal` when that aborts. */
export async function hashOf(file: OpenFile, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await file.seek(0);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const count = await file.read(chunk);
    if (count === null) return hash.digest("hex");
    hash.update(chunk.subarray(0, count));
  }
}
