/** Reads a file of bounded size whole, as bytes. @module */
import { fileError } from "./file_error.ts";
import { openRegular } from "./open_regular.ts";

/**
 * The bytes; null when there are more than `maxBytes`.
 *
 * @param path Real path.
 * @param shown The path as the caller knows it.
 * @throws OpsError as `openRegular`.
 */
export async function readWhole(
  path: string,
  shown: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  using opened = await openRegular(path, shown);
  if (opened.sizeBytes > maxBytes) return null;
  try {
    const bytes = new Uint8Array(opened.sizeBytes);
    let length = 0;
    for (let read = 1; length < bytes.length && read > 0; length += read) {
      read = await opened.file.read(bytes.subarray(length)) ?? 0;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    throw fileError(error, shown);
  }
}
