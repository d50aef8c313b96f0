/**
 * Measures retrieval quality: asks the public questions through the public interface and scores them with the
 * benchmark's own program.
 * @module
 */
import { runOrThrow } from "./run_program.ts";
import type { Subject } from "./subject.ts";

/** A question of the benchmark. */
export interface BenchQuery {
  readonly id: string;
  readonly query: string;
}

/** Scores of a group of questions. */
export interface Score {
  readonly n: number;
  readonly mrr10: number;
  readonly ci95: number;
  readonly r1: number;
  readonly r5: number;
  readonly r10: number;
}

/** Scores by group: "all", "kind docstring", "lang go". */
export type ScoreTable = Readonly<Record<string, Score>>;

/** Reads the questions. */
export async function readQueries(folder: string): Promise<BenchQuery[]> {
  const text = await Deno.readTextFile(`${folder}/queries.jsonl`);
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** Asks every question for ten snippets, and gives the results in the form that is scored. */
export async function askAll({ index }: Subject, queries: readonly BenchQuery[]): Promise<string> {
  const lines: string[] = [];
  for (const { id, query } of queries) {
    const { snippets } = await index.search({ q: query, scope: "repo", k: 10, budgetTokens: 20_000 });
    const hits = snippets.map(({ src }) => {
      const [, path, line, endLine] = /^(.*)#L(\d+)-L(\d+)$/.exec(src) ?? [];
      return { path, line: Number(line), end_line: Number(endLine) };
    });
    lines.push(JSON.stringify({ id, hits }));
  }
  return `${lines.join("\n")}\n`;
}

/** Scores a results file. */
export async function score(folder: string, results: string, tree: string): Promise<ScoreTable> {
  return JSON.parse(await runOrThrow(`${folder}/score`, [results, "--tree", tree, "--json"])).table;
}

/** Scores the plain rankings that come with the benchmark. */
export async function scoreBaselines(folder: string, tree: string, work: string): Promise<Record<string, ScoreTable>> {
  await runOrThrow(`${folder}/baselines`, ["--out", work]);
  const tables: Record<string, ScoreTable> = {};
  for (const name of ["grep-words", "fts5-raw", "subtoken-rerank"]) {
    tables[name] = await score(folder, `${work}/${name}.jsonl`, tree);
  }
  return tables;
}
