/** One log line and one sample for each request: route, status, latency; nothing that a client sent besides. @module */
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "../../obs/log.ts";
import type { Metrics } from "../../obs/metrics.ts";
import type { Env } from "../reply.ts";

/** Logs and counts requests after they were answered. */
export function accessLog(log: Logger, metrics: Metrics, now: () => number): MiddlewareHandler<Env> {
  return async (context, next) => {
    const startedMs = now();
    await next();
    const durationMs = now() - startedMs;
    const route = context.res.status === 404 ? "unknown" : routePath(context, -1);
    const { method } = context.req, { status } = context.res;
    metrics.httpRequest({ route, method, status, durationMs });
    log.debug("request", { cid: context.get("correlationId"), route, method, status, latency_ms: durationMs });
  };
}
