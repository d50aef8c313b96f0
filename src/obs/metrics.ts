/** Counts and times what the server does. @module */
import { VERSION } from "../core/version.ts";
import { type Counts, type GaugeName, increase, tallyOf } from "./counts.ts";
import { collectFamilies } from "./metric_families.ts";
import { expose, PROMETHEUS_CONTENT_TYPE } from "./prometheus.ts";
import { type MetricsSnapshot, takeSnapshot } from "./snapshot.ts";

/** One finished tool call. */
export interface ToolCallSample {
  /** Canonical name of a known tool, or "unknown": never what a client typed. */
  readonly tool: string;
  readonly durationMs: number;
  /** Null when it succeeded. */
  readonly errorCode: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly truncated: boolean;
}

/** One finished HTTP request. */
export interface HttpSample {
  /** The route's pattern (`/tool`), never the path that a client sent. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Counters, histograms and gauges. All calls are cheap and never throw. */
export interface Metrics {
  toolCall(sample: ToolCallSample): void;
  httpRequest(sample: HttpSample): void;
  /** A wrong or missing token, a refused Host or Origin. */
  authFailed(reason: "token" | "host" | "origin"): void;
  /** A request turned away by a limit. */
  rateLimited(limit: "rate" | "concurrency" | "sessions"): void;
  /** A result or a record of a call that could not be stored. */
  storeFailed(kind: "result" | "record"): void;
  /** Registers where a gauge is read from; a reader that throws leaves the gauge out. */
  gauge(name: GaugeName, read: () => number): void;
  /** The level that the self-test found. */
  sandboxLevel(level: "full" | "landlock" | "bwrap" | "none"): void;
  snapshot(): MetricsSnapshot;
  /** The text that Prometheus scrapes, and its content type. */
  exposition(): { readonly text: string; readonly contentType: string };
}

/** What the metrics need. */
export interface MetricsOptions {
  /** When false nothing is counted, and what there is to see is empty. */
  readonly enabled: boolean;
  readonly now: () => number;
}

/** Methods that are counted by name: a client may send any word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts from zero. */
export function makeMetrics({ enabled, now }: MetricsOptions): Metrics {
  const counts: Counts = {
    startedMs: now(),
    version: VERSION,
    tools: new Map(),
    routes: new Map(),
    authFailures: new Map(),
    rateLimited: new Map(),
    storeFailures: new Map(),
    gauges: new Map(),
    sandboxLevel: "unknown",
  };
  const whenEnabled = <A extends unknown[]>(work: (...args: A) => void) => enabled ? work : () => {};

  return {
    toolCall: whenEnabled((sample: ToolCallSample) => {
      const tally = tallyOf(counts.tools, sample.tool);
      tally.durations.add(sample.durationMs);
      tally.tokensIn += sample.tokensIn;
      tally.tokensOut += sample.tokensOut;
      if (sample.truncated) tally.truncated++;
      if (sample.errorCode !== null) increase(tally.outcomes, sample.errorCode);
    }),
    httpRequest: whenEnabled(({ route, method, status, durationMs }: HttpSample) => {
      const tally = tallyOf(counts.routes, route);
      tally.durations.add(durationMs);
      increase(tally.outcomes, `${METHODS.has(method) ? method : "other"} ${status}`);
    }),
    authFailed: whenEnabled((reason: string) => increase(counts.authFailures, reason)),
    rateLimited: whenEnabled((limit: string) => increase(counts.rateLimited, limit)),
    storeFailed: whenEnabled((kind: string) => increase(counts.storeFailures, kind)),
    gauge: (name, read) => void counts.gauges.set(name, read),
    sandboxLevel: (level) => void (counts.sandboxLevel = level),
    snapshot: () => takeSnapshot(counts, now()),
    exposition: () => ({ text: expose(collectFamilies(counts)), contentType: PROMETHEUS_CONTENT_TYPE }),
  };
}
