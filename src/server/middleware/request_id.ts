/** Gives every request a correlation id: the client's when it is well formed, else a new one. @module */
import type { MiddlewareHandler } from "hono";
import type { Env } from "../reply.ts";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** Sets and returns `X-Correlation-Id`. */
export function requestId(newId: () => string): MiddlewareHandler<Env> {
  return async (context, next) => {
    const given = context.req.header("X-Correlation-Id");
    context.set("correlationId", given !== undefined && WELL_FORMED.test(given) ? given : newId());
    context.set("peerAddress", context.env.peerAddress);
    await next();
    context.header("X-Correlation-Id", context.get("correlationId"));
  };
}
