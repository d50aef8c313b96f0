/** `GET /health`: liveness, and details for authenticated clients. @module */
import { Hono } from "hono";
import { VERSION } from "../../../core/version.ts";
import { type Env, json, text } from "../reply.ts";

const ALIVE = { ok: true, version: VERSION };
/** Asked often and always the same. */
const ALIVE_TEXT = JSON.stringify(ALIVE);

/** Serves the route. `details` is asked only for callers with the token. */
export function healthRoute(details: () => Promise<Readonly<Record<string, unknown>>>): Hono<Env> {
  return new Hono<Env>().get("/health", async (context) => {
    if (!context.get("authenticated")) return text(context, ALIVE_TEXT, "application/json; charset=utf-8");
    return json(context, { ...ALIVE, ...await details() });
  });
}
