/** Finds any of many literal texts in one pass over a text, in time that does not depend on how many there are. @module */

/** Literals with what each means. */
export interface LiteralIndex<T> {
  /** @param literal At least three characters. */
  add(literal: string, meaning: T): void;
  /**
   * Calls back for each literal in the text, from left to right, longest first at one place. The callback returns where to
   * go on: a place behind the present one, or null to look at the next literal. In a text made to cost much, such as one that
   * begins a thousand literals at each place, what is not compared any more counts as found.
   */
  scan(text: string, onHit: (at: number, literal: string, meaning: T) => number | null): void;
}

/** Shortest literal: the filter looks at three characters at a time. */
const SHORTEST_LITERAL = 3;
/** Five bits of each of three characters. */
const FILTER_BITS = 0x7fff, SHIFT = 5;

/** One literal. Its middle character is compared first: a text that repeats its start does not cost a comparison of all. */
interface Entry<T> {
  readonly literal: string;
  readonly middle: number;
  readonly meaning: T;
}

/** Steps for each character of a text, and for a short one; characters that are compared in one step. */
const STEPS_PER_CHARACTER = 8, LEAST_STEPS = 4_000, STEP_CHARACTERS = 4;

/** Makes an empty index. */
export function makeLiteralIndex<T>(): LiteralIndex<T> {
  const byCode: (Entry<T>[] | undefined)[] = Array.from({ length: FILTER_BITS + 1 });
  const unsorted = new Set<Entry<T>[]>();
  return {
    add(literal, meaning) {
      if (literal.length < SHORTEST_LITERAL) throw new RangeError("the literal is too short");
      let code = 0;
      for (let index = 0; index < SHORTEST_LITERAL; index++) code = next(code, literal.charCodeAt(index));
      const known = byCode[code] ??= [];
      known.push({ literal, middle: literal.charCodeAt(literal.length >> 1), meaning });
      unsorted.add(known);
    },
    scan(text, onHit) {
      for (const entries of unsorted) entries.sort((one, other) => other.literal.length - one.literal.length);
      unsorted.clear();
      let code = 0, from = SHORTEST_LITERAL - 1, steps = LEAST_STEPS + STEPS_PER_CHARACTER * text.length;
      for (let end = 0; end < text.length; end++) {
        code = next(code, text.charCodeAt(end));
        const entries = byCode[code];
        if (entries === undefined || end < from) continue;
        const at = end - SHORTEST_LITERAL + 1;
        for (const { literal, middle, meaning } of entries) {
          if (--steps > 0) {
            if (text.charCodeAt(at + (literal.length >> 1)) !== middle) continue;
            steps -= literal.length / STEP_CHARACTERS;
            if (!text.startsWith(literal, at)) continue;
          }
          const behind = onHit(at, literal, meaning);
          if (behind === null && steps > 0) continue;
          if (behind !== null) from = behind + SHORTEST_LITERAL - 1;
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
