/** The HTTP face: middleware in the order that their reasons demand, then the routes. @module */
import { Hono } from "hono";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import type { Logger } from "../obs/log.ts";
import type { Metrics } from "../obs/metrics.ts";
import { listen, type Listener } from "../sys/http_listener.ts";
import type { Envelope } from "../te/envelope.ts";
import type { SessionContext } from "../te/tool.ts";
import type { makeMcp } from "./mcp.ts";
import { accessLog } from "./middleware/access_log.ts";
import { auth } from "./middleware/auth.ts";
import { bodyLimit } from "./middleware/body_limit.ts";
import { acceptedHosts, hostGuard } from "./middleware/host_guard.ts";
import { requestId } from "./middleware/request_id.ts";
import { type Env, fail, failWith } from "./reply.ts";
import { healthRoute } from "./routes/health.ts";
import { type McpRoute, mcpRoute } from "./routes/mcp.ts";
import { toolRoute } from "./routes/tool.ts";

/** What the face needs. */
export interface HttpDeps {
  readonly config: Config;
  readonly token: string | null;
  readonly tls: { cert: string; key: string } | null;
  readonly envelope: Envelope;
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: () => Promise<Readonly<Record<string, unknown>>>;
  readonly onSessionEnd: (owner: string) => void;
  readonly newId: () => string;
  readonly now: () => number;
}

/** A listening face. */
export interface HttpFace {
  readonly url: string;
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 30_000;
const SHUTDOWN_GRACE_MS = 800;
const MAX_SESSIONS = 256;

/** Builds the app and listens. */
export function serveOverHttp(deps: HttpDeps): HttpFace {
  const mcp = makeMcpRoute(deps);
  const app = buildApp(deps, mcp);
  const listener = open(deps, app);
  const sweeper = setInterval(() => mcp.sweep(), SWEEP_INTERVAL_MS);
  return {
    url: listener.url,
    async close() {
      clearInterval(sweeper);
      await mcp.close();
      await listener.close(SHUTDOWN_GRACE_MS);
    },
  };
}

function open(deps: HttpDeps, app: Hono<Env>): Listener {
  const { host, port } = deps.config.settings.server;
  return listen({
    hostname: host,
    port,
    tls: deps.tls,
    handle: (request, peerAddress) => app.fetch(request, { peerAddress }),
    onError(error) {
      deps.log.error("http", { detail: error instanceof Error ? error.message : String(error) });
      return new Response(null, { status: 500 });
    },
  });
}

function makeMcpRoute({ config, makeServer, log, now, onSessionEnd }: HttpDeps): McpRoute {
  const { server, limits, linux_ops } = config.settings;
  return mcpRoute({
    makeServer,
    hosts: acceptedHosts({ host: server.host, allowedHosts: server.allowed_hosts }),
    origins: [...acceptedHosts({ host: server.host, allowedHosts: [] }), ...server.allowed_origins.map(originHost)],
    maxBodyBytes: limits.max_request_bytes,
    maxSessions: MAX_SESSIONS,
    idleMs: linux_ops.process_limits.idle_ttl_sec * 1000,
    log,
    now,
    onSessionEnd,
  });
}

/** The SDK's middleware compares origins by host name. */
function originHost(origin: string): string {
  return new URL(origin).hostname;
}

function buildApp(deps: HttpDeps, mcp: McpRoute): Hono<Env> {
  const { config, metrics } = deps;
  const { server, auth: authSettings, limits, session } = config.settings;
  const app = new Hono<Env>();
  app.use(requestId(deps.newId)); // first, so that every answer and log line carries it
  app.use(accessLog(deps.log, metrics, deps.now)); // second, so that it sees what the others refuse
  app.use(
    hostGuard({
      host: server.host,
      allowedHosts: server.allowed_hosts,
      allowedOrigins: server.allowed_origins,
      metrics,
    }),
  );
  app.use(bodyLimit({ bodyBytes: limits.max_request_bytes, headerBytes: limits.max_header_bytes })); // before anything that buffers
  app.use(auth({ token: deps.token, header: authSettings.header, open: ["/health"], metrics }));
  app.route("/", healthRoute(deps.health));
  app.route(
    "/",
    toolRoute(deps.envelope, (sessionId): SessionContext => ({
      agentId: session.default_agent_id,
      sessionId,
      model: session.default_model,
      budgetProfile: session.budget_profile,
    })),
  );
  app.all("/mcp", (context) => mcp.app.fetch(atRoot(context.req.raw), { outer: context.var }));
  app.notFound((context) =>
    failWith(context, "NOT_FOUND", `there is no ${context.req.method} ${context.req.path}`, "See GET /openapi.json.")
  );
  app.onError((error, context) => {
    if (error instanceof OpsError) return fail(context, error);
    deps.log.error("unexpected error", { cid: context.get("correlationId"), stack: error.stack ?? error.message });
    return failWith(context, "INTERNAL", "something went wrong inside the server");
  });
  return app;
}

/** The SDK's app knows one path, its own root. */
function atRoot(request: Request): Request {
  return new Request(new URL("/", request.url), request);
}
