/** Defines the in-memory counters. @module */
import { Durations } from "../core/durations.ts";

/** Values that are read when metrics are asked for. */
export type GaugeName =
  | "children_running"
  | "processes_running"
  | "sessions_active"
  | "http_requests_in_flight"
  | "handles"
  | "handle_bytes"
  | "index_files"
  | "index_fresh"
  | "memory_bytes";

/** What was counted of one tool or one route. */
export interface Tally {
  readonly durations: Durations;
  /** Errors by code; of a route, requests by `method status`. */
  readonly outcomes: Map<string, number>;
  tokensIn: number;
  tokensOut: number;
  truncated: number;
}

/** Everything that is counted. */
export interface Counts {
  readonly startedMs: number;
  readonly version: string;
  readonly tools: Map<string, Tally>;
  readonly routes: Map<string, Tally>;
  readonly authFailures: Map<string, number>;
  readonly rateLimited: Map<string, number>;
  readonly storeFailures: Map<string, number>;
  readonly gauges: Map<GaugeName, () => number>;
  sandboxLevel: string;
}

/** The tally of a name, a new one at first. */
export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const known = tallies.get(name);
  if (known) return known;
  const tally = { durations: new Durations(), outcomes: new Map(), tokensIn: 0, tokensOut: 0, truncated: 0 };
  tallies.set(name, tally);
  return tally;
}

/** One more. */
export function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The gauges that can be read now. */
export function readGauges(gauges: ReadonlyMap<GaugeName, () => number>): [GaugeName, number][] {
  return [...gauges].flatMap(([name, read]): [GaugeName, number][] => {
    try {
      const value = read();
      return Number.isFinite(value) ? [[name, value]] : [];
    } catch {
      return []; // what cannot be read is absent: a 0 would be a lie
    }
  });
}
