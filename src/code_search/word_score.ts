/** Scores how much the words of a question say for a chunk. @module */
import type { Candidate } from "./candidates.ts";
import type { WeightedTerm } from "./terms.ts";
import { FIELDS } from "./fields.ts";
import type { RankWeights } from "./rank_weights.ts";

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

/**
 * Makes the score of a chunk, in units of rarity.
 *
 * @param places Place of each word in the counts of a candidate.
 * @param meanLengths Mean words of each field.
 */
export function makeWordScore(
  terms: readonly WeightedTerm[],
  places: ReadonlyMap<string, number>,
  meanLengths: readonly number[],
  weights: RankWeights,
): (candidate: Candidate) => number {
  const plain = FIELDS.map((field) => weights.fields[field]);
  const other = FIELDS.map((field) => weights.relatedFields[field]);
  return ({ counts, lengths }) => {
    const factors = FIELDS.map((field, at) => {
      const share = weights.lengths[field];
      return 1 / (1 - share + share * (lengths[at] ?? 0) / (meanLengths[at] ?? 1));
    });
    let score = 0;
    for (const { forms, related, rarity } of terms) {
      let best = 0;
      for (const [word, nearness] of forms) {
        const counted = saturated(counts, places.get(word), factors, plain, weights.saturation);
        best = Math.max(best, rarity * nearness * counted);
      }
      for (const [word, ownRarity] of related) {
        const counted = saturated(counts, places.get(word), factors, other, weights.saturation);
        best = Math.max(best, weights.related * Math.min(rarity, ownRarity) * counted);
      }
      score += best;
    }
    return score;
  };
}

/** A shorter run of words is chance. */
const SHORTEST_RUN = 3;

/** Makes the rarity of the longest run of words of a question that a text holds in their order. @param sequence Stems. */
export function makeQuotedRarity(
  sequence: readonly string[],
  rarities: ReadonlyMap<string, number>,
): (text: string) => number {
  const shortest = sequence.map((_, from) => ` ${sequence.slice(from, from + SHORTEST_RUN).join(" ")} `);
  return (text) => {
    let best = 0;
    for (let from = 0; from + SHORTEST_RUN <= sequence.length; from++) {
      if (!text.includes(shortest[from] ?? "")) continue;
      let to = from + SHORTEST_RUN;
      while (to < sequence.length && text.includes(` ${sequence.slice(from, to + 1).join(" ")} `)) to++;
      let sum = 0;
      for (const word of sequence.slice(from, to)) sum += rarities.get(word) ?? 0;
      best = Math.max(best, sum);
      from = to - 2;
    }
    return best;
  };
}
