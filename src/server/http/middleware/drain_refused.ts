/**
 * Reads what is left of the body of a refused request. Over HTTP/2 a stream that ends before its body is reset, and some
 * clients (curl 7.88) then report the reset instead of the answer.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import type { Env } from "../reply.ts";

/** Past these bounds the client gets the reset. */
export interface DrainBounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Drains bodies that were not read. */
export function drainRefused(
  { bytes, ms }: DrainBounds = { bytes: 16 * 1024 * 1024, ms: 2_000 },
): MiddlewareHandler<Env> {
  return async (context, next) => {
    await next();
    const { body, bodyUsed } = context.req.raw;
    if (context.res.status < 400 || body === null || bodyUsed) return;
    const reader = body.getReader();
    const timer = setTimeout(() => void reader.cancel().catch(() => {}), ms);
    try {
      for (let left = bytes; left > 0;) {
        const { done, value } = await reader.read();
        if (done) break;
        left -= value.length;
      }
    } catch {
      // the client went away
    } finally {
      clearTimeout(timer);
    }
  };
}
