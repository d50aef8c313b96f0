/** Reads a small image whole. @module */
import { fileError } from "./file_error.ts";
import { openRegular } from "./open_regular.ts";

/** Base64 makes a third more of it, and clients stop at 1 MB. */
const MAX_BYTES = 512 * 1024;

/**
 * The bytes in base64; null when there are too many.
 *
 * @param path Real path.
 * @param shown The path as the caller knows it.
 * @throws OpsError as `openRegular`.
 */
export async function readImage(path: string, shown: string): Promise<string | null> {
  using opened = await openRegular(path, shown);
  if (opened.sizeBytes > MAX_BYTES) return null;
  try {
    const bytes = new Uint8Array(opened.sizeBytes);
    let length = 0;
    for (let read = 1; length < bytes.length && read > 0; length += read) {
      read = await opened.file.read(bytes.subarray(length)) ?? 0;
    }
    return bytes.subarray(0, length).toBase64();
  } catch (error) {
    throw fileError(error, shown);
  }
}
