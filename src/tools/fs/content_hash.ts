/**
 * Content hashes as tools exchange them: whole in structures, abbreviated in text, either form as a precondition.
 * @module
 */
import { OpsError } from "../../core/error.ts";

/** Characters of a hash that a model sees and sends back: 48 bits tell one state of a file from another. */
export const SHOWN_CHARS = 12;

/**
 * Checks a precondition.
 *
 * @param expected Hash or its start, as the caller got it.
 * @param actual Null when there is no file, which is no mismatch.
 * @throws OpsError SHA_MISMATCH, INVALID_ARGUMENT for what is no hash.
 */
export function requireHash(expected: string, actual: string | null, name: string): void {
  const wanted = expected.trim().toLowerCase().replace(/^sha256:/, "").replace(/…$/, "");
  if (!/^[0-9a-f]{12,64}$/.test(wanted)) {
    const hint = "Give the SHA-256 in hex, or at least its first 12 characters.";
    throw new OpsError("INVALID_ARGUMENT", "'expected_sha256' is not a SHA-256 hash", hint);
  }
  if (actual === null || actual.startsWith(wanted)) return;
  throw new OpsError(
    "SHA_MISMATCH",
    `'${name}' has the hash ${actual.slice(0, SHOWN_CHARS)}, not ${wanted.slice(0, SHOWN_CHARS)}`,
  );
}
