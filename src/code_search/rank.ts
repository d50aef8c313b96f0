/** Ranks chunks by how well they answer a question. @module */
import { parentOf } from "../core/path.ts";
import type { Candidate } from "./candidates.ts";
import type { Context } from "./context.ts";
import { makeDemotion } from "./demotion.ts";
import { endsWithPath, matchPath, type PathMatch } from "./path_match.ts";
import type { Question } from "./question.ts";
import { RANK_WEIGHTS, type RankWeights } from "./rank_weights.ts";
import type { WeightedTerm } from "./terms.ts";
import { makeQuotedRarity, makeWordScore } from "./word_score.ts";
import { STOP_WORDS } from "./words.ts";

/** A chunk with its score, 0 to 1. */
export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  /** Other parts of the same definition, best first. */
  readonly parts: readonly Candidate[];
}

/** A candidate while it is scored. */
interface Scored {
  readonly candidate: Candidate;
  /** Share of the question that its words answer. */
  readonly words: number;
  readonly score: number;
}

/** Chunks of a file that are looked at to see whether it deals with the question as a whole. */
const COHERENT_CHUNKS = 5;

/** How much of a question each file answers with its best chunks together, the best file 1. */
function coherenceOf(scored: readonly Scored[]): ReadonlyMap<number, number> {
  const byFile = new Map<number, number[]>();
  for (const { candidate: { fileId }, words } of scored) {
    const list = byFile.get(fileId);
    if (list === undefined) byFile.set(fileId, [words]);
    else list.push(words);
  }
  const sums = [...byFile].map(([file, list]) => {
    const best = list.sort((a, b) => b - a).slice(0, COHERENT_CHUNKS);
    return [file, best.reduce((sum, words, at) => sum + words / (at + 1), 0)] as const;
  });
  const top = Math.max(1e-9, ...sums.map(([, sum]) => sum));
  return new Map(sums.map(([file, sum]) => [file, sum / top]));
}

/** How much of its own name was asked for. */
function ownNameShare(name: string, rarities: ReadonlyMap<string, number>, usual: number): number {
  if (name === "") return 0;
  let asked = 0, all = 0;
  for (const word of new Set(name.split(" "))) {
    const rarity = rarities.get(word);
    asked += rarity ?? 0;
    all += rarity ?? usual;
  }
  return asked / Math.max(all, 1e-9);
}

/** Orders candidates, best first; of one definition only the best part is kept. */
export function rank(
  question: Question,
  terms: readonly WeightedTerm[],
  candidates: readonly Candidate[],
  { files, folders }: Context,
  meanLengths: readonly number[],
  places: ReadonlyMap<string, number>,
  weights: RankWeights = RANK_WEIGHTS[question.kind],
): Ranked[] {
  const rarities = new Map(
    terms.flatMap(({ forms, rarity }) => [...forms.keys()].map((word) => [word, rarity] as const)),
  );
  const total = Math.max(1e-9, terms.reduce((sum, { rarity }) => sum + rarity, 0));
  const quotes = question.sequence.filter((word) => !STOP_WORDS.has(word)).length >= 3;
  const wordScore = makeWordScore(terms, places, meanLengths, weights);
  const quotedRarity = makeQuotedRarity(question.sequence, rarities);
  const paths = new Map<number, PathMatch>();
  const pathMatch = ({ fileId, stem, folders }: Candidate): PathMatch => {
    let match = paths.get(fileId);
    if (match === undefined) paths.set(fileId, match = matchPath(stem, folders, terms));
    return match;
  };
  const scored = candidates.map((candidate): Scored => {
    const words = wordScore(candidate) / total, match = pathMatch(candidate);
    let score = words + weights.name * candidate.nameMatch +
      weights.file * (files.get(candidate.fileId) ?? 0) +
      weights.folder * (folders.get(parentOf(candidate.path)) ?? 0) +
      weights.fileName * match.fileName + weights.inFileName * match.inFileName + weights.inFolders * match.inFolders +
      weights.ownName * ownNameShare(candidate.name, rarities, total / terms.length);
    if (quotes) {
      const share = quotedRarity(` ${candidate.code} `) / total;
      score += weights.quotation * share * share;
    }
    const asked = question.paths.find((path) => endsWithPath(candidate.path, path));
    if (asked !== undefined) score += asked.includes("/") ? 2 * ASKED_PATH : ASKED_PATH;
    return { candidate, words, score };
  });
  const coherence = weights.coherence > 0 ? coherenceOf(scored) : new Map<number, number>();
  const demotion = makeDemotion(terms, candidates.map(({ path }) => path), weights);
  const whole = scored.map(({ candidate, words, score }): Scored => ({
    candidate,
    words,
    score: demotion(candidate) * (score + weights.coherence * (coherence.get(candidate.fileId) ?? 0)),
  }));
  whole.sort((a, b) => b.score - a.score || a.candidate.id - b.candidate.id);
  const most = 1 + weights.name + weights.file + weights.folder + weights.fileName + weights.inFileName +
    weights.inFolders + weights.ownName + weights.quotation + weights.coherence;
  const answers = spread(distinct(whole), weights.repeated);
  return answers.map((ranked) => ({ ...ranked, score: Math.min(1, ranked.score / most) }));
}

/** What a file gains whose name was asked for as it is written. */
const ASKED_PATH = 0.5;

/** Parts of one long definition are one answer. */
function distinct(scored: readonly Scored[]): Ranked[] {
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

/** Lowers each further answer of a file, so that one file does not take all places. */
function spread(ranked: readonly Ranked[], repeated: number): Ranked[] {
  const seen = new Map<number, number>();
  return ranked.map((one) => {
    const before = seen.get(one.candidate.fileId) ?? 0;
    seen.set(one.candidate.fileId, before + 1);
    return { ...one, score: one.score * repeated ** before };
  }).sort((a, b) => b.score - a.score);
}
