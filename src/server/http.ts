/** The HTTP face: middleware in the order that their reasons demand, then the routes. @module */
import { Hono } from "hono";
import type { Config } from "../config/resolve.ts";
import type { Logger } from "../obs/log.ts";
import type { Metrics } from "../obs/metrics.ts";
import { listen, type Listener } from "../sys/http_listener.ts";
import type { Catalog } from "../te/catalog.ts";
import type { GatedEnvelope } from "./call_gate.ts";
import { makeGuessBrake } from "./guess_brake.ts";
import type { makeMcp } from "./mcp.ts";
import { accessLog } from "./middleware/access_log.ts";
import { auth } from "./middleware/auth.ts";
import { cors } from "./middleware/cors.ts";
import { hostGuard } from "./middleware/host_guard.ts";
import { rateGate } from "./middleware/rate_gate.ts";
import { requestId } from "./middleware/request_id.ts";
import { sizeLimit } from "./middleware/size_limit.ts";
import { type Env, failWith, MCP_PATH } from "./reply.ts";
import { type McpRoute, mcpRoute } from "./routes/mcp.ts";
import { addRoutes, metricsPathOf } from "./routes/all.ts";
import { onFailure, onUnknown, type RouteTable, routeTable } from "./unknown_route.ts";
import { makeTokenBuckets, type TokenBuckets } from "./token_bucket.ts";

/** What the face needs. */
export interface HttpDeps {
  readonly config: Config;
  readonly token: string | null;
  readonly tls: { cert: string; key: string } | null;
  /** Behind the gate, for MCP as well: calls count whichever route they came over. */
  readonly envelope: GatedEnvelope;
  readonly catalog: Catalog;
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: () => Promise<Readonly<Record<string, unknown>>>;
  readonly onSessionEnd: (owner: string) => void;
  readonly pages?: Pages;
  readonly newId: () => string;
  /** Milliseconds; must not jump. */
  readonly now: () => number;
}

/** Pages for people, which prove in another way that they know the token. */
export interface Pages {
  readonly routes: Hono<Env>;
  /** Paths that answer without a token, such as the form that asks for it. */
  readonly open: readonly string[];
  /** Whether a request proves it: a cookie that was given for the token. */
  hasProof(request: Request): boolean;
}

/** A listening face. */
export interface HttpFace {
  readonly url: string;
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 30_000;
/** From the signal on: calls may end by themselves, then they are cancelled and may answer, then connections are cut. */
const CALL_GRACE_MS = 500, ANSWER_GRACE_MS = 200;
const POLL_MS = 10;
const MAX_SESSIONS = 256;
const MAX_STREAMS = 64;
const MAX_CONNECTIONS = 1_024;
const MAX_KEYS = 4_096;

/** What the parts of a running face share. */
interface Running {
  readonly buckets: TokenBuckets;
  readonly mcp: McpRoute;
  readonly closing: AbortController;
}

/** Builds the app and listens. */
export function serveOverHttp(deps: HttpDeps): HttpFace {
  const { config } = deps;
  const buckets = makeTokenBuckets({
    get perSecond() {
      return config.settings.limits.rate_limit_rps;
    },
    get burst() {
      return config.settings.limits.rate_limit_burst;
    },
    maxKeys: MAX_KEYS,
    now: deps.now,
  });
  const running: Running = { buckets, mcp: makeMcpRoute(deps, buckets), closing: new AbortController() };
  const listener = open(deps, buildApp(deps, running));
  deps.metrics.gauge("sessions_active", running.mcp.sessions);
  deps.metrics.gauge("http_requests_in_flight", listener.inFlight);
  const sweeper = setInterval(() => running.mcp.sweep(), SWEEP_INTERVAL_MS);
  return {
    url: listener.url,
    async close() {
      clearInterval(sweeper);
      listener.stopAccepting();
      await callsEnd(deps, CALL_GRACE_MS);
      running.closing.abort();
      await running.mcp.close();
      await callsEnd(deps, ANSWER_GRACE_MS / 2);
      await listener.close(ANSWER_GRACE_MS / 2);
    },
  };
}

/** Waits until no call runs, at most so long. */
async function callsEnd({ envelope, now }: HttpDeps, longestMs: number): Promise<void> {
  const untilMs = now() + longestMs;
  while (envelope.running() > 0 && now() < untilMs) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function open({ config: { settings }, tls, log, now }: HttpDeps, app: Hono<Env>): Listener {
  return listen({
    hostname: settings.server.host,
    port: settings.server.port,
    tls,
    maxConnections: MAX_CONNECTIONS,
    idleTimeoutMs: settings.tools.idle_timeout * 1000,
    now,
    handle: (request, peer) => app.fetch(request, { peer }),
    onError(error) {
      log.error("http", { detail: error instanceof Error ? error.message : String(error) });
      return new Response(null, { status: 500 });
    },
    onPeerFault: (detail) => log.debug("a connection ended badly", { detail }),
    onAcceptFault: (detail) => log.warn("no connection can be accepted", { detail }),
  });
}

function makeMcpRoute(deps: HttpDeps, buckets: TokenBuckets): McpRoute {
  const { tools, limits, linux_ops } = deps.config.settings;
  return mcpRoute({
    makeServer: deps.makeServer,
    limits: { maxBytes: limits.max_request_bytes, idleMs: tools.idle_timeout * 1000 },
    get maxBatch() {
      return deps.config.settings.limits.concurrency_per_token;
    },
    buckets,
    maxSessions: MAX_SESSIONS,
    idleMs: linux_ops.process_limits.idle_ttl_sec * 1000,
    log: deps.log,
    metrics: deps.metrics,
    now: deps.now,
    onSessionEnd: deps.onSessionEnd,
  });
}

function buildApp(deps: HttpDeps, { buckets, mcp, closing }: Running): Hono<Env> {
  const { log, metrics, now } = deps;
  const { server, auth: authSettings, limits } = deps.config.settings;
  const { allowed_hosts: allowedHosts, allowed_origins: allowedOrigins } = server;
  const app = new Hono<Env>();
  const routes: RouteTable = routeTable(app);
  app.use(requestId(deps.newId)); // first, so that every answer and log line carries it
  app.use(accessLog({
    log,
    metrics,
    now,
    isRoute: routes.has,
    get withId() {
      return deps.config.settings.observability.include_correlation_id;
    },
  })); // second, so that it sees what the others refuse
  app.use(refuseWhenClosing(closing.signal));
  app.use(hostGuard({ host: server.host, allowedHosts, allowedOrigins, metrics }));
  if (allowedOrigins.length > 0) app.use(cors({ allowedOrigins, tokenHeader: authSettings.header })); // preflights carry no token
  app.use(sizeLimit({ bodyBytes: limits.max_request_bytes, headerBytes: limits.max_header_bytes })); // before anything that reads
  const metricsPath = metricsPathOf(deps.config.settings);
  app.use(auth({
    token: deps.token,
    header: authSettings.header,
    allowAnonymous: authSettings.allow_unauthenticated,
    open: openPaths(deps, metricsPath),
    ...deps.pages ? { hasOtherProof: deps.pages.hasProof } : {},
    brake: makeGuessBrake({ now, sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)) }),
    metrics,
  }));
  // After authentication, so that nobody else uses up what a token may.
  app.use(rateGate({
    buckets,
    get maxInFlight() {
      const { concurrency_per_token, rate_limit_burst } = deps.config.settings.limits; // they may change
      return concurrency_per_token + rate_limit_burst;
    },
    maxStreams: MAX_STREAMS,
    metrics,
  }));
  addRoutes(app, { ...deps, closing: closing.signal, metricsPath });
  if (deps.pages) app.route("/", deps.pages.routes);
  app.on(["GET", "POST", "DELETE"], MCP_PATH, (context) => mcp.handle(context));
  app.notFound(onUnknown(routes));
  app.onError(onFailure(log));
  return app;
}

/** What is served to callers without a token. */
function openPaths({ config, pages }: HttpDeps, metricsPath: string | null): ReadonlySet<string> {
  const isPublic = config.settings.observability.metrics_public && metricsPath !== null;
  return new Set(["/health", ...isPublic ? [metricsPath] : [], ...pages?.open ?? []]);
}

/** A connection that is still open must not start anything any more. */
function refuseWhenClosing(closing: AbortSignal) {
  return (context: Parameters<typeof failWith>[0], next: () => Promise<void>): Promise<Response | void> => {
    if (!closing.aborted) return next();
    const headers = { Connection: "close", "Retry-After": "1" };
    const refused = failWith(context, "INTERNAL", "the server is stopping", "Connect again in a moment.", {
      status: 503,
      headers,
    });
    return Promise.resolve(refused);
  };
}
