/** Scores how much of a question single chunks, whole files and folders hold, from lists of chunks by word. @module */
import { parentOf } from "../core/path.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Postings } from "./postings.ts";
import { rarityOf, type WeightedTerm } from "./terms.ts";

/** What the words alone tell. Scores of files and folders are from 0 to 1, the best has 1. */
export interface Context {
  /** By the chunk's place: the rarity of the words that it holds, those in its head twice. */
  readonly chunks: Float32Array;
  /** By number of the file, best first. */
  readonly files: ReadonlyMap<number, number>;
  /** By path; that of a folder's best file. */
  readonly folders: ReadonlyMap<string, number>;
}

/** A word in more than this share of all chunks tells little, and reading where it is takes long. */
const COMMON_SHARE = 0.12, RARE_WORDS_ENOUGH = 3;
/** What a word counts that names use for a word of the question. */
const RELATED = 0.5;
/** Files that are weighed as a whole. */
const MOST_FILES = 400;
/** BM25 of a word by the number of chunks that hold it, with the number of chunks as the length of a file. */
const SATURATION = 1.2, LENGTH = 0.75;

/** Words worth looking for: the common ones only when there are too few others. */
function tellingTerms(terms: readonly WeightedTerm[], chunks: number): readonly WeightedTerm[] {
  const common = rarityOf(chunks * COMMON_SHARE, chunks);
  const rare = terms.filter(({ rarity, forms }) => rarity > common && forms.size > 0);
  return rare.length >= RARE_WORDS_ENOUGH ? rare : terms;
}

/** Adds to the chunks of a list, but once for each term. */
function addOnce(scores: Float32Array, seen: Uint8Array, mark: number, places: Int32Array, amount: number): void {
  for (const place of places) {
    if (seen[place] === mark) continue;
    seen[place] = mark;
    scores[place] = (scores[place] ?? 0) + amount;
  }
}

function scoreChunks(
  { chunks }: Catalogue,
  postings: Postings,
  terms: readonly WeightedTerm[],
): Float32Array {
  const scores = new Float32Array(chunks), inText = new Uint8Array(chunks), inHead = new Uint8Array(chunks);
  for (const [at, { forms, related, rarity }] of terms.entries()) {
    const mark = at + 1; // a question has at most 40 terms
    for (const [word, nearness] of forms) {
      addOnce(scores, inText, mark, postings.of(word), rarity * nearness);
      addOnce(scores, inHead, mark, postings.ofHeads(word), rarity * nearness);
    }
    for (const [word, own] of related) {
      addOnce(scores, inHead, mark, postings.ofHeads(word), RELATED * Math.min(rarity, own));
    }
  }
  return scores;
}

/** Scores files by how many of their chunks hold each word. */
function scoreFiles({ files, fileAt, chunks }: Catalogue, postings: Postings, terms: readonly WeightedTerm[]) {
  const scores = new Float32Array(files.length), counts = new Uint16Array(files.length);
  const mean = Math.max(1, chunks / Math.max(1, files.length));
  for (const { forms } of terms) {
    for (const word of forms.keys()) {
      const touched: number[] = [];
      for (const place of postings.of(word)) {
        const file = fileAt[place] ?? -1;
        if (file < 0) continue;
        if (counts[file] === 0) touched.push(file);
        counts[file] = (counts[file] ?? 0) + 1;
      }
      const rarity = rarityOf(touched.length, files.length);
      for (const file of touched) {
        const count = counts[file] ?? 0, length = (files[file]?.chunks ?? 0) / mean;
        const share = count * (SATURATION + 1) / (count + SATURATION * (1 - LENGTH + LENGTH * length));
        scores[file] = (scores[file] ?? 0) + rarity * share;
        counts[file] = 0;
      }
    }
  }
  return scores;
}

/** Weighs chunks, files and folders. */
export function readContext(catalogue: Catalogue, postings: Postings, terms: readonly WeightedTerm[]): Context {
  const telling = tellingTerms(terms, catalogue.chunks);
  const scores = scoreFiles(catalogue, postings, terms);
  const best = catalogue.files.map((file, at) => ({ file, score: scores[at] ?? 0 })).filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score).slice(0, MOST_FILES);
  const top = Math.max(1e-9, best[0]?.score ?? 0);
  const files = new Map<number, number>(), folders = new Map<string, number>();
  for (const { file: { id, path }, score } of best) {
    files.set(id, score / top);
    const folder = parentOf(path);
    if (!folders.has(folder)) folders.set(folder, score / top);
  }
  return { chunks: scoreChunks(catalogue, postings, telling), files, folders };
}
