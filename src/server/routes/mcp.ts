/** `ALL /mcp`: Streamable HTTP in both protocol eras, sessions for the older one. @module */
import { createMcpHonoApp } from "@modelcontextprotocol/hono";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as LegacyTransport,
} from "@modelcontextprotocol/server";
import type { Context, Hono } from "hono";
import type { Logger } from "../../obs/log.ts";
import type { makeMcp } from "../mcp.ts";
import type { Env } from "../reply.ts";

/** What the route needs. */
export interface McpRouteOptions {
  readonly makeServer: ReturnType<typeof makeMcp>;
  readonly hosts: string[];
  readonly origins: string[];
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly log: Logger;
  readonly now: () => number;
  /** A session has ended: what it owns can go. */
  readonly onSessionEnd: (owner: string) => void;
}

interface Session {
  readonly transport: LegacyTransport;
  readonly owner: string;
  readonly tokenId: string;
  lastUsedMs: number;
  /** Requests that are being answered; a session at work is not idle. */
  active: number;
}

/** A running route. */
export interface McpRoute {
  readonly app: Hono;
  /** Ends sessions that were idle too long. */
  sweep(): void;
  sessions(): number;
  close(): Promise<void>;
}

/** Serves the route. */
export function mcpRoute(options: McpRouteOptions): McpRoute {
  const sessions = new Map<string, Session>();
  const onerror = (error: Error) => options.log.warn("mcp", { detail: error.message });
  // The stateless era: whoever holds the token is one owner.
  const modern = createMcpHandler(
    ({ authInfo }) => options.makeServer(peerOf(authInfo?.clientId ?? "anonymous", "-")),
    {
      onerror,
      maxRequestBodySize: options.maxBodyBytes,
    },
  );

  const end = (id: string) => {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    options.onSessionEnd(session.owner);
  };

  async function openSession(request: Request, tokenId: string, parsedBody: unknown): Promise<Response> {
    makeRoom(sessions, options.maxSessions);
    if (sessions.size >= options.maxSessions) return refuse(503, -32000, "Too many sessions");
    const id = crypto.randomUUID(), peer = peerOf(tokenId, id);
    const transport = new LegacyTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        sessions.set(id, { transport, owner: peer.owner, tokenId, lastUsedMs: options.now(), active: 0 });
      },
    });
    await options.makeServer(peer).connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      end(id);
    };
    return transport.handleRequest(request, { parsedBody });
  }

  async function legacy(context: Context, tokenId: string): Promise<Response> {
    const request = context.req.raw, parsedBody = context.get("parsedBody");
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      if (!isInitializeRequest(parsedBody)) return refuse(400, -32000, "Bad Request: session id required");
      return await openSession(request, tokenId, parsedBody);
    }
    const session = sessions.get(id);
    // Another token's session answers exactly like one that does not exist.
    if (!session || session.tokenId !== tokenId) return refuse(404, -32001, "Session not found");
    session.lastUsedMs = options.now();
    session.active++;
    try {
      return await session.transport.handleRequest(request, { parsedBody });
    } finally {
      session.active--;
      session.lastUsedMs = options.now();
    }
  }

  const app = createMcpHonoApp({
    allowedHosts: options.hosts,
    allowedOrigins: options.origins,
    maxRequestBodySize: options.maxBodyBytes,
  });
  app.all("/", async (context: Context) => {
    const outer: Env["Variables"] = context.env.outer;
    const request = context.req.raw, parsedBody = context.get("parsedBody");
    if (await isLegacyRequest(request, parsedBody)) return await legacy(context, outer.tokenId);
    const authInfo = { token: "", clientId: outer.tokenId, scopes: [] };
    return await modern.fetch(request, { authInfo, parsedBody });
  });
  return {
    app,
    sweep() {
      const oldest = options.now() - options.idleMs;
      for (const [id, session] of sessions) {
        if (session.active === 0 && session.lastUsedMs < oldest) void session.transport.close().finally(() => end(id));
      }
    },
    sessions: () => sessions.size,
    async close() {
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      await modern.close();
    },
  };
}

function peerOf(tokenId: string, session: string) {
  return { owner: `${tokenId}/${session}`, sessionId: session };
}

/** Drops the session that was idle longest when the table is full. */
function makeRoom(sessions: Map<string, Session>, max: number): void {
  if (sessions.size < max) return;
  const idle = [...sessions.values()].filter(({ active }) => active === 0).sort((a, b) => a.lastUsedMs - b.lastUsedMs);
  void idle[0]?.transport.close();
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
