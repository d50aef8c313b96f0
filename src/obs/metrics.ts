/** What the server counts and times about itself. @module */

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

/** Values that are read when somebody looks. */
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

/** The figures of one tool since the start. */
export interface ToolFigures {
  readonly count: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/** Everything counted since the start, for `get_metrics` and the status page. */
export interface MetricsSnapshot {
  readonly uptime_s: number;
  readonly tools: Readonly<Record<string, ToolFigures>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly tokens: { readonly in: number; readonly out: number };
  readonly truncated: number;
  readonly http: {
    readonly requests: number;
    readonly auth_failures: number;
    readonly rate_limited: number;
    readonly p50_ms: number;
    readonly p95_ms: number;
  };
  readonly sandbox_level: string;
  readonly gauges: Readonly<Partial<Record<GaugeName, number>>>;
}

/** Counters, histograms and gauges. All calls are cheap and never throw. */
export interface Metrics {
  toolCall(sample: ToolCallSample): void;
  httpRequest(sample: HttpSample): void;
  /** A wrong or missing token, a refused Host or Origin. */
  authFailed(reason: "token" | "host" | "origin"): void;
  /** A request turned away by a limit. */
  rateLimited(limit: "rate" | "concurrency" | "sessions"): void;
  /** Registers where a gauge is read from; a reader that throws leaves the gauge out. */
  gauge(name: GaugeName, read: () => number): void;
  /** The level that the self-test found. */
  sandboxLevel(level: "full" | "landlock" | "bwrap" | "none"): void;
  snapshot(): MetricsSnapshot;
  /** The text that Prometheus scrapes, and its content type. */
  exposition(): { readonly text: string; readonly contentType: string };
}
