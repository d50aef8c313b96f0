/** `GET /metrics`: metrics for Prometheus. @module */
import { Hono } from "hono";
import type { Metrics } from "../../../obs/metrics.ts";
import { type Env, text } from "../reply.ts";

/** Serves them at the configured path. */
export function metricsRoute(path: string, metrics: Metrics): Hono<Env> {
  return new Hono<Env>().get(path, (context) => {
    const { text: exposition, contentType } = metrics.exposition();
    return text(context, exposition, contentType);
  });
}
