/** `GET /`: leads browsers to the operator's page, and tells programs where everything is. @module */
import { Hono } from "hono";
import { VERSION } from "../../../core/version.ts";
import { type Env, json, MCP_PATH, redirectTo, wantsPage } from "../reply.ts";

/** What a program is told. */
const DIRECTORY = {
  name: "llmc-mcp",
  version: VERSION,
  mcp: MCP_PATH,
  tool: "POST /tool",
  docs: "/docs",
  openapi: "/openapi.json",
  health: "/health",
};

/** Serves the route. @param page Path that browsers are sent to. */
export function entryRoute(page: string): Hono<Env> {
  return new Hono<Env>().get(
    "/",
    (context) => wantsPage(context) ? redirectTo(context, page) : json(context, DIRECTORY),
  );
}
