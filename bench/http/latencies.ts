/** Measures the latency of sequential requests. @module */
import type { HttpServer } from "../../tests/support/binary.ts";
import { Connection, type Sample } from "./connection.ts";
import { ms, percentile, type Row } from "./row.ts";

interface Case {
  readonly what: string;
  readonly sample: Sample;
  readonly count: number;
  readonly targetMs: number;
}

const CASES: readonly Case[] = [
  { what: "GET /health", sample: { method: "GET", path: "/health" }, count: 3_000, targetMs: 2 },
  {
    what: "POST /tool read_file",
    sample: { method: "POST", path: "/tool", body: { session_id: "load", name: "read_file", args: { path: "a.txt" } } },
    count: 1_000,
    targetMs: 10,
  },
  {
    what: "POST /rag/search",
    sample: { method: "POST", path: "/rag/search", body: { q: "add to the 17th lamp", k: 3 } },
    count: 200,
    targetMs: 50,
  },
];

/** Measures every case. */
export async function latencies(server: HttpServer): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of CASES) rows.push(await measure(server, each));
  return rows;
}

async function measure(server: HttpServer, { what, sample, count, targetMs }: Case): Promise<Row> {
  using connection = await Connection.open(server);
  for (let index = 0; index < count / 5; index++) await connection.ask(sample); // warm
  const durations: number[] = [];
  let failed = 0;
  for (let index = 0; index < count; index++) {
    const { status, durationMs } = await connection.ask(sample);
    durations.push(durationMs);
    if (status !== 200) failed++;
  }
  durations.sort((a, b) => a - b);
  const p50 = percentile(durations, 0.5), p95 = percentile(durations, 0.95), p99 = percentile(durations, 0.99);
  return {
    what,
    figure: `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}${failed > 0 ? `, ${failed} failed` : ""}`,
    target: `p95 <= ${targetMs} ms`,
    holds: failed === 0 && p95 <= targetMs,
    values: { p50_ms: p50, p95_ms: p95, p99_ms: p99, failed },
  };
}
