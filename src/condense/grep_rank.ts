/** Classifies search hits as definitions, uses or tests. @module */
import type { GrepHit } from "./grep_lines.ts";
import { groupBy } from "./page.ts";

/** Smaller is shown first. */
export const RANK = { definition: 0, use: 1, test: 2 } as const;

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.[^/]*$/i;

const KEYWORD = "function|class|interface|type|enum|struct|trait|union|def|fn|func|sub|module|namespace|macro_rules!|" +
  "const|let|var|val|static|#define|package|impl|mod|record|protocol";

/** What comes before the keyword: visibility and such. */
const MODIFIERS = "(?:export|default|pub(?:\\([^)]*\\))?|public|private|protected|internal|static|abstract|final|" +
  "async|unsafe|extern|inline|declare|readonly|override|local|data|sealed)";

/** A ranking for the hits of one pattern. */
export function makeRanker(pattern: string): (hit: GrepHit) => number {
  const definition = definitionPattern(pattern);
  return (hit) => {
    if (TEST_PATH.test(hit.path)) return RANK.test;
    return definition.test(hit.text) ? RANK.definition : RANK.use;
  };
}

/** A definition of the pattern's name when it holds one, else of anything. */
function definitionPattern(pattern: string): RegExp {
  const bare = pattern.replace(/\\b|\^|\$$/g, "");
  const name = /^[A-Za-z_]\w*$/.test(bare) ? bare : undefined;
  const lead = `^\\s*(?:${MODIFIERS}\\s+)*(?:${KEYWORD})\\*?\\s+`;
  if (name === undefined) return new RegExp(`${lead}[A-Za-z_$(]`);
  const go = `(?:\\([^)]*\\)\\s*)?`; // the receiver of a Go method
  const method = `^\\s*(?:${MODIFIERS}\\s+)*\\*?${name}\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`;
  return new RegExp(`${lead}${go}\\w*${name}|${method}`);
}

/** A file and its hits, ranked. */
export interface RankedFile {
  readonly path: string;
  readonly hits: readonly GrepHit[];
  /** The best of {@link ranks}. */
  readonly rank: number;
  /** Rank of each hit; context ranks last. */
  readonly ranks: readonly number[];
}

/** Files with definitions first, then by how they came; tests last. */
export function rankFiles(hits: readonly GrepHit[], rankOf: (hit: GrepHit) => number): RankedFile[] {
  const files = [...groupBy(hits, (hit) => hit.path)].map(([path, own]) => {
    const ranks = own.map((hit) => hit.context ? RANK.test : rankOf(hit));
    return { path, hits: own, ranks, rank: Math.min(...ranks) };
  });
  return files.sort((a, b) => a.rank - b.rank);
}
