/** Builds responses in one format, with the headers that all of them carry. @module */
import type { Peer } from "../../sys/http/connection_pool.ts";
import type { Context } from "hono";
import { type ErrorBody, type ErrorCode, OpsError } from "../../core/error.ts";

/** What middleware leaves for those behind it. */
export interface Variables {
  correlationId: string;
  /** Who calls; owns the handles and processes of its calls, and is what limits are counted by. */
  principal: string;
  /** Whether the caller has proved that it knows the token. */
  hasProof: boolean;
  authenticated: boolean;
}

/** Environment of every Hono app of this server. */
export type Env = { Variables: Variables; Bindings: { peer: Peer } };

/** Path under which errors are JSON-RPC errors, because its clients read nothing else. */
export const MCP_PATH = "/mcp";

/** Whether a path is the MCP endpoint, also with a slash at its end as some clients write it. */
export function isMcpPath(path: string): boolean {
  return path === MCP_PATH || path === `${MCP_PATH}/`;
}

const JSON_TYPE = "application/json; charset=utf-8";
/** JSON-RPC's own code for a body that is no JSON, and the first of those that an implementation defines. */
const PARSE_ERROR = -32700, SERVER_ERROR = -32000;

/** Nothing of this server is to be framed, guessed at, kept by a cache, or told to other sites. */
const SECURITY: readonly (readonly [string, string])[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];
/** No page of this server loads anything from anywhere, unless it says so itself. */
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What an error answer may need besides the error. */
export interface FailOptions {
  /** Where HTTP has a more exact one than the code. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Error answer. */
export function fail(context: Context<Env>, error: OpsError, { status, headers = {} }: FailOptions = {}): Response {
  const body = error.body(context.get("correlationId"));
  const code = status ?? error.status;
  const answer = isMcpPath(context.req.path) ? rpcError(body, code === 400 ? PARSE_ERROR : SERVER_ERROR) : body;
  // Every client is told when to come back, even where the time cannot be known.
  const retry = code === 429 && !("Retry-After" in headers) ? { "Retry-After": "1" } : {};
  return json(context, answer, code, { ...retry, ...headers });
}

/**
 * Error answer of a REST call: `code` is one of the six that the specification of these routes has, `detail_code` the one
 * that the tool gave.
 */
export function failCall(context: Context<Env>, error: OpsError): Response {
  const { code, ...rest } = error.body(context.get("correlationId"));
  const { status } = error, headers = status === 429 ? { "Retry-After": "1" } : {};
  return json(
    context,
    { code: SPECIFIED.get(status) ?? (status >= 500 ? "INTERNAL" : "BAD_ARGS"), detail_code: code, ...rest },
    status,
    headers,
  );
}

/** The specification's code for a status; others are arguments that do not fit, or faults of the server. */
const SPECIFIED: ReadonlyMap<number, ErrorCode> = new Map([
  [401, "AUTH_FAILED"],
  [403, "FORBIDDEN"],
  [413, "TOO_LARGE"],
  [429, "RATE_LIMITED"],
]);

function rpcError(data: ErrorBody, code: number): object {
  return { jsonrpc: "2.0", id: null, error: { code, message: `${data.code}: ${data.message}`, data } };
}

/** Error answer from a code. */
export function failWith(
  context: Context<Env>,
  code: ErrorCode,
  message: string,
  hint?: string,
  options?: FailOptions,
): Response {
  return fail(context, new OpsError(code, message, hint), options);
}

/** Answer to a request over the rate for which there is no place in the queue. */
export function failOverRate(context: Context<Env>, waitMs: number): Response {
  const headers = { "Retry-After": String(Math.ceil(waitMs / 1000)) };
  const message = "more requests than allowed for one token, and the queue is full";
  return failWith(context, "RATE_LIMITED", message, undefined, { headers });
}

/** JSON with the content type that the specification names. */
export function json(
  context: Context<Env>,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return text(context, JSON.stringify(value), JSON_TYPE, status, headers);
}

/** Any text. */
export function text(
  context: Context<Env>,
  body: string | null,
  contentType: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all: [string, string][] = [["X-Correlation-Id", context.get("correlationId")]];
  if (body !== null) all.push(["Content-Type", contentType]);
  for (const [name, value] of SECURITY) all.push([name, value]);
  if (!("Content-Security-Policy" in headers)) all.push(["Content-Security-Policy", NO_CONTENT_POLICY]);
  for (const name in headers) all.push([name, headers[name] ?? ""]);
  return new Response(body, { status, headers: all });
}

/** Whether the client is a browser that shows a page, not a program that reads an answer. */
export function wantsPage(context: Context<Env>): boolean {
  return context.req.header("Accept")?.includes("text/html") ?? false;
}

/** Sends a browser to another path with a GET. */
export function redirectTo(context: Context<Env>, path: string): Response {
  return text(context, null, "", 303, { Location: path });
}

/** Puts the same headers on an answer that was made elsewhere. */
export function dress(context: Context<Env>, response: Response): Response {
  response.headers.set("X-Correlation-Id", context.get("correlationId"));
  for (const [name, value] of SECURITY) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

/** Whether an answer goes on for as long as both ends want. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
}
