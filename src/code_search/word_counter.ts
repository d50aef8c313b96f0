/** Counts given words in texts without splitting the texts. @module */

/** Counts the words that it was made for. */
export interface WordCounter {
  /** Place of each word in the counts. */
  readonly places: ReadonlyMap<string, number>;
  /** Adds the occurrences of each word to `counts`, at its place times `step` plus `offset`. @returns Words of the text. */
  count(text: string, counts: Uint16Array, step: number, offset: number): number;
}

const BLANK = 32, LENGTHS = 64;

/** Makes the counter. Words are parted by single blanks in the texts. */
export function makeWordCounter(words: Iterable<string>): WordCounter {
  const places = new Map<string, number>();
  for (const word of words) if (!places.has(word)) places.set(word, places.size);
  // most words of a text are ruled out by their first letter and length alone
  const shapes = new Uint8Array(128 * LENGTHS);
  const shapeOf = (first: number, length: number) => (first & 127) * LENGTHS + Math.min(length, LENGTHS - 1);
  for (const word of places.keys()) shapes[shapeOf(word.charCodeAt(0), word.length)] = 1;
  return {
    places,
    count(text, counts, step, offset) {
      const end = text.length;
      if (end === 0) return 0;
      let total = 0;
      for (let from = 0, at = 0; at <= end; at++) {
        if (at < end && text.charCodeAt(at) !== BLANK) continue;
        total++;
        if (shapes[shapeOf(text.charCodeAt(from), at - from)] === 1) {
          const place = places.get(text.slice(from, at));
          if (place !== undefined) {
            const slot = place * step + offset;
            counts[slot] = (counts[slot] ?? 0) + 1;
          }
        }
        from = at + 1;
      }
      return total;
    },
  };
}
