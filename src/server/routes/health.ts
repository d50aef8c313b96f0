/** `GET /health`: alive or not, and for who is authenticated also how the server does. @module */
import { Hono } from "hono";
import { VERSION } from "../../core/version.ts";
import { type Env, json } from "../reply.ts";

/** Serves the route. `details` is asked only for callers with the token. */
export function healthRoute(details: () => Promise<Readonly<Record<string, unknown>>>): Hono<Env> {
  return new Hono<Env>().get("/health", async (context) => {
    const alive = { ok: true, version: VERSION };
    return json(context, context.get("authenticated") ? { ...alive, ...await details() } : alive);
  });
}
