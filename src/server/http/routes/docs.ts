/** `GET /openapi.json` and `GET /docs`: describes the API for programs and for people. @module */
import { type HttpDeps } from "../deps.ts";
import { type Context, Hono } from "hono";
import type { Settings } from "../../../config/schema.ts";
import { docsPage, PAGE_POLICY } from "../docs_page.ts";
import { describeApi, type OpenApi } from "../openapi.ts";
import { type Env, json, redirectTo, text } from "../reply.ts";
import { DOCS_AFTER_LOGIN } from "../../ui/cookie.ts";

/** What is described. */
export interface DocsDeps extends Pick<HttpDeps, "config" | "catalog"> {
  readonly metricsPath: string | null;
  /** Whether there is a page where a browser can log in. */
  readonly hasPages: boolean;
}

/** The login form, which leads back there. */
const LOGIN = "/ui/login?page=docs";

/** Serves both from one description, which is made when it is first asked for and again when settings changed. */
export function docsRoutes({ config, catalog, metricsPath, hasPages }: DocsDeps): Hono<Env> {
  let made: { settings: Settings; api: OpenApi; page?: string } | undefined;
  const current = () => {
    const { settings } = config;
    if (made?.settings !== settings) made = { settings, api: describeApi({ catalog, settings, metricsPath }) };
    return made;
  };
  const show = (context: Context<Env>) => {
    const description = current();
    description.page ??= docsPage(description.api);
    const headers = { "Content-Security-Policy": PAGE_POLICY };
    return text(context, description.page, "text/html; charset=utf-8", 200, headers);
  };
  const routes = new Hono<Env>().get("/openapi.json", (context) => json(context, current().api)).get("/docs", show);
  if (!hasPages) return routes;
  return routes.get(
    DOCS_AFTER_LOGIN,
    (context) => context.get("authenticated") ? show(context) : redirectTo(context, LOGIN),
  );
}
