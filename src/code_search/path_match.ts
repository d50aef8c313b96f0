/** Compares the words of a path with those of a question. @module */
import type { WeightedTerm } from "./terms.ts";

/** How well a path fits a question, each 0 to 1. */
export interface PathMatch {
  /** Share of the words of the file's name that were asked for. */
  readonly fileName: number;
  /** Shares of the question, by rarity, that the file's name and its folders' names hold. */
  readonly inFileName: number;
  readonly inFolders: number;
}

/** Shorter beginnings of words are chance. */
const SHORTEST_BEGINNING = 3;

/** 0 to 1: names cut words off, as in `auth` and `config`. */
function nearness(word: string, asked: string): number {
  if (word === asked) return 1;
  const [short, long] = word.length < asked.length ? [word, asked] : [asked, word];
  return short.length >= SHORTEST_BEGINNING && long.startsWith(short) ? Math.sqrt(short.length / long.length) : 0;
}

/** The distinct words of an indexed field. */
function wordsOf(field: string): string[] {
  return [...new Set(field.split(" "))].filter((word) => word !== "");
}

/** @param name Words of the file's name. @param folders Words of the nearest folders; those of the name may be among them. */
export function matchPath(name: string, folders: string, terms: readonly WeightedTerm[]): PathMatch {
  const own = wordsOf(name), around = wordsOf(folders).filter((word) => !own.includes(word));
  const share = (words: readonly string[]) => {
    let asked = 0, all = 0;
    for (const { stem, rarity } of terms) {
      all += rarity;
      asked += rarity * Math.max(0, ...words.map((word) => nearness(word, stem)));
    }
    return asked / Math.max(all, 1e-9);
  };
  const fits = own.map((word) => Math.max(0, ...terms.map(({ stem }) => nearness(word, stem))));
  return {
    fileName: fits.reduce((sum, fit) => sum + fit, 0) / Math.max(1, own.length),
    inFileName: share(own),
    inFolders: share(around),
  };
}

/** Whether a path is the one that was asked for, or ends with it. */
export function endsWithPath(path: string, asked: string): boolean {
  const lower = path.toLowerCase();
  return lower === asked || lower.endsWith(`/${asked}`);
}
