/** Limits concurrent tool calls per token, across all routes. @module */
import type { Answer } from "../../call/answer.ts";
import { whoOf } from "../../call/principal.ts";
import { OpsError } from "../../core/error.ts";
import { estimateTokens } from "../../core/tokens.ts";
import type { Metrics } from "../../obs/metrics.ts";
import type { Envelope } from "../../call/pipeline.ts";
import { LONGEST_WAIT_MS } from "./rate_queue.ts";

/** The bounds of one token. */
export interface CallGateOptions {
  /** Calls that run at the same time. */
  readonly concurrency: number;
  /** Calls that wait for their turn; one more is refused at once. */
  readonly queue: number;
  readonly metrics: Pick<Metrics, "rateLimited">;
  /** For the refusal of a call that came without a correlation id. */
  readonly newId: () => string;
}

interface Lane {
  running: number;
  /** Oldest first; each is told when it may go. */
  readonly waiting: Set<() => void>;
}

/** An envelope behind a gate. */
export interface GatedEnvelope extends Envelope {
  /** Calls that run now. */
  running(): number;
}

/** Puts the gate in front. Tokens do not wait for each other. */
export function gateCalls(envelope: Envelope, options: CallGateOptions): GatedEnvelope {
  const lanes = new Map<string, Lane>();
  return {
    running() {
      let sum = 0;
      for (const { running } of lanes.values()) sum += running;
      return sum;
    },
    async call(name, args, caller) {
      const key = whoOf(caller.owner);
      const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
      lanes.set(key, lane);
      if (!await enter(lane, caller.signal, options)) {
        options.metrics.rateLimited("concurrency");
        return refusal(name, caller.correlationId ?? options.newId(), options.concurrency);
      }
      try {
        return await envelope.call(name, args, caller);
      } finally {
        leave(lane, options);
        if (lane.running === 0) lanes.delete(key);
      }
    },
  };
}

/** Waits for a turn; false when there is none to be had. */
async function enter(lane: Lane, signal: AbortSignal, { concurrency, queue }: CallGateOptions) {
  if (lane.running < concurrency) {
    lane.running++;
    return true;
  }
  if (lane.waiting.size >= queue || signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const turn = () => resolve(true);
  const giveUp = () => resolve(false);
  lane.waiting.add(turn);
  const timer = setTimeout(giveUp, LONGEST_WAIT_MS);
  signal.addEventListener("abort", giveUp);
  const entered = await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", giveUp);
  if (!entered && !lane.waiting.delete(turn)) leave(lane, { concurrency }); // its turn came in the same moment: pass it on
  return entered;
}

/** Hands the place to who waited longest, else gives it back; a place too many, since there may be fewer now, is given back. */
function leave(lane: Lane, { concurrency }: Pick<CallGateOptions, "concurrency">): void {
  const [turn] = lane.waiting;
  if (turn === undefined || lane.running > concurrency) lane.running--;
  else {
    lane.waiting.delete(turn);
    turn();
  }
}

function refusal(tool: string, correlationId: string, concurrency: number): Answer {
  const message = `${concurrency} calls of this token are running, and the queue is full`;
  const error = new OpsError("RATE_LIMITED", message, "Wait for one of them to end, then call again.");
  const text = `${error.code}: ${message}. ${error.hint}`;
  return {
    tool,
    correlationId,
    text,
    error: error.body(correlationId),
    failed: true,
    record: false,
    truncated: false,
    durationMs: 0,
    tokens: estimateTokens(text),
  };
}
