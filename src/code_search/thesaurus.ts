/** Maps words of a question to words used in names, by their stems. @module */
import { SYNONYMS } from "./synonyms.ts";

/** Words that names have for a word, by its stem; in stems. */
export type Thesaurus = ReadonlyMap<string, ReadonlySet<string>>;

/** Makes the table for a way of stemming. */
export function makeThesaurus(stem: (word: string) => string): Thesaurus {
  const table = new Map<string, Set<string>>();
  for (const line of SYNONYMS.trim().split("\n")) {
    const [said = "", called = ""] = line.split(": ");
    const key = stem(said);
    const related = table.get(key) ?? new Set<string>();
    for (const word of called.split(" ")) if (stem(word) !== key) related.add(stem(word));
    table.set(key, related);
  }
  return table;
}
