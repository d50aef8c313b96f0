/** `GET /openapi.json` and `GET /docs`: what this server serves, for programs and for people. @module */
import { Hono } from "hono";
import { docsPage, PAGE_POLICY } from "../docs_page.ts";
import type { OpenApi } from "../openapi.ts";
import { type Env, json, text } from "../reply.ts";

/** Serves both from one description, which is made when it is first asked for. */
export function docsRoutes(describe: () => OpenApi): Hono<Env> {
  let made: OpenApi | undefined, page: string | undefined;
  const description = () => made ??= describe();
  return new Hono<Env>()
    .get("/openapi.json", (context) => json(context, description()))
    .get("/docs", (context) => {
      page ??= docsPage(description());
      return text(context, page, "text/html; charset=utf-8", 200, { "Content-Security-Policy": PAGE_POLICY });
    });
}
