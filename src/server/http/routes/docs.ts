/** `GET /openapi.json` and `GET /docs`: describes the API for programs and for people. @module */
import { Hono } from "hono";
import { type ApiDescriptionDeps, makeApiDescription } from "../api_description.ts";
import { docsPage, PAGE_POLICY } from "../docs_page.ts";
import { type Env, json, text } from "../reply.ts";

/** Serves both from one description. */
export function docsRoutes(deps: ApiDescriptionDeps): Hono<Env> {
  const describe = makeApiDescription(deps), headers = { "Content-Security-Policy": PAGE_POLICY };
  return new Hono<Env>()
    .get("/openapi.json", (context) => json(context, describe()))
    .get("/docs", (context) => text(context, docsPage(describe()), "text/html; charset=utf-8", 200, headers));
}
