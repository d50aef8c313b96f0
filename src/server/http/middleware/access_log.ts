/** Logs one line and records one sample per request: route, status, latency, no client data. @module */
import type { MiddlewareHandler } from "hono";
import type { Logger } from "../../../obs/log.ts";
import type { Metrics } from "../../../obs/metrics.ts";
import type { Env } from "../reply.ts";
import { makeTokenBuckets } from "../token_bucket.ts";

/** What the log needs. */
export interface AccessLogOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  /** Whether lines carry the correlation id; may change. */
  readonly withId: boolean;
  /** Whether there is a route at the path; what a client made up must not become a label. */
  readonly isRoute: (path: string) => boolean;
}

/** Methods that become labels. */
const METHODS = new Set(["GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH"]);

/** Refusals a second that the log is told of: a client that sends garbage must not fill the disk with lines about it. */
const LOGGED_REFUSALS = { perSecond: 5, burst: 20, maxKeys: 1 };

/** Logs and counts requests after they were answered. Refusals are in the log by default, the rest at level debug. */
export function accessLog(options: AccessLogOptions): MiddlewareHandler<Env> {
  const { log, metrics, now, isRoute } = options;
  const refusals = makeTokenBuckets({ ...LOGGED_REFUSALS, now });
  return async (context, next) => {
    const startedMs = now();
    await next();
    const durationMs = now() - startedMs;
    const { path } = context.req, { status } = context.res;
    const route = isRoute(path) ? path : "unknown";
    const method = METHODS.has(context.req.method) ? context.req.method : "other";
    metrics.httpRequest({ route, method, status, durationMs });
    const refused = status >= 400 && refusals.take("all") === 0;
    const cid = options.withId ? context.get("correlationId") : undefined;
    const fields = { cid, route, method, status, latency_ms: rounded(durationMs) };
    if (refused) log.info("request refused", fields);
    else log.debug("request", fields);
  };
}

function rounded(durationMs: number): number {
  return Math.round(durationMs * 100) / 100;
}
