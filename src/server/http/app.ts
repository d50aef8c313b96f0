/** Assembles middleware and routes, in the order that security requires. @module */
import type { HttpDeps, RunningTransport } from "./deps.ts";
import { sleep } from "../../core/time.ts";
import { Hono } from "hono";
import { makeGuessBrake } from "./guess_brake.ts";
import { accessLog } from "./middleware/access_log.ts";
import { auth } from "./middleware/auth.ts";
import { cors } from "./middleware/cors.ts";
import { hostGuard } from "./middleware/host_guard.ts";
import { rateGate } from "./middleware/rate_gate.ts";
import { drainRefused } from "./middleware/drain_refused.ts";
import { refuseWhenClosing } from "./middleware/refuse_when_closing.ts";
import { requestId } from "./middleware/request_id.ts";
import { sizeLimit } from "./middleware/size_limit.ts";
import { type Env, MCP_PATH } from "./reply.ts";
import { metricsPathOf } from "./metrics_path.ts";
import { addRoutes } from "./routes/all.ts";
import { onFailure, onUnknown, routeTable } from "./unknown_route.ts";

/** Builds the app. */
export function httpApp(deps: HttpDeps, running: RunningTransport): Hono<Env> {
  const { config } = deps;
  const metricsPath = metricsPathOf(config.settings);
  const app = new Hono<Env>();
  const routes = routeTable(app);
  app.use(requestId(deps.newId)); // first, so that every answer and log line carries it
  app.use(accessLog({ // second, so that it sees what the others refuse
    log: deps.log,
    metrics: deps.metrics,
    now: deps.now,
    isRoute: routes.has,
    get withId() {
      return config.settings.observability.include_correlation_id;
    },
  }));
  app.use(drainRefused());
  app.use(refuseWhenClosing(running.closing.signal));
  addGuards(app, deps);
  app.use(authentication(deps, metricsPath));
  app.use(rateGate({ // after authentication, so that other callers do not use up a token's rate
    queue: running.queue,
    get maxInFlight() {
      const { concurrency_per_token, max_queued } = config.settings.limits; // they may change
      return concurrency_per_token + max_queued;
    },
    maxStreams: config.settings.limits.max_streams,
    metrics: deps.metrics,
  }));
  addRoutes(app, { ...deps, closing: running.closing.signal, metricsPath, hasPages: deps.pages !== undefined });
  if (deps.pages) app.route("/", deps.pages.routes);
  app.on(["GET", "POST", "DELETE"], [MCP_PATH, `${MCP_PATH}/`], (context) => running.mcp.handle(context));
  app.notFound(onUnknown(routes));
  app.onError(onFailure(deps.log));
  return app;
}

/** What is refused to every caller. */
function addGuards(app: Hono<Env>, { config: { settings: { server, auth, limits } }, metrics }: HttpDeps): void {
  const { host, allowed_hosts: allowedHosts, allowed_origins: allowedOrigins } = server;
  app.use(hostGuard({ host, allowedHosts, allowedOrigins, metrics }));
  // Before authentication, because preflights carry no token.
  if (allowedOrigins.length > 0) app.use(cors({ allowedOrigins, tokenHeader: auth.header }));
  // Before anything that reads.
  app.use(sizeLimit({ bodyBytes: limits.max_request_bytes, headerBytes: limits.max_header_bytes }));
}

function authentication({ config: { settings }, token, pages, now, metrics }: HttpDeps, metricsPath: string | null) {
  const publicMetrics = settings.observability.metrics_public && metricsPath !== null;
  return auth({
    token,
    header: settings.auth.header,
    allowAnonymous: settings.auth.allow_unauthenticated,
    open: new Set([
      "/",
      "/health",
      ...publicMetrics ? [metricsPath] : [],
      ...pages?.open ?? [],
    ]),
    ...pages ? { hasOtherProof: pages.hasProof, loginPaths: { "/docs": pages.docs } } : {},
    brake: makeGuessBrake({ now, sleep }),
    metrics,
  });
}
