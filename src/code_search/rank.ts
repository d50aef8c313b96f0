/** Ranks chunks by how well they answer a question. @module */
import { parentOf } from "../core/path.ts";
import type { Candidate, Statistics } from "./candidates.ts";
import type { Context, WeightedTerm } from "./context.ts";
import { type Field, FIELDS } from "./fields.ts";
import type { Question } from "./question.ts";
import { STOP_WORDS } from "./words.ts";

/** A chunk with its score, 0 to 1. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  /** Other parts of the same definition, best first. */
  readonly parts: readonly Candidate[];
}

/** How the parts of the score are weighed; measured, see docs/performance.md. */
export interface RankWeights {
  /** What a word counts by the field that it stands in. */
  readonly fields: Readonly<Record<Field, number>>;
  /** The same for words that stand for a word of the question. */
  readonly relatedFields: Readonly<Record<Field, number>>;
  readonly related: number;
  /** How much a long field takes from each of its words, 0 to 1. */
  readonly lengths: Readonly<Record<Field, number>>;
  /** How soon more of the same word says nothing more. */
  readonly saturation: number;
  /** What the rest of the file, and of its folder, adds. */
  readonly file: number;
  readonly folder: number;
  /** Defining a name that was asked for. */
  readonly name: number;
  /** Words of the question in its order, in code: an error message, say. */
  readonly quotation: number;
  /** Share of its own name that was asked for. */
  readonly ownName: number;
  readonly test: number;
}

/** The weights in use. */
const RANK_WEIGHTS: RankWeights = {
  fields: { name: 14, container: 2, stem: 4, folders: 2, signature: 2, doc: 0.9, body: 1 },
  relatedFields: { name: 14, container: 2, stem: 4, folders: 0, signature: 2, doc: 0.3, body: 0.3 },
  related: 0.7,
  lengths: { name: 0.75, container: 0.75, stem: 0.75, folders: 0.75, signature: 0.75, doc: 0.75, body: 0.75 },
  saturation: 3,
  file: 0.2,
  folder: 0.1,
  name: 0.5,
  quotation: 0.45,
  ownName: 0.08,
  test: 0.5,
};

/** Stems of words that ask for tests and the like. */
const ABOUT_TESTS = /^(?:tests?|testcas|spec|mock|stub|fixtur|exampl|benchmark)$/;

interface Vectors {
  readonly plain: readonly number[];
  readonly related: readonly number[];
}

function vectorsOf({ fields, relatedFields }: RankWeights): Vectors {
  return { plain: FIELDS.map((field) => fields[field]), related: FIELDS.map((field) => relatedFields[field]) };
}

/** 0 to 1: how much the occurrences of a word in the fields say. */
function saturated(
  counts: Uint16Array,
  place: number | undefined,
  factors: readonly number[],
  weights: readonly number[],
  k: number,
): number {
  if (place === undefined) return 0;
  let sum = 0;
  for (let field = 0; field < factors.length; field++) {
    const count = counts[place * factors.length + field] ?? 0;
    if (count > 0) sum += (weights[field] ?? 0) * count * (factors[field] ?? 1);
  }
  return sum / (k + sum);
}

/** What the words of the question say for a chunk, in units of rarity. */
function wordScore(
  { counts }: Candidate,
  factors: readonly number[],
  terms: readonly WeightedTerm[],
  places: ReadonlyMap<string, number>,
  vectors: Vectors,
  weights: RankWeights,
): number {
  let score = 0;
  for (const { forms, related, rarity } of terms) {
    let best = 0;
    for (const [word, nearness] of forms) {
      const counted = saturated(counts, places.get(word), factors, vectors.plain, weights.saturation);
      best = Math.max(best, rarity * nearness * counted);
    }
    for (const [word, ownRarity] of related) {
      const counted = saturated(counts, places.get(word), factors, vectors.related, weights.saturation);
      best = Math.max(best, weights.related * Math.min(rarity, ownRarity) * counted);
    }
    score += best;
  }
  return score;
}

/** The rarity of the longest run of words of the question that a text holds in their order. */
function quotedRarity(text: string, sequence: readonly string[], rarities: ReadonlyMap<string, number>): number {
  let best = 0;
  for (let from = 0; from < sequence.length - 2; from++) {
    let to = from + 1;
    while (to < sequence.length && text.includes(` ${sequence.slice(from, to + 1).join(" ")} `)) to++;
    if (to - from < 3) continue;
    let sum = 0;
    for (const word of sequence.slice(from, to)) sum += rarities.get(word) ?? 0;
    best = Math.max(best, sum);
    from = Math.max(from, to - 2);
  }
  return best;
}

/** Whether a path is the one that was asked for, or ends with it. */
function endsWithPath(path: string, asked: string): boolean {
  const lower = path.toLowerCase();
  return lower === asked || lower.endsWith(`/${asked}`);
}

/** Orders candidates, best first; of one definition only the best part is kept. */
export function rank(
  question: Question,
  terms: readonly WeightedTerm[],
  candidates: readonly Candidate[],
  { files, folders }: Context,
  statistics: Statistics,
  places: ReadonlyMap<string, number>,
  weights: RankWeights = RANK_WEIGHTS,
): Ranked[] {
  const vectors = vectorsOf(weights);
  const rarities = new Map(
    terms.flatMap(({ forms, rarity }) => [...forms.keys()].map((word) => [word, rarity] as const)),
  );
  const total = Math.max(1e-9, terms.reduce((sum, { rarity }) => sum + rarity, 0));
  const test = terms.some(({ stem }) => ABOUT_TESTS.test(stem)) ? 1 : weights.test;
  const quotes = question.sequence.filter((word) => !STOP_WORDS.has(word)).length >= 3;
  const scored = candidates.map((candidate) => {
    const factors = FIELDS.map((field, at) => {
      const share = weights.lengths[field];
      return 1 / (1 - share + share * (candidate.lengths[at] ?? 0) / (statistics.meanLengths[at] ?? 1));
    });
    let score = wordScore(candidate, factors, terms, places, vectors, weights) / total;
    score += weights.file * (files.get(candidate.fileId) ?? 0) +
      weights.folder * (folders.get(parentOf(candidate.path)) ?? 0);
    score += weights.name * candidate.nameMatch;
    if (candidate.name !== "") {
      const own = new Set(candidate.name.split(" "));
      let asked = 0, all = 0;
      for (const word of own) {
        const rarity = rarities.get(word);
        asked += rarity ?? 0;
        all += rarity ?? total / terms.length;
      }
      score += weights.ownName * asked / Math.max(all, 1e-9);
    }
    if (quotes) {
      const share = quotedRarity(` ${candidate.code} `, question.sequence, rarities) / total;
      score += weights.quotation * share * share;
    }
    const asked = question.paths.find((path) => endsWithPath(candidate.path, path));
    if (asked !== undefined) score += asked.includes("/") ? 2 * weights.name : weights.name;
    return { candidate, score: candidate.isTest ? score * test : score, parts: [] };
  });
  scored.sort((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
  const most = 1 + weights.file + weights.folder + weights.name + weights.quotation + weights.ownName;
  return distinct(scored).map((ranked) => ({ ...ranked, score: Math.min(1, ranked.score / most) }));
}

/** Parts of one long definition are one answer. */
function distinct(scored: readonly Ranked[]): Ranked[] {
  const answers = new Map<string, { candidate: Candidate; score: number; parts: Candidate[] }>();
  for (const { candidate, score } of scored) {
    const { fileId, symbol, id } = candidate;
    const key = symbol === "" ? `${id}` : `${fileId} ${symbol}`;
    const known = answers.get(key);
    if (known === undefined) answers.set(key, { candidate, score, parts: [] });
    else known.parts.push(candidate);
  }
  return [...answers.values()];
}
