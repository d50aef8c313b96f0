/** Refuses new requests on open connections while the server stops. @module */
import type { MiddlewareHandler } from "hono";
import { type Env, failWith } from "../reply.ts";

/** Answers 503 to everything once the signal aborted. */
export function refuseWhenClosing(closing: AbortSignal): MiddlewareHandler<Env> {
  return (context, next) => {
    if (!closing.aborted) return next();
    const headers = { Connection: "close", "Retry-After": "1" };
    const hint = "Connect again in a moment.";
    return Promise.resolve(failWith(context, "INTERNAL", "the server is stopping", hint, { status: 503, headers }));
  };
}
