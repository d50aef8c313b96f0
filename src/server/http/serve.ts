/** HTTP transport: listens, and shuts down gracefully. @module */
import type { HttpDeps, RunningTransport } from "./deps.ts";
import { sleep } from "../../core/time.ts";
import type { Hono } from "hono";
import { OpsError } from "../../core/error.ts";
import { listen, type Listener } from "../../sys/http/listener.ts";
import { httpApp } from "./app.ts";
import type { Env } from "./reply.ts";
import { type McpRoute, mcpRoute } from "./routes/mcp.ts";
import { makeRateQueue, type RateQueue } from "./rate_queue.ts";
import { makeTokenBuckets } from "./token_bucket.ts";

/** A listening face. */
export interface HttpFace {
  readonly url: string;
  close(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 30_000;
/** From the signal on: calls may end by themselves, then they are cancelled and may answer, then connections are cut. */
const CALL_GRACE_MS = 500, ANSWER_GRACE_MS = 200;
const POLL_MS = 10;
const MAX_CONNECTIONS = 1_024;
const MAX_KEYS = 4_096;

/** Builds the app and listens. */
export function serveOverHttp(deps: HttpDeps): HttpFace {
  const closing = new AbortController(), queue = makeQueue(deps, closing.signal);
  const running: RunningTransport = { queue, mcp: makeMcpRoute(deps, queue), closing };
  const listener = open(deps, httpApp(deps, running));
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
  while (envelope.running() > 0 && now() < untilMs) await sleep(POLL_MS);
}

function open({ config: { settings }, tls, log, now, newId }: HttpDeps, app: Hono<Env>): Listener {
  return listen({
    hostname: settings.server.host,
    port: settings.server.port,
    tls,
    maxConnections: MAX_CONNECTIONS,
    idleTimeoutMs: settings.tools.idle_timeout * 1000,
    now,
    handle: (request, peer) => app.fetch(request, { peer }),
    onError(error) {
      // Only what is thrown and is no Error comes this far.
      const body = new OpsError("INTERNAL", "something went wrong inside the server").body(newId());
      log.error("unexpected error", { cid: body.correlation_id, detail: String(error) });
      return Response.json(body, { status: 500, headers: { "X-Correlation-Id": body.correlation_id } });
    },
    onPeerFault: (detail) => log.debug("a connection ended badly", { detail }),
    onAcceptFault: (detail) => log.warn("no connection can be accepted", { detail }),
  });
}

function makeQueue({ config, now }: HttpDeps, closing: AbortSignal): RateQueue {
  const buckets = makeTokenBuckets({
    get perSecond() {
      return config.settings.limits.rate_limit_rps;
    },
    get burst() {
      return config.settings.limits.rate_limit_burst;
    },
    maxKeys: MAX_KEYS,
    now,
  });
  return makeRateQueue({
    buckets,
    get maxQueued() {
      return config.settings.limits.max_queued;
    },
    closing,
  });
}

function makeMcpRoute(deps: HttpDeps, queue: RateQueue): McpRoute {
  const { tools, limits, linux_ops } = deps.config.settings;
  return mcpRoute({
    makeServer: deps.makeServer,
    watches: deps.watches,
    changes: deps.changes,
    limits: { maxBytes: limits.max_request_bytes, idleMs: tools.idle_timeout * 1000 },
    get maxBatch() {
      return deps.config.settings.limits.concurrency_per_token;
    },
    queue,
    maxSessions: limits.max_sessions,
    idleMs: linux_ops.process_limits.idle_ttl_sec * 1000,
    log: deps.log,
    metrics: deps.metrics,
    now: deps.now,
  });
}
