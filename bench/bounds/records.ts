/** Measures how long queries over many recorded calls take. @module */
import { makeMetrics } from "../../src/obs/metrics.ts";
import { makeCallLog } from "../../src/store/call_log.ts";
import type { CallLog } from "../../src/store/calls.ts";
import { fillCalls, FILLED_AT } from "../../tests/store/million_calls.ts";
import { openStore } from "../../tests/store/support.ts";
import { type Bound, timed } from "./bound.ts";

/** Several times what is measured on two shared cores, and well below what reading a million rows takes. */
const QUESTION_MS = 400;
const SAMPLES = 10_000, SAMPLES_MS = 500;

const QUESTIONS: Readonly<Record<string, (log: CallLog) => unknown>> = {
  "usage of an hour": (log) => log.usage({ windowSeconds: 3_600 }),
  "usage of a day": (log) => log.usage({ windowSeconds: 86_400 }),
  "the last 200 calls": (log) => log.recent({ maxResults: 200 }),
  "the last 200 calls of some tools": (log) => log.recent({ maxResults: 200, tool: "linux.*" }),
  "calls of a tool that was never called": (log) => log.recent({ maxResults: 200, tool: "other*" }),
  "forgetting old ones": (log) => log.prune(),
};

/** @param dataDir An empty folder, in which a million records are made. */
export function recordBounds(dataDir: string): { bounds: Bound[]; close(): void } {
  const store = openStore({ dataDir, now: () => FILLED_AT });
  store.database.write(fillCalls);
  const warn = (message: string): never => {
    throw new Error(message);
  };
  const log = makeCallLog({ database: store.database, retentionDays: 0, now: () => FILLED_AT, warn });
  const questions = Object.entries(QUESTIONS).map(([what, ask]): Bound => ({
    what: `among a million recorded calls: ${what}`,
    limitMs: QUESTION_MS,
    measure: () => timed(() => ask(log)),
  }));
  const metrics = { what: `${SAMPLES} samples and a scrape`, limitMs: SAMPLES_MS, measure: () => timed(countSamples) };
  return { bounds: [...questions, metrics], close: () => store[Symbol.dispose]() };
}

function countSamples(): void {
  const metrics = makeMetrics({ enabled: true, now: () => FILLED_AT });
  const call = { errorCode: null, tokensIn: 10, tokensOut: 100, truncated: false };
  for (let index = 0; index < SAMPLES; index++) {
    metrics.toolCall({ ...call, tool: `tool_${index % 30}`, durationMs: (index * 7_919) % 30_000 });
  }
  metrics.exposition();
}
