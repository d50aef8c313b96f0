/** One log line and one sample for each request: route, status, latency; nothing that a client sent besides. @module */
import type { MiddlewareHandler } from "hono";
import type { Logger } from "../../obs/log.ts";
import type { Metrics } from "../../obs/metrics.ts";
import type { Env } from "../reply.ts";

/** What the log needs. */
export interface AccessLogOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  /** Whether there is a route at the path; what a client made up must not become a label. */
  readonly isRoute: (path: string) => boolean;
}

/** Methods that become labels. */
const METHODS = new Set(["GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH"]);

/** Logs and counts requests after they were answered. */
export function accessLog({ log, metrics, now, isRoute }: AccessLogOptions): MiddlewareHandler<Env> {
  return async (context, next) => {
    const startedMs = now();
    await next();
    const durationMs = now() - startedMs;
    const { path } = context.req, { status } = context.res;
    const route = isRoute(path) ? path : "unknown";
    const method = METHODS.has(context.req.method) ? context.req.method : "other";
    metrics.httpRequest({ route, method, status, durationMs });
    log.debug("request", { cid: context.get("correlationId"), route, method, status, latency_ms: durationMs });
  };
}
