/** Assigns a correlation id to every request: the client's when well formed, else a new one. @module */
import type { MiddlewareHandler } from "hono";
import type { Env } from "../reply.ts";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** Leaves `correlationId`; whatever makes an answer returns it as `X-Correlation-Id`. */
export function requestId(newId: () => string): MiddlewareHandler<Env> {
  return (context, next) => {
    const given = context.req.raw.headers.get("X-Correlation-Id");
    context.set("correlationId", given !== null && WELL_FORMED.test(given) ? given : newId());
    return next();
  };
}
