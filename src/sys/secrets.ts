/** Compares secrets in constant time, and names them. @module */
import { createHash, timingSafeEqual } from "node:crypto";

/** Longest secret in bytes; a longer text is never the right one. */
const LONGEST = 1024;

const encoder = new TextEncoder();

/**
 * Makes a comparison with one secret, in time that tells nothing about where or whether the two differ.
 *
 * @throws RangeError when the secret is over 1,024 bytes.
 */
export function makeSecretCheck(expected: string): (given: string) => boolean {
  const right = padded(expected);
  if (!right.fits) throw new RangeError(`a secret of over ${LONGEST} bytes`);
  return (given) => {
    const { bytes, fits, length } = padded(given);
    // All of it is compared whatever the outcome, padding included, so that the length tells nothing either.
    const same = timingSafeEqual(bytes, right.bytes);
    return same && fits && length === right.length;
  };
}

function padded(text: string): { bytes: Uint8Array; fits: boolean; length: number } {
  const bytes = new Uint8Array(LONGEST);
  const { read, written } = encoder.encodeInto(text, bytes);
  return { bytes, fits: read === text.length, length: written };
}

/** A short name for a secret that does not reveal it: the same secret always has the same one. */
export function secretName(secret: string): string {
  return createHash("sha256").update(`name of ${secret}`).digest("hex").slice(0, 16);
}
