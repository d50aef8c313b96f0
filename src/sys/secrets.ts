/** Comparing and naming secrets. @module */
import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are the same, in time that tells nothing about where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  // Hashed first, so that the length tells nothing either.
  return timingSafeEqual(digest(given), digest(expected));
}

/** A short name for a secret that does not reveal it: the same secret always has the same one. */
export function secretName(secret: string): string {
  return digest(`name of ${secret}`).toString("hex").slice(0, 16);
}

function digest(text: string): Uint8Array & { toString(encoding: "hex"): string } {
  return createHash("sha256").update(text).digest();
}
