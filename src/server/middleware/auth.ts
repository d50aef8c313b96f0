/** Lets in who knows the token. @module */
import type { Context, MiddlewareHandler } from "hono";
import type { Metrics } from "../../obs/metrics.ts";
import { sameSecret, secretName } from "../../sys/secrets.ts";
import { type Env, failWith } from "../reply.ts";

/** How callers prove themselves. */
export interface AuthOptions {
  /** Null: everyone is let in. */
  readonly token: string | null;
  /** Header that carries it besides `Authorization: Bearer`. */
  readonly header: string;
  /** Paths that answer without a token; whoever sends a right one is still known. */
  readonly open: readonly string[];
  readonly metrics: Metrics;
}

/** Checks the token in constant time and leaves `tokenId` and `authenticated`. */
export function auth({ token, header, open, metrics }: AuthOptions): MiddlewareHandler<Env> {
  const tokenId = token === null ? "anonymous" : secretName(token);
  return async (context, next) => {
    const given = presented(context, header);
    const right = token === null || (given !== null && sameSecret(given, token));
    if (!right && !open.includes(context.req.path)) {
      metrics.authFailed("token");
      context.header("WWW-Authenticate", "Bearer");
      return failWith(context, "AUTH_FAILED", given === null ? "no token was sent" : "the token is wrong");
    }
    context.set("authenticated", right);
    context.set("tokenId", right ? tokenId : "anonymous");
    await next();
  };
}

function presented(context: Context<Env>, header: string): string | null {
  const own = context.req.header(header);
  if (own !== undefined) return own.trim();
  const bearer = context.req.header("Authorization")?.match(/^Bearer +(\S+) *$/i);
  return bearer?.[1] ?? null;
}
