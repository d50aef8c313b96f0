/** Turns what a call threw into its answer. @module */
import type { Answer } from "./answer.ts";
import { cutLine } from "../core/bound.ts";
import { type ErrorBody, OpsError } from "../core/error.ts";
import { estimateTokens } from "../core/tokens.ts";
import type { Logger } from "../obs/log.ts";

/** An error may repeat an argument, which may be as long as a request. */
const MAX_MESSAGE_CHARS = 8_000;

/** The call that failed. */
export interface FailedCall {
  readonly tool: string;
  readonly correlationId: string;
  /** The caller's. */
  readonly signal: AbortSignal;
}

/** What the client is told; what was not expected is logged. */
export function errorBody(error: unknown, { tool, correlationId, signal }: FailedCall, log: Logger): ErrorBody {
  if (error instanceof OpsError) return bounded(error.body(correlationId));
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new OpsError("TIMEOUT", `${tool} did not end in time`).body(correlationId);
  }
  // Clients give a reason of their own, which may be anything.
  if (signal.aborted && error === signal.reason || error instanceof DOMException && error.name === "AbortError") {
    return new OpsError(
      "TIMEOUT",
      "the call was cancelled",
      "Nothing is left running; call again if it is still wanted.",
    ).body(correlationId);
  }
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  log.error("unexpected error", { cid: correlationId, tool, stack });
  return new OpsError("INTERNAL", "something went wrong inside the server").body(correlationId);
}

function bounded(body: ErrorBody): ErrorBody {
  return {
    ...body,
    message: cutLine(body.message, MAX_MESSAGE_CHARS),
    hint: cutLine(body.hint, MAX_MESSAGE_CHARS),
  };
}

/** An answer that holds an error only. */
export function errorAnswer(tool: string, error: ErrorBody, correlationId: string, durationMs: number): Answer {
  const text = `${error.code}: ${error.message.replace(/\.$/, "")}. ${error.hint}`;
  return {
    tool,
    correlationId,
    text,
    error,
    failed: true,
    record: false,
    truncated: false,
    durationMs,
    tokens: estimateTokens(text),
  };
}
