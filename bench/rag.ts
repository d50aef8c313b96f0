/**
 * Runs a public benchmark of code search: quality of results, time and space. Writes bench/results/rag.json, the
 * source of the table in docs/performance.md.
 *
 *     RAG_BENCH=FOLDER deno run -A bench/rag.ts [FOLDER] [--quick] [--keep FILE]
 *
 * FOLDER holds the programs `prepare`, `score` and `baselines` and the questions. `--quick` measures only how well it
 * finds; `--keep` copies what it found to a file, for `score --against`.
 *
 * @module
 */
import { print } from "../scripts/project.ts";
import type { ForeignRow } from "../scripts/reports/performance.ts";
import { askAll, readQueries, type Score, score, scoreBaselines, type ScoreTable } from "./rag/retrieval.ts";
import { runOrThrow } from "./rag/run_program.ts";
import { type Latencies, latenciesOf, openSubject, timeQuestions } from "./rag/subject.ts";

const RESULT = new URL("./results/rag.json", import.meta.url);
const COPIES_FOR_200K = 9;
const TARGET = { mrr10: 0.55, r10: 0.76, indexMs: 8_000, unchangedMs: 150, p95Ms: 50 };

const two = (value: number): string => value.toFixed(3).replace(/^0/, "");
const pair = ({ mrr10, r10 }: Score): string => `${two(mrr10)} / ${two(r10)}`;

function folderOf(args: readonly string[]): string {
  const [given] = args.filter((arg, at) => !arg.startsWith("--") && args[at - 1] !== "--keep");
  const folder = given ?? Deno.env.get("RAG_BENCH");
  if (folder === undefined) {
    throw new Error("name the folder of the benchmark: RAG_BENCH=FOLDER deno run -A bench/rag.ts");
  }
  return folder;
}

/** One line a group: ours beside the plain rankings. */
function retrievalRows(ours: ScoreTable, baselines: Readonly<Record<string, ScoreTable>>): ForeignRow[] {
  const groups = Object.keys(ours).sort((a, b) => (a === "all" ? -1 : b === "all" ? 1 : a < b ? -1 : 1));
  return groups.flatMap((group) => {
    const own = ours[group];
    if (own === undefined) return [];
    const others = Object.entries(baselines).flatMap(([name, table]) => {
      const other = table[group];
      return other === undefined ? [] : [`${name} ${pair(other)}`];
    });
    const wanted = group === "all" ? [`at least ${two(TARGET.mrr10)} / ${two(TARGET.r10)}`] : [];
    const holds = group === "all"
      ? own.mrr10 >= TARGET.mrr10 && own.r10 >= TARGET.r10
      : Object.values(baselines).every((table) => own.mrr10 >= (table[group]?.mrr10 ?? 0));
    const figure = `${pair(own)} (±${two(own.ci95)}; R@1 ${two(own.r1)}, R@5 ${two(own.r5)})`;
    return [{
      what: `finding, ${group}, ${own.n} questions: MRR@10 / R@10`,
      figure,
      target: [...wanted, ...others].join("; "),
      holds,
    }];
  });
}

function latencyRow(what: string, { p50Ms, p95Ms }: Latencies, limitMs: number | undefined): ForeignRow {
  return {
    what,
    figure: `p50 ${p50Ms} ms, p95 ${p95Ms} ms`,
    target: limitMs === undefined ? "reported" : `p95 ≤ ${limitMs} ms`,
    holds: limitMs === undefined || p95Ms <= limitMs,
  };
}

/** Files and bytes below a folder. */
async function measureTree(folder: string): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 };
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const inner = isDirectory
      ? await measureTree(`${folder}/${name}`)
      : { files: 1, bytes: (await Deno.stat(`${folder}/${name}`)).size };
    sum.files += inner.files;
    sum.bytes += inner.bytes;
  }
  return sum;
}

/** Indexes for the first time while questions are asked, then again without a change, then times questions. */
async function measureSpeed(
  tree: string,
  questions: readonly string[],
  name: string,
  limits: boolean,
): Promise<ForeignRow[]> {
  await using subject = await openSubject(tree, 0);
  const meanwhile: number[] = [];
  let isDone = false;
  const started = performance.now();
  const running = subject.index.sync().finally(() => isDone = true);
  for (let at = 0; !isDone; at++) {
    const from = performance.now();
    await subject.index.search({ q: questions[at % questions.length] ?? "", scope: "repo", k: 3, budgetTokens: 600 });
    meanwhile.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await running;
  const firstMs = performance.now() - started;
  const unchanged: number[] = [];
  for (let turn = 0; turn < 5; turn++) unchanged.push((await subject.index.sync()).duration_ms);
  const unchangedMs = latenciesOf(unchanged).p50Ms;
  const { files, bytes } = await measureTree(tree);
  const [status] = await subject.index.status();
  const chunks = status?.chunks ?? 0, sizeBytes = status?.size_bytes ?? 0;
  const megabytes = (count: number) => `${(count / 1e6).toFixed(1)} MB`;
  const { rss } = Deno.memoryUsage();
  const of = `${name}: ${files} files, ${megabytes(bytes)}, ${chunks} chunks`;
  return [
    {
      what: `indexing for the first time, ${of}`,
      figure: `${(firstMs / 1000).toFixed(1)} s`,
      target: limits ? `≤ ${TARGET.indexMs / 1000} s` : "reported",
      holds: !limits || firstMs <= TARGET.indexMs,
    },
    latencyRow(`questions while that goes on, ${name}`, latenciesOf(meanwhile), limits ? TARGET.p95Ms : undefined),
    {
      what: `catching up with no change, ${name}`,
      figure: `${unchangedMs} ms`,
      target: limits ? `≤ ${TARGET.unchangedMs} ms` : "reported",
      holds: !limits || unchangedMs <= TARGET.unchangedMs,
    },
    latencyRow(
      `questions, ${name}, ${chunks} chunks`,
      await timeQuestions(subject, questions),
      limits ? TARGET.p95Ms : undefined,
    ),
    { what: `size of the index, ${name}`, figure: megabytes(sizeBytes), target: "reported", holds: true },
    { what: `memory of the process after all that, ${name}`, figure: megabytes(rss), target: "reported", holds: true },
  ];
}

async function copies(tree: string, count: number, target: string): Promise<void> {
  for (let at = 1; at <= count; at++) await runOrThrow("cp", ["-r", tree, `${target}/copy${at}`]);
}

async function main(args: readonly string[]): Promise<number> {
  const folder = await Deno.realPath(folderOf(args)), quick = args.includes("--quick");
  const tree = await runOrThrow(`${folder}/prepare`, []);
  const queries = await readQueries(folder);
  const work = await Deno.makeTempDir({ prefix: "llmc-rag-bench-" });
  try {
    await using subject = await openSubject(tree, 0);
    await subject.index.sync();
    const found = await askAll(subject, queries);
    await Deno.writeTextFile(`${work}/found.jsonl`, found);
    const keep = args[args.indexOf("--keep") + 1];
    if (args.includes("--keep") && keep !== undefined) await Deno.writeTextFile(keep, found);
    print(await runOrThrow(`${folder}/score`, [`${work}/found.jsonl`, "--tree", tree]));
    if (quick) return 0;
    const ours = await score(folder, `${work}/found.jsonl`, tree);
    const baselines = await scoreBaselines(folder, tree, work);
    const questions = queries.map(({ query }) => query);
    const rows = retrievalRows(ours, baselines);
    rows.push(...await measureSpeed(tree, questions, "benchmark", true));
    await Deno.mkdir(`${work}/large`);
    await copies(tree, COPIES_FOR_200K, `${work}/large`);
    rows.push(
      ...await measureSpeed(
        `${work}/large`,
        questions.filter((_, at) => at % 4 === 0),
        `${COPIES_FOR_200K} copies of it`,
        false,
      ),
    );
    await Deno.mkdir(new URL(".", RESULT), { recursive: true });
    const at = new Date().toISOString().slice(0, 10);
    await Deno.writeTextFile(RESULT, `${JSON.stringify({ at, rows, scores: { ours, ...baselines } }, null, 1)}\n`);
    for (const { what, figure, target, holds } of rows) print(`${holds ? "  " : "! "}${what}: ${figure}   [${target}]`);
    return rows.every(({ holds }) => holds) ? 0 : 1;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
