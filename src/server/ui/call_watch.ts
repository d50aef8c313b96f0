/** Wraps the call pipeline to observe what the records do not hold: running calls and saved tokens. @module */
import type { Answer, Caller } from "../../call/answer.ts";
import { estimateTokens } from "../../core/tokens.ts";
import { summarizeArgs } from "../../store/args_summary.ts";
import type { Envelope } from "../../call/pipeline.ts";

/** A call that was not answered yet. */
export interface RunningCall {
  readonly key: number;
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

/** Watches an envelope. */
export function watchCalls(inner: Envelope, epochMs: () => number): CallWatch {
  const running = new Map<number, RunningCall>();
  const outcomes = new Map<string, boolean>();
  const tokens = new Map<string, TokenSum>();
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  let nextKey = 0;

  function finished(key: number, answer: Answer): void {
    running.delete(key);
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
        const key = nextKey++;
        running.set(key, begun(key, name, args, caller, epochMs()));
        tell();
        const answer = await inner.call(name, args, caller);
        finished(key, answer); // at once: it is among the records by now, and must not be shown twice
        setTimeout(() => count(answer)); // after the answer is on its way, because nobody waits for this
        return answer;
      },
    },
    running: () => [...running.values()],
    failed: (correlationId) => outcomes.get(correlationId),
    tokens: () => tokens,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function begun(key: number, name: string, args: unknown, { session }: Caller, startedMs: number): RunningCall {
  return { key, startedMs, tool: name.slice(0, 64), argsSummary: summarizeArgs(args), agentId: session.agentId };
}

/** What the result costs as the structure that the specification names, which is what a server without lean text sends. */
function fullTokens({ result, record, tokens }: Answer): number {
  if (record || result === undefined) return tokens;
  const { lean: _shown, ...plain } = Object(result);
  const text = JSON.stringify(plain);
  const counted = estimateTokens(text.slice(0, MAX_COUNTED_CHARS));
  return Math.max(tokens, Math.round(counted * Math.max(1, text.length / MAX_COUNTED_CHARS)));
}
