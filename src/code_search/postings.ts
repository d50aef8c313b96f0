/** Reads which chunks hold a word. @module */
import type { Database } from "../sys/database.ts";
import type { Catalogue } from "./catalogue.ts";

/** Lists of chunks by word, for one question; chunks are given by their places in the catalogue. */
export interface Postings {
  /** Chunks that hold a word in any field. */
  of(word: string): Int32Array;
  /** Chunks whose name, file or signature holds it. */
  ofHeads(word: string): Int32Array;
}

const HEADS = "{name stem signature} : ";
const COMMA = 44, ZERO = 48;

/** The numbers of a list like `3,17,20`, as places. */
function parsePlaces(list: string, placeOf: (chunk: number) => number): Int32Array {
  const places = new Int32Array((list.length >> 1) + 1);
  let count = 0, value = 0;
  for (let at = 0; at <= list.length; at++) {
    const code = at < list.length ? list.charCodeAt(at) : COMMA;
    if (code !== COMMA) {
      value = value * 10 + code - ZERO;
      continue;
    }
    const place = placeOf(value);
    if (place >= 0) places[count++] = place;
    value = 0;
  }
  return places.subarray(0, count);
}

/** Makes the lists. @param range Least and greatest number of the chunks that may answer. */
export function makePostings(
  { prepare }: Database,
  catalogue: Catalogue,
  [from, to]: readonly [number, number],
): Postings {
  // One text for all numbers: a row for each of them takes ten times as long.
  const read = prepare(
    "select group_concat(rowid) as list from chunk_words where chunk_words match ? and rowid between ? and ?",
  );
  const known = new Map<string, Int32Array>();
  const find = (expression: string): Int32Array => {
    let places = known.get(expression);
    if (places === undefined) {
      const list = read.get(expression, from, to)?.list;
      known.set(
        expression,
        places = typeof list === "string" ? parsePlaces(list, catalogue.placer()) : new Int32Array(),
      );
    }
    return places;
  };
  const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;
  return {
    of: (word) => find(quoted(word)),
    ofHeads: (word) => find(HEADS + quoted(word)),
  };
}
