/** Scores how much of a question whole files and folders cover. @module */
import type { Database } from "../sys/database.ts";
import { parentOf } from "../core/path.ts";

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

/** Scores from 0 to 1, the best file has 1. */
export interface Context {
  /** By number of the file, best first. */
  readonly files: ReadonlyMap<number, number>;
  /** By path; that of a folder's best file. */
  readonly folders: ReadonlyMap<string, number>;
}

/** Files that are weighed as a whole. */
const MOST_FILES = 400;

/** Weighs files and folders. */
export function readContext({ prepare }: Database, terms: readonly WeightedTerm[]): Context {
  const files = new Map<number, number>(), folders = new Map<string, number>();
  const words = [...new Set(terms.flatMap(({ forms }) => [...forms.keys()]))];
  if (words.length === 0) return { files, folders };
  const rows = prepare(`select f.rowid as id, -bm25(file_words) as score, files.path from file_words f
    join files on files.id = f.rowid where file_words match ? order by score desc limit ?`)
    .all(words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR "), MOST_FILES);
  const best = Math.max(1e-9, ...rows.map(({ score }) => Number(score)));
  for (const row of rows) {
    const score = Math.max(0, Number(row.score) / best), folder = parentOf(String(row.path));
    files.set(Number(row.id), score);
    folders.set(folder, Math.max(score, folders.get(folder) ?? 0));
  }
  return { files, folders };
}
