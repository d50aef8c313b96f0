/** Replay guard for one-time nonces. @module */

/** No caller has more open questions than this; what is forgotten has expired long before. */
const MAX_REMEMBERED = 4_096;

/** True for each text the first time. */
export function makeUsedOnce(): (text: string) => boolean {
  const used = new Set<string>();
  return (text) => {
    if (used.has(text)) return false;
    for (const oldest of used) {
      if (used.size < MAX_REMEMBERED) break;
      used.delete(oldest);
    }
    used.add(text);
    return true;
  };
}
