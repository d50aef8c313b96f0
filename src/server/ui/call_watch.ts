/** Watches calls for what the records do not hold: running calls, full arguments and answers, tokens saved. @module */
import { estimateTokens } from "../../core/tokens.ts";
import { summarizeArgs } from "../../store/args_summary.ts";
import type { Answer } from "../../call/answer.ts";
import type { Envelope } from "../../call/pipeline.ts";
import type { Secrets } from "../../call/secrets.ts";
import { handlesIn, type KeptCall, makeKeptCalls } from "./kept_calls.ts";

/** A call that was not answered yet. */
export interface RunningCall {
  readonly key: number;
  readonly correlationId: string;
  readonly startedMs: number;
  /** As the client wrote it. */
  readonly tool: string;
  readonly argsSummary: string;
  readonly agentId: string;
}

/** Tokens of one tool's results since the start: what was sent, and what their full structures would have cost. */
export interface TokenSum {
  readonly sent: number;
  readonly full: number;
}

/** What is seen. */
export interface CallWatch {
  readonly envelope: Envelope;
  /** Oldest first. */
  running(): readonly RunningCall[];
  /** Calls of a correlation id, oldest first; empty when they are not kept any more, or were another server's. */
  kept(correlationId: string): readonly KeptCall[];
  /** Whether an answered call reported a failure of what it did; undefined when that is not remembered. */
  failed(correlationId: string): boolean | undefined;
  /** By canonical name of the tool. */
  tokens(): ReadonlyMap<string, TokenSum>;
  /** Calls back when a call begins or ends. Returns how to stop. */
  subscribe(listener: () => void): () => void;
}

/** Outcomes that are remembered, more than are ever shown. */
const MAX_OUTCOMES = 500;
/** Of a longer result the beginning is counted and stands for the rest. */
const MAX_COUNTED_CHARS = 32 * 1024;

/** What watching needs. */
export interface CallWatchOptions {
  /** Milliseconds since the epoch. */
  readonly epochMs: () => number;
  readonly newId: () => string;
  /** Whether whole calls are remembered; not where the operator wants no records. */
  readonly keeps: boolean;
  /** Takes secrets out of what is shown. */
  readonly secrets: Pick<Secrets, "mask" | "maskValue">;
}

/** Watches an envelope. */
export function watchCalls(inner: Envelope, { epochMs, newId, keeps, secrets }: CallWatchOptions): CallWatch {
  const kept = makeKeptCalls();
  const running = new Map<number, RunningCall>();
  const outcomes = new Map<string, boolean>();
  const tokens = new Map<string, TokenSum>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  let nextKey = 0;

  function finished(key: number, answer: Answer): void {
    running.delete(key);
    const { error, failed, truncated, durationMs, tokens, text } = answer, errorCode = error?.code ?? null;
    kept.end(key, { errorCode, failed, truncated, durationMs, tokens, text, handles: handlesIn(answer) });
    outcomes.set(answer.correlationId, answer.failed);
    const [oldest] = outcomes.keys();
    if (outcomes.size > MAX_OUTCOMES && oldest !== undefined) outcomes.delete(oldest);
  }

  function count(answer: Answer): void {
    if (!answer.error) {
      const { sent, full } = tokens.get(answer.tool) ?? { sent: 0, full: 0 };
      tokens.set(answer.tool, { sent: sent + answer.tokens, full: full + fullTokens(answer) });
    }
    tell();
  }

  return {
    envelope: {
      async call(name, args, caller) {
        const key = nextKey++, correlationId = caller.correlationId ?? newId(), startedMs = epochMs();
        const { session } = caller;
        running.set(key, {
          key,
          correlationId,
          startedMs,
          tool: name.slice(0, 64),
          argsSummary: summarizeArgs(args, secrets.mask),
          agentId: session.agentId,
        });
        if (keeps) {
          kept.add(key, { correlationId, tool: name, args, session, startedMs, outcome: null });
        }
        tell();
        const answer = await inner.call(name, args, { ...caller, correlationId });
        finished(key, answer); // at once: it is among the records by now, and must not be shown twice
        setTimeout(() => count(answer)); // after the answer is on its way, because no caller waits for this
        return answer;
      },
    },
    running: () => [...running.values()],
    // Masked when they are shown: no call waits for it, and values that it brought to light are known by then.
    kept: (id) => kept.of(id).map((call) => ({ ...call, args: secrets.maskValue(call.args) })),
    failed: (correlationId) => outcomes.get(correlationId),
    tokens: () => tokens,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What the result costs as the structure that the specification names, which is what a server without lean text sends. */
function fullTokens({ result, record, tokens }: Answer): number {
  if (record || result === undefined) return tokens;
  const { lean: _shown, ...plain } = Object(result);
  const text = JSON.stringify(plain);
  const counted = estimateTokens(text.slice(0, MAX_COUNTED_CHARS));
  return Math.max(tokens, Math.round(counted * Math.max(1, text.length / MAX_COUNTED_CHARS)));
}
