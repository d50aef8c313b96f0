/** Recognises code that answers more rarely: tests, and what is kept beside the code that is meant. @module */
import type { WeightedTerm } from "./terms.ts";

/** What is asked of: a chunk's path and symbol. */
export interface Demotable {
  readonly path: string;
  readonly symbol: string;
  readonly isTest: boolean;
}

/** Stems of words that ask for tests and the like. */
const ABOUT_TESTS = /^(?:tests?|testcas|spec|mock|stub|fixtur|exampl|benchmark)$/;
/** A module of tests inside a file of code. */
const TEST_SYMBOL = /(?:^|\.)tests?(?:\.|$)/;
const ABOUT_ASIDE = /^(?:compat|legaci|deprec|old|older|vendor|polyfil|shim|backward)/;
const ASIDE_PATH =
  /(?:^|\/)(?:compat|legacy|deprecated|old|vendor(?:ed)?|third_party|polyfills?|shims?)\/|(?:^|[/_.-])(?:compat|legacy|deprecated)[._-]/i;
const VERSION_FOLDER = /(^|\/)v(\d{1,3})\//g;

/** How much is left of the score of each. */
export interface DemotionWeights {
  readonly test: number;
  readonly aside: number;
}

/** Gives what is left of a chunk's score. @param paths All paths that compete: an older version gives way to a newer one beside it. */
export function makeDemotion(
  terms: readonly WeightedTerm[],
  paths: Iterable<string>,
  weights: DemotionWeights,
): (chunk: Demotable) => number {
  const asksFor = (pattern: RegExp) => terms.some(({ stem }) => pattern.test(stem));
  const test = asksFor(ABOUT_TESTS) ? 1 : weights.test, aside = asksFor(ABOUT_ASIDE) ? 1 : weights.aside;
  const newest = new Map<string, number>();
  const versionsOf = (path: string) =>
    [...path.matchAll(VERSION_FOLDER)].map(({ index, 2: version }) => [path.slice(0, index), Number(version)] as const);
  for (const path of paths) {
    for (const [folder, version] of versionsOf(path)) {
      newest.set(folder, Math.max(version, newest.get(folder) ?? 0));
    }
  }
  const isOlder = (path: string) => versionsOf(path).some(([folder, version]) => version < (newest.get(folder) ?? 0));
  return ({ path, symbol, isTest }) =>
    (isTest || TEST_SYMBOL.test(symbol) ? test : 1) * (ASIDE_PATH.test(path) || isOlder(path) ? aside : 1);
}
