/** Builds page responses with a CSP that runs nothing but the page's own script. @module */
import type { Context } from "hono";
import { dress, type Env } from "../http/reply.ts";
import type { Markup } from "./markup.ts";

/**
 * The page's own script and style and nothing else: no inline script, no style attribute, no other origin, no frame
 * around it, no form that leads elsewhere. The script may write HTML through one function only.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types llmc",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  // With the server's usual no-referrer a browser calls the origin of a request "null", which matches none.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** A page, or any other body of the given type. */
export function pageReply(
  context: Context<Env>,
  body: Markup | string | ReadableStream<Uint8Array>,
  { status = 200, type = "text/html; charset=utf-8", headers = {} }: {
    readonly status?: number;
    readonly type?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  const content = body instanceof ReadableStream ? body : String(body);
  return dress(context, new Response(content, { status, headers: { ...HEADERS, "Content-Type": type, ...headers } }));
}
