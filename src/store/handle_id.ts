/** Generates handle identifiers: descriptive, dated and unguessable. @module */
import { compactTime } from "../core/time.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 20 characters of 5 bits: 100 random bits. */
const RANDOM_CHARACTERS = 20;

/** `H_<kind>_<time>_<random>`. */
export function makeHandleId(kind: string, timeMs: number): string {
  const word = kind.toLowerCase().replace(/[^a-z0-9]/g, "").slice(0, 16) || "data";
  const random = Array.from(crypto.getRandomValues(new Uint8Array(RANDOM_CHARACTERS)), (byte) => ALPHABET[byte & 31]);
  return `H_${word}_${compactTime(timeMs)}_${random.join("")}`;
}

/** Whether a text can be an identifier at all. */
export function isHandleId(text: string): boolean {
  return /^H_[a-z0-9]{1,16}_\d{8}T\d{6}Z_[a-z2-7]{20}$/.test(text);
}
