/** `GET /openapi.json` and `GET /docs`: API description for programs and for people. @module */
import { Hono } from "hono";
import type { Settings } from "../../../config/schema.ts";
import { docsPage, PAGE_POLICY } from "../docs_page.ts";
import type { HttpDeps } from "../serve.ts";
import { describeApi, type OpenApi } from "../openapi.ts";
import { type Env, json, text } from "../reply.ts";

/** What is described. */
export interface DocsDeps extends Pick<HttpDeps, "config" | "catalog"> {
  readonly metricsPath: string | null;
}

/** Serves both from one description, which is made when it is first asked for and again when settings changed. */
export function docsRoutes({ config, catalog, metricsPath }: DocsDeps): Hono<Env> {
  let made: { settings: Settings; api: OpenApi; page?: string } | undefined;
  const current = () => {
    const { settings } = config;
    if (made?.settings !== settings) made = { settings, api: describeApi({ catalog, settings, metricsPath }) };
    return made;
  };
  return new Hono<Env>()
    .get("/openapi.json", (context) => json(context, current().api))
    .get("/docs", (context) => {
      const description = current();
      description.page ??= docsPage(description.api);
      const headers = { "Content-Security-Policy": PAGE_POLICY };
      return text(context, description.page, "text/html; charset=utf-8", 200, headers);
    });
}
