/** Assigns a stable placeholder to each secret, and maps placeholders back to secrets. @module */

/** What a model sees in place of a secret. */
export const PLACEHOLDER = /«secret:([\w.~-]{1,120})»/g;

/** Names that were given out, and the secret of each. */
export interface Placeholders {
  /** The placeholder of a value. @param isKnown Whether the name alone tells which one: then it has no number of its own. */
  of(name: string, value: string, isKnown: boolean): string;
  /** The value; undefined for a name that was never given out. */
  valueOf(name: string): string | undefined;
}

/** Names that are remembered; the oldest go first. */
const MOST_NAMES = 20_000;

/** Makes a table without names. */
export function makePlaceholders(): Placeholders {
  const byName = new Map<string, string>();
  return {
    of(name, value, isKnown) {
      const plain = name.replace(/[^\w.-]/g, "_").slice(0, 100);
      const owner = byName.get(plain);
      const given = isKnown && (owner === undefined || owner === value) ? plain : `${plain}~${shortHash(value)}`;
      if (!byName.has(given)) {
        byName.set(given, value);
        const [oldest] = byName.keys();
        if (byName.size > MOST_NAMES && oldest !== undefined) byName.delete(oldest);
      }
      return `«secret:${given}»`;
    },
    valueOf: (name) => byName.get(name),
  };
}

/** Tells values apart, and gives away next to nothing of a long random one (32 bits, FNV-1a). */
function shortHash(value: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < value.length; index++) hash = Math.imul(hash ^ value.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
