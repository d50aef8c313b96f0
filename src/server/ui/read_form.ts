/** Parses form fields that one of our own pages sent, and rejects other origins. @module */
import type { Context } from "hono";
import { OpsError } from "../../core/error.ts";
import { readBodyText } from "../http/read_body.ts";
import type { Env } from "../http/reply.ts";

/** Longest body: a token and some names. */
const MAX_BYTES = 8_192;
const IDLE_MS = 10_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * The fields.
 *
 * @throws OpsError FORBIDDEN when another page sent it, or no page at all; BAD_ARGS, TOO_LARGE, TIMEOUT
 */
export async function readForm(context: Context<Env>): Promise<URLSearchParams> {
  const { raw } = context.req;
  if (!isFromOwnPage(raw)) {
    throw new OpsError("FORBIDDEN", "this form was sent from another origin", "Open /ui and use its own buttons.");
  }
  if (!FORM_TYPE.test(raw.headers.get("Content-Type") ?? "")) {
    throw new OpsError("BAD_ARGS", "the body is not a form", "Open /ui and use its own buttons.");
  }
  return new URLSearchParams(await readBodyText(raw, { maxBytes: MAX_BYTES, idleMs: IDLE_MS }));
}

/** Browsers say with every form where it comes from. Another port of the same host is another origin. */
function isFromOwnPage({ headers, url }: Request): boolean {
  const origin = headers.get("Origin"), site = headers.get("Sec-Fetch-Site");
  const host = headers.get("Host") ?? new URL(url).host;
  const isOwn = origin !== null && origin.toLowerCase().replace(/^https?:\/\//, "") === host.toLowerCase();
  return isOwn && (site === null || site === "same-origin");
}
