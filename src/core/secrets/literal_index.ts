/** Finds any of many literal texts in one pass over a text, in time that does not depend on how many there are. @module */

/** Literals with what each means. */
export interface LiteralIndex<T> {
  /** @param literal At least three characters. */
  add(literal: string, meaning: T): void;
  /**
   * Calls back for each literal in the text, from left to right, longest first at one place. The callback returns where to
   * go on: a place behind the present one, or null to look at the next literal.
   */
  scan(text: string, onHit: (at: number, literal: string, meaning: T) => number | null): void;
}

/** Shortest literal: the filter looks at three characters at a time. */
const SHORTEST_LITERAL = 3;
/** Five bits of each of three characters. */
const FILTER_BITS = 0x7fff, SHIFT = 5;

/** Makes an empty index. */
export function makeLiteralIndex<T>(): LiteralIndex<T> {
  const filter = new Uint8Array(FILTER_BITS + 1);
  const byStart = new Map<string, { readonly literal: string; readonly meaning: T }[]>();
  return {
    add(literal, meaning) {
      if (literal.length < SHORTEST_LITERAL) throw new RangeError("the literal is too short");
      const start = literal.slice(0, SHORTEST_LITERAL), known = byStart.get(start);
      let code = 0;
      for (let index = 0; index < SHORTEST_LITERAL; index++) code = next(code, start.charCodeAt(index));
      filter[code] = 1;
      if (!known) byStart.set(start, [{ literal, meaning }]);
      else {
        known.push({ literal, meaning });
        known.sort((one, other) => other.literal.length - one.literal.length);
      }
    },
    scan(text, onHit) {
      let code = 0, from = SHORTEST_LITERAL - 1;
      for (let end = 0; end < text.length; end++) {
        code = next(code, text.charCodeAt(end));
        if (filter[code] === 0 || end < from) continue;
        const at = end - SHORTEST_LITERAL + 1;
        for (const { literal, meaning } of byStart.get(text.slice(at, end + 1)) ?? []) {
          if (!text.startsWith(literal, at)) continue;
          const behind = onHit(at, literal, meaning);
          if (behind === null) continue;
          from = behind + SHORTEST_LITERAL - 1;
          break;
        }
      }
    },
  };
}

/** The last three characters, each with its lowest bits. */
function next(code: number, character: number): number {
  return ((code << SHIFT) ^ character) & FILTER_BITS;
}
