/** Joins, encodes and hashes byte arrays, and formats their sizes. @module */

/** All parts, one behind the other; not a copy when only one of them has bytes. */
export function joinBytes<B extends ArrayBufferLike>(parts: readonly Uint8Array<B>[]): Uint8Array<B | ArrayBuffer> {
  const [only, another] = parts.filter(({ length }) => length > 0);
  if (only !== undefined && another === undefined) return only;
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** UTF-8 of a text. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Length of a text in UTF-8. */
export function byteLength(text: string): number {
  return encodeText(text).length;
}

/** SHA-256 in hex. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === "string" ? encodeText(data) : new Uint8Array(data); // a copy, never of shared memory
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex();
}

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"];

/** A size in powers of 1024 with the digits that matter: `512MB`, `8.2GB`, `16GB`. */
export function humanSize(bytes: number): string {
  let value = Math.max(0, bytes), unit = 0;
  // 1023.5 would be shown as 1024 of the smaller unit.
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const shown = value >= 99.95 || unit === 0 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown}${UNITS[unit]}`;
}

/** Bytes in the shortest readable form: `512`, `14K`, `2.1M`. */
export function shortSize(bytes: number): string {
  const units = ["", "K", "M", "G", "T"];
  let value = bytes, unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return (unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value).toString()) + (units[unit] ?? "");
}

/** The text that is exactly these bytes; null when there is none. */
export function decodeExactly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
