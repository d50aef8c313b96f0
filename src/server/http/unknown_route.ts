/** Answers requests without a route (404, 405, OPTIONS), and errors that a route throws. @module */
import type { Context, Hono } from "hono";
import { OpsError } from "../../core/error.ts";
import type { Logger } from "../../obs/log.ts";
import { type Env, fail, failWith, text } from "./reply.ts";

/** The routes of an app, by path; read when first asked, so that it may be made before the routes are. */
export interface RouteTable {
  has(path: string): boolean;
  /** Methods of a path, HEAD and OPTIONS among them; empty when there is no such path. */
  methods(path: string): readonly string[];
}

/** Reads the table from the app. */
export function routeTable(app: Hono<Env>): RouteTable {
  let table: Map<string, string[]> | undefined;
  const read = () => table ??= readRoutes(app);
  return {
    has: (path) => read().has(path),
    methods: (path) => read().get(path) ?? [],
  };
}

function readRoutes(app: Hono<Env>): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const { path, method } of app.routes) {
    if (path.includes("*")) continue; // middleware
    const methods = method === "GET" ? ["GET", "HEAD"] : [method];
    table.set(path, [...table.get(path) ?? [], ...methods]);
  }
  for (const methods of table.values()) methods.push("OPTIONS");
  return table;
}

/** 404 where there is no such path, 405 where it does not take the method. */
export function onUnknown(routes: RouteTable): (context: Context<Env>) => Response {
  return (context) => {
    const { method } = context.req, path = context.req.path.slice(0, 200);
    const methods = routes.methods(context.req.path);
    const headers = { Allow: methods.join(", ") };
    if (methods.length === 0) {
      return failWith(context, "NOT_FOUND", `there is no ${path}`, "GET /docs lists the routes.");
    }
    if (method === "OPTIONS") return text(context, null, "", 204, headers);
    const message = `${path} does not take ${method.slice(0, 20)}`;
    return failWith(context, "BAD_ARGS", message, `Use ${methods.slice(0, -1).join(" or ")}.`, {
      status: 405,
      headers,
    });
  };
}

/** What a route threw: an error with a code, or a fault that only the log is told of. */
export function onFailure(log: Logger): (error: Error, context: Context<Env>) => Response {
  return (error, context) => {
    if (error instanceof OpsError) return fail(context, error);
    log.error("unexpected error", { cid: context.get("correlationId"), stack: error.stack ?? error.message });
    return failWith(context, "INTERNAL", "something went wrong inside the server");
  };
}
