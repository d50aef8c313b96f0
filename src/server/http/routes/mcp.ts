/** `ALL /mcp`: Streamable HTTP in both protocol eras, with sessions for the older one. @module */
import { encodeText } from "../../../core/bytes.ts";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as LegacyTransport,
} from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { OpsError } from "../../../core/error.ts";
import type { Logger } from "../../../obs/log.ts";
import type { Metrics } from "../../../obs/metrics.ts";
import type { ListChanges } from "../../mcp/changes.ts";
import { makeListens, shareWatches } from "../../mcp/listens.ts";
import type { makeMcp } from "../../mcp/server.ts";
import type { Watches } from "../../mcp/watches.ts";
import { keepAlive } from "../keep_alive.ts";
import { type BodyLimits, readJson } from "../read_body.ts";
import type { RateQueue } from "../rate_queue.ts";
import { dress, type Env, fail, failOverRate, isEventStream } from "../reply.ts";

/** What the route needs. */
export interface McpRouteOptions {
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly watches: Watches;
  readonly changes: ListChanges;
  readonly limits: BodyLimits;
  /** Messages of one request; each counts like a request of its own. May change. */
  readonly maxBatch: number;
  readonly queue: RateQueue;
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "rateLimited">;
  readonly now: () => number;
}

interface Session {
  readonly transport: LegacyTransport;
  readonly principal: string;
  lastUsedMs: number;
  /** Requests that are being answered, streams among them; a session at work is not idle. */
  active: number;
}

/** A running route. */
export interface McpRoute {
  handle(context: Context<Env>): Promise<Response>;
  /** Ends sessions that were idle too long. */
  sweep(): void;
  sessions(): number;
  close(): Promise<void>;
}

/** Serves the route. */
export function mcpRoute(options: McpRouteOptions): McpRoute {
  const sessions = new Map<string, Session>();
  const onerror = (error: Error) => options.log.warn("mcp", { detail: error.message });
  const modern = createMcpHandler(
    ({ authInfo }) => options.makeServer({ owner: authInfo?.clientId ?? "anonymous", sessionId: "-", lasting: false }),
    { onerror, maxRequestBodySize: options.limits.maxBytes },
  );
  const news = { tools: "toolsChanged", prompts: "promptsChanged", resources: "resourcesChanged" } as const;
  const stopNews = options.changes.subscribe((list) => modern.notify[news[list]]());
  const watches = shareWatches(options.watches);

  const end = (id: string) => void sessions.delete(id);

  async function openSession(context: Context<Env>, parsedBody: unknown): Promise<Response> {
    const owner = context.get("principal");
    makeRoom(sessions, options.maxSessions);
    if (sessions.size >= options.maxSessions) {
      options.metrics.rateLimited("sessions");
      return fail(context, new OpsError("RATE_LIMITED", `${options.maxSessions} sessions are open and in use`));
    }
    const id = crypto.randomUUID(), peer = { owner, sessionId: id, lasting: true };
    const transport = new LegacyTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        sessions.set(id, { transport, principal: owner, lastUsedMs: options.now(), active: 0 });
      },
    });
    await options.makeServer(peer).connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      end(id);
    };
    const response = await transport.handleRequest(context.req.raw, { parsedBody });
    if (!sessions.has(id)) await transport.close(); // it was refused: its server must not wait for news for ever
    return response;
  }

  async function legacy(context: Context<Env>, parsedBody: unknown): Promise<Response> {
    const id = context.req.raw.headers.get("mcp-session-id");
    if (id === null) {
      if (!isInitializeRequest(parsedBody)) return refuse(400, -32000, "Bad Request: session id required");
      return await openSession(context, parsedBody);
    }
    const session = sessions.get(id);
    // Another principal's session answers exactly like one that does not exist.
    if (!session || session.principal !== context.get("principal")) return refuse(404, -32001, "Session not found");
    session.active++;
    const done = () => {
      session.active--;
      session.lastUsedMs = options.now();
    };
    const response = await session.transport.handleRequest(context.req.raw, { parsedBody }).catch((error: unknown) => {
      done();
      throw error;
    });
    if (!isEventStream(response)) {
      done();
      return response;
    }
    void context.env.peer.completed.then(done);
    return context.req.method === "GET" ? withOpening(response) : response;
  }

  async function answer(context: Context<Env>): Promise<Response> {
    const request = context.req.raw;
    let parsedBody: unknown;
    if (request.method === "POST") {
      parsedBody = await readJson(request, options.limits);
      const refused = await checkBatch(context, parsedBody, options);
      if (refused) return refused;
    }
    if (await isLegacyRequest(request, parsedBody)) return await legacy(context, parsedBody);
    const authInfo = { token: "", clientId: context.get("principal"), scopes: [] };
    await watchFor(context, parsedBody);
    const coming = modern.fetch(request, { authInfo, parsedBody });
    return await (Object(parsedBody).method === "tools/call" ? keepAlive(coming) : coming);
  }

  /** What a stream listens to is watched before its client is told so, and until it ends. */
  async function watchFor(context: Context<Env>, parsedBody: unknown): Promise<void> {
    const listens = makeListens(watches, context.get("principal"), (uri) => modern.notify.resourceUpdated(uri));
    const watched = listens.look(parsedBody);
    if (!watched) return;
    void context.env.peer.completed.then(() => listens.close());
    await watched;
  }

  return {
    handle: async (context) => dress(context, await answer(context)),
    sweep() {
      const oldest = options.now() - options.idleMs;
      for (const [id, session] of sessions) {
        if (session.active === 0 && session.lastUsedMs < oldest) void session.transport.close().finally(() => end(id));
      }
    },
    sessions: () => sessions.size,
    async close() {
      stopNews();
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      await modern.close();
    },
  };
}

/** A batch is many requests in one: it passes the limits as that many. */
async function checkBatch(
  context: Context<Env>,
  body: unknown,
  { maxBatch, queue, metrics }: McpRouteOptions,
): Promise<Response | undefined> {
  if (!Array.isArray(body) || body.length < 2) return undefined;
  if (body.length > maxBatch) return refuse(400, -32600, `Invalid Request: at most ${maxBatch} messages in one batch`);
  const waitMs = await queue.enter(context.get("principal"), body.length - 1, context.req.raw.signal);
  if (waitMs === 0) return undefined;
  metrics.rateLimited("rate");
  return failOverRate(context, waitMs);
}

/** Drops the session that was idle longest when the table is full, of the principal that has most of them. */
function makeRoom(sessions: Map<string, Session>, max: number): void {
  if (sessions.size < max) return;
  const byPrincipal = Map.groupBy(sessions.values(), ({ principal }) => principal);
  const [most = []] = [...byPrincipal.values()].sort((a, b) => b.length - a.length);
  const idle = most.filter(({ active }) => active === 0).sort((a, b) => a.lastUsedMs - b.lastUsedMs);
  void idle[0]?.transport.close();
}

/** A stream that begins with a comment: a proxy that speaks HTTP/2 may keep the head back until something follows. */
function withOpening(response: Response): Response {
  const opening = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encodeText(": open\n\n")),
  });
  return new Response(response.body?.pipeThrough(opening), response);
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
