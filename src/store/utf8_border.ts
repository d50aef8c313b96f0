/** Finds where UTF-8 can be cut without splitting a character. @module */

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Bytes of the character that a lead byte announces; 1 for everything else. */
function announcedLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/**
 * The whole character that a cut at `at` would split.
 *
 * @returns Its start and end; both `at` when a cut there splits nothing, bytes that are not UTF-8 included.
 */
export function splitCharacter(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  for (let start = at - 1; start >= Math.max(0, at - 3) && isContinuation(bytes[at]); start--) {
    const lead = bytes[start] ?? 0;
    if (isContinuation(lead)) continue;
    const end = start + announcedLength(lead);
    if (end <= at || end > bytes.length) break;
    const whole = bytes.subarray(start + 1, end).every(isContinuation);
    return whole ? { start, end } : { start: at, end: at };
  }
  return { start: at, end: at };
}
