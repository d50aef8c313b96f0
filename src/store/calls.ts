/** Interface of the call log: one row per tool call, and statistics over them. @module */

/** One finished tool call. Never contents, never secrets: see `summarizeArgs`. */
export interface CallRecord {
  /** When the call ended, in milliseconds since 1970. */
  readonly timeMs: number;
  /** Canonical tool name. */
  readonly tool: string;
  /** Hash of the owner: tells callers apart without saying who they are. */
  readonly owner: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly model: string;
  readonly argsSummary: string;
  readonly status: "ok" | "error";
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly truncated: boolean;
  readonly bytesOut: number;
  readonly correlationId: string;
}

/** Which calls to show, newest first. */
export interface RecentQuery {
  readonly maxResults: number;
  /** A tool's name, or a prefix with a trailing `*`; dots and underscores are the same. */
  readonly tool?: string;
  /** Only calls of the last so many seconds. */
  readonly windowSeconds?: number;
}

/** Which calls to count. */
export interface UsageQuery {
  readonly windowSeconds: number;
  /** Only tools whose name starts so; dots and underscores are the same. */
  readonly toolPrefix?: string;
}

/** Figures over a window, of one tool or of several. Percentiles are exact to 0.1 ms below 10 ms, to 1 ms below 1 s, then to 0.5 %. */
export interface ToolUsage {
  readonly count: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The calls of one minute or one hour. */
export interface CallSpan {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly count: number;
  readonly errors: number;
}

/** One command that went through the Tool Envelope. */
export interface TeRecord {
  readonly timeMs: number;
  readonly agentId: string;
  readonly sessionId: string;
  readonly model: string;
  /** The program and its arguments, redacted. */
  readonly command: string;
  readonly mode: "enriched" | "passthrough" | "raw" | "error";
  /** Bytes that the command wrote. */
  readonly inputBytes: number;
  /** Bytes that the caller saw. */
  readonly outputBytes: number;
  /** What they cost a model, estimated; counts against the session's budget. */
  readonly outputTokens?: number;
  readonly truncated: boolean;
  readonly handle: string | null;
  readonly latencyMs: number;
  readonly error: string | null;
}

/** Figures of one program in one mode over a window. */
export interface TeUsage {
  /** Name of the program, without its folder. */
  readonly program: string;
  readonly mode: TeRecord["mode"];
  readonly count: number;
  readonly errors: number;
  readonly truncated: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly avgLatencyMs: number;
}

/** Records calls and answers questions about them. */
export interface CallLog {
  /** Writes at once: when this returns, a killed process does not lose the record. A failure is reported, not thrown. */
  record(call: CallRecord): void;
  /** Newest first. @throws OpsError STATS_BACKEND_UNAVAILABLE */
  recent(query: RecentQuery): CallRecord[];
  /** By tool, for the tools that were called. @throws OpsError STATS_BACKEND_UNAVAILABLE */
  usage(query: UsageQuery): ReadonlyMap<string, ToolUsage>;
  /** All tools together. @throws OpsError STATS_BACKEND_UNAVAILABLE */
  overall(windowSeconds: number): ToolUsage;
  /**
   * Calls by minute for a window of up to two hours, by hour for a longer one (at most a day is kept); oldest first,
   * spans without a call are left out. @throws OpsError STATS_BACKEND_UNAVAILABLE
   */
  timeline(windowSeconds: number): CallSpan[];
  /** Like {@link record}, for the Tool Envelope. */
  recordTe(event: TeRecord): void;
  /** The last so many seconds, the busiest program first. @throws OpsError STATS_BACKEND_UNAVAILABLE */
  teStats(windowSeconds: number): TeUsage[];
  /** Tokens that an agent spent in a session since a time. @throws OpsError STATS_BACKEND_UNAVAILABLE */
  teTokens(agentId: string, sessionId: string, sinceMs: number): number;
  /** Removes every record of before this start. */
  forget(): void;
  /** Removes a bounded number of rows past the retention; true when more remain. */
  prune(): boolean;
}
