/** Takes a snapshot of the counters for people and tools. @module */
import { Durations } from "../core/durations.ts";
import { type Counts, type GaugeName, readGauges, type Tally } from "./counts.ts";

/** Everything counted since the start, for `get_metrics` and the status page. */
export interface MetricsSnapshot {
  readonly uptime_s: number;
  readonly tools: Readonly<Record<string, ToolFigures>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly tokens: { readonly in: number; readonly out: number };
  readonly truncated: number;
  /** Results and records of calls that could not be stored. */
  readonly store_failures: number;
  readonly http: {
    readonly requests: number;
    readonly auth_failures: number;
    readonly rate_limited: number;
    readonly p50_ms: number;
    readonly p95_ms: number;
    readonly p99_ms: number;
  };
  readonly sandbox_level: string;
  readonly gauges: Readonly<Partial<Record<GaugeName, number>>>;
}

/** The figures of one tool since the start. */
export interface ToolFigures {
  readonly count: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

function figuresOf({ durations, outcomes }: Tally): ToolFigures {
  const [p50_ms = 0, p95_ms = 0, p99_ms = 0] = durations.percentiles(0.5, 0.95, 0.99);
  return { count: durations.count, errors: sum(outcomes.values()), p50_ms, p95_ms, p99_ms };
}

/** Everything since the start; the busiest tool first. */
export function takeSnapshot(counts: Counts, nowMs: number): MetricsSnapshot {
  const tools = [...counts.tools].sort(([, left], [, right]) => right.durations.count - left.durations.count);
  const tallies = tools.map(([, tally]) => tally);
  const errors = new Map<string, number>();
  for (const { outcomes } of tallies) {
    for (const [code, count] of outcomes) errors.set(code, (errors.get(code) ?? 0) + count);
  }
  const requests = new Durations();
  for (const { durations } of counts.routes.values()) requests.merge(durations);
  const [p50_ms = 0, p95_ms = 0, p99_ms = 0] = requests.percentiles(0.5, 0.95, 0.99);
  return {
    uptime_s: Math.round((nowMs - counts.startedMs) / 1_000),
    tools: Object.fromEntries(tools.map(([name, tally]) => [name, figuresOf(tally)])),
    errors: Object.fromEntries(errors),
    tokens: { in: sum(tallies.map(({ tokensIn }) => tokensIn)), out: sum(tallies.map(({ tokensOut }) => tokensOut)) },
    truncated: sum(tallies.map(({ truncated }) => truncated)),
    store_failures: sum(counts.storeFailures.values()),
    http: {
      requests: requests.count,
      auth_failures: sum(counts.authFailures.values()),
      rate_limited: sum(counts.rateLimited.values()),
      p50_ms,
      p95_ms,
      p99_ms,
    },
    sandbox_level: counts.sandboxLevel,
    gauges: Object.fromEntries(readGauges(counts.gauges)),
  };
}
