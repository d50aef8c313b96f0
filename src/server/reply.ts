/** Answers in the one shape of this server, for the routes that are not MCP. @module */
import type { Context } from "hono";
import { type ErrorCode, OpsError } from "../core/error.ts";

/** What middleware leaves for those behind it. */
export interface Variables {
  correlationId: string;
  /** Names the token that was used; "anonymous" without one. */
  tokenId: string;
  authenticated: boolean;
  peerAddress: string;
}

/** Environment of every Hono app of this server. */
export type Env = { Variables: Variables; Bindings: { peerAddress: string } };

/** Error answer. The status is the code's own unless HTTP has a more exact one. */
export function fail(context: Context<Env>, error: OpsError, status = error.status): Response {
  return json(context, error.body(context.get("correlationId")), status);
}

/** Error answer from a code. */
export function failWith(
  context: Context<Env>,
  code: ErrorCode,
  message: string,
  hint?: string,
  status?: number,
): Response {
  const error = new OpsError(code, message, hint);
  return fail(context, error, status ?? error.status);
}

/** JSON with the content type that the specification names. */
export function json(context: Context<Env>, value: unknown, status = 200): Response {
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  return new Response(JSON.stringify(value), { status, headers: mergeHeaders(context, headers) });
}

function mergeHeaders(context: Context<Env>, headers: Record<string, string>): Headers {
  const merged = new Headers(headers);
  merged.set("X-Correlation-Id", context.get("correlationId"));
  return merged;
}
