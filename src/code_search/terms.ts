/** Looks up the words of a question in an index: their rarity, their other forms, and what names say instead. @module */
import type { Database } from "../sys/database.ts";
import type { Postings } from "./postings.ts";
import type { Question } from "./question.ts";

/** A word as it is matched: its own stem, the forms it may take, and what names say instead. */
export interface WeightedTerm {
  readonly stem: string;
  /** Words of the index that are taken for it, with how near they are. */
  readonly forms: ReadonlyMap<string, number>;
  /** Words that names have for it, with their rarity. */
  readonly related: ReadonlyMap<string, number>;
  /** How much its presence tells: the logarithm of how rare it is. */
  readonly rarity: number;
}

const MOST_FORMS = 8;

/** How much the presence of a word tells that is in some of all documents. */
export function rarityOf(documents: number, all: number): number {
  return Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/** Words of the index that begin like a word that is not in it: a cut-off one, or another form of it. */
function formsOf({ prepare }: Database, stem: string): Map<string, number> {
  const forms = new Map<string, number>();
  if (stem.length < 3) return forms;
  const rows = prepare("select term, doc from vocabulary where term >= ? and term < ? order by doc desc limit ?")
    .all(stem, `${stem}\u{ffff}`, MOST_FORMS);
  for (const { term } of rows) forms.set(String(term), stem.length / String(term).length);
  if (forms.size > 0 || stem.length < 6) return forms;
  const start = stem.slice(0, Math.ceil(stem.length * 0.7));
  const near = prepare("select term from vocabulary where term >= ? and term < ? limit ?")
    .all(start, `${start}\u{ffff}`, MOST_FORMS);
  for (const { term } of near) {
    forms.set(String(term), 0.6 * start.length / Math.max(stem.length, String(term).length));
  }
  return forms;
}

/** Looks up how rare the words of a question are. @param chunks How many there are. */
export function weighTerms(
  index: Database,
  postings: Postings,
  question: Question,
  chunks: number,
): WeightedTerm[] {
  const count = index.prepare("select doc from vocabulary where term = ?");
  const documents = (word: string): number => Number(count.get(word)?.doc ?? 0);
  return question.terms.map(({ stem, related }) => {
    const own = postings.of(stem).length;
    const forms = own > 0 ? new Map([[stem, 1]]) : formsOf(index, stem);
    const near = related.map((word) => [word, documents(word)] as const).filter(([, found]) => found > 0);
    const matched = own > 0 ? own : Math.max(0, ...[...forms.keys()].map((form) => postings.of(form).length));
    return {
      stem,
      forms,
      related: new Map(near.map(([word, found]) => [word, rarityOf(found, chunks)])),
      rarity: rarityOf(matched, chunks),
    };
  });
}
