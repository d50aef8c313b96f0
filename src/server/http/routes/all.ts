/** Registers every REST route. @module */
import type { HttpDeps } from "../deps.ts";
import type { Hono } from "hono";
import type { Env } from "../reply.ts";
import { makeRestCalls } from "../rest_calls.ts";
import { docsRoutes } from "./docs.ts";
import { entryRoute } from "./entry.ts";
import { healthRoute } from "./health.ts";
import { invokeAgentRoute } from "./invoke_agent.ts";
import { metricsRoute } from "./metrics.ts";
import { ragRoutes } from "./rag.ts";
import { toolRoute } from "./tool.ts";

/** What the routes need. */
export interface RoutesDeps extends Pick<HttpDeps, "config" | "envelope" | "catalog" | "metrics" | "health"> {
  readonly closing: AbortSignal;
  readonly metricsPath: string | null;
  /** Whether there is a page where a browser can log in. */
  readonly hasPages: boolean;
}

/** Adds them. */
export function addRoutes(app: Hono<Env>, deps: RoutesDeps): void {
  const { settings } = deps.config;
  const rest = makeRestCalls({
    envelope: deps.envelope,
    config: deps.config,
    limits: { maxBytes: settings.limits.max_request_bytes, idleMs: settings.tools.idle_timeout * 1000 },
    closing: deps.closing,
  });
  app.route("/", entryRoute(deps.hasPages ? "/ui" : "/docs"));
  app.route("/", healthRoute(deps.health));
  app.route("/", toolRoute(rest));
  app.route("/", ragRoutes(rest));
  app.route("/", invokeAgentRoute(rest, settings.rag.jit_context_enabled));
  if (deps.metricsPath !== null) app.route("/", metricsRoute(deps.metricsPath, deps.metrics));
  app.route("/", docsRoutes(deps));
}
