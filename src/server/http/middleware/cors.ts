/** Allows the configured origins to read responses; without any, no other site can. @module */
import type { MiddlewareHandler } from "hono";
import { cors as honoCors } from "hono/cors";
import { LABEL_HEADERS } from "../../mcp/session_labels.ts";
import type { Env } from "../reply.ts";

/** Which pages, and which header carries the token. */
export interface CorsOptions {
  /** As `scheme://host[:port]`. */
  readonly allowedOrigins: readonly string[];
  readonly tokenHeader: string;
}

const MCP_HEADERS = ["Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Last-Event-ID"];
const PREFLIGHT_SECONDS = 600;

/** Answers preflights and marks answers for those origins. */
export function cors({ allowedOrigins, tokenHeader }: CorsOptions): MiddlewareHandler<Env> {
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const handle = honoCors({
    origin: (origin) => origins.has(origin.toLowerCase()) ? origin : null,
    allowMethods: ["GET", "POST", "DELETE"],
    allowHeaders: [
      "Content-Type",
      "Authorization",
      tokenHeader,
      "X-Correlation-Id",
      ...Object.values(LABEL_HEADERS),
      ...MCP_HEADERS,
    ],
    exposeHeaders: ["X-Correlation-Id", "Retry-After", "WWW-Authenticate", "Mcp-Session-Id"],
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (context, next) => {
    const origin = context.req.raw.headers.get("Origin");
    if (origin === null || !origins.has(origin.toLowerCase())) return await next();
    return await handle(context, next);
  };
}
