/** Rate limits per token: requests per second, concurrent requests, streams. @module */
import type { MiddlewareHandler } from "hono";
import type { Metrics } from "../../../obs/metrics.ts";
import { type Env, failOverRate, failWith, isEventStream, isMcpPath } from "../reply.ts";
import type { RateQueue } from "../rate_queue.ts";

/** The bounds. */
export interface RateGateOptions {
  readonly queue: RateQueue;
  /** Requests of one token that are being answered or wait for it. */
  readonly maxInFlight: number;
  /** Event streams of one token that are open. */
  readonly maxStreams: number;
  readonly metrics: Pick<Metrics, "rateLimited">;
}

/** Lets requests over the rate wait, and answers 429 to what is over a bound. */
export function rateGate(options: RateGateOptions): MiddlewareHandler<Env> {
  const { queue, maxStreams, metrics } = options;
  const inFlight = new Map<string, number>(), streams = new Map<string, number>();
  return async (context, next) => {
    const key = context.get("principal");
    const waitMs = await queue.enter(key, 1, context.req.raw.signal);
    if (waitMs > 0) {
      metrics.rateLimited("rate");
      return failOverRate(context, waitMs);
    }
    const { maxInFlight } = options; // it may change
    if ((inFlight.get(key) ?? 0) >= maxInFlight) {
      metrics.rateLimited("concurrency");
      return failWith(context, "RATE_LIMITED", `${maxInFlight} requests of this token are being answered`);
    }
    if (isMcpPath(context.req.path) && (streams.get(key) ?? 0) >= maxStreams) {
      metrics.rateLimited("sessions");
      return failWith(context, "RATE_LIMITED", `${maxStreams} event streams of this token are open`);
    }
    count(inFlight, key, 1);
    try {
      await next();
    } finally {
      count(inFlight, key, -1); // a stream that is open for hours is counted apart
    }
    if (!isEventStream(context.res)) return;
    count(streams, key, 1);
    void context.env.peer.completed.then(() => count(streams, key, -1));
  };
}

/** Keys without anything are not kept. */
function count(table: Map<string, number>, key: string, change: 1 | -1): void {
  const value = (table.get(key) ?? 0) + change;
  if (value > 0) table.set(key, value);
  else table.delete(key);
}
