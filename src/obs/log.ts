/** The log: one line for each event, as JSON or text, without contents and without secrets. @module */

/** Least severe first. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a line may carry besides its message. */
export interface LogFields {
  /** Correlation id. */
  readonly cid?: string | undefined;
  readonly tool?: string | undefined;
  readonly latency_ms?: number | undefined;
  readonly status?: string | number | undefined;
  readonly error_code?: string | undefined;
  readonly truncated?: boolean | undefined;
  readonly [name: string]: string | number | boolean | null | undefined;
}

/** Writes lines of its level and above. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
