/** Parses requests from our own pages, and refuses all others. @module */
import type { Context } from "hono";
import type * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { readBody } from "../http/read_body.ts";
import type { Env } from "../http/reply.ts";

/** Longest body: a token, or a few names. */
const LIMITS = { maxBytes: 8_192, idleMs: 10_000 } as const;

/**
 * The fields. JSON, which no form of another page can send.
 *
 * @throws OpsError FORBIDDEN when another page sent it, or no page at all; BAD_ARGS, TOO_LARGE, TIMEOUT
 */
export async function readRequest<T extends z.ZodObject>(context: Context<Env>, schema: T): Promise<z.output<T>> {
  if (!isFromOwnPage(context.req.raw)) {
    throw new OpsError("FORBIDDEN", "a page of another origin sent this request", "Open /ui and use its own buttons.");
  }
  return await readBody(context, schema, LIMITS);
}

/** Browsers say where a request with a body comes from. Another port of the same host is another origin. */
function isFromOwnPage({ headers, url }: Request): boolean {
  const origin = headers.get("Origin"), site = headers.get("Sec-Fetch-Site");
  const host = headers.get("Host") ?? new URL(url).host;
  const isOwn = origin !== null && origin.toLowerCase().replace(/^https?:\/\//, "") === host.toLowerCase();
  return isOwn && (site === null || site === "same-origin");
}
