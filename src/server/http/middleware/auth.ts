/** Authenticates requests by token. @module */
import type { Context, MiddlewareHandler } from "hono";
import { anonymousPrincipal } from "../../../call/principal.ts";
import type { Metrics } from "../../../obs/metrics.ts";
import { makeSecretCheck, secretName } from "../../../sys/secrets.ts";
import type { GuessBrake } from "../guess_brake.ts";
import { type Env, failWith, redirectTo, wantsPage } from "../reply.ts";

/** How callers prove themselves. */
export interface AuthOptions {
  /** Null: everyone is let in. */
  readonly token: string | null;
  /** Header that carries it besides `Authorization: Bearer`. */
  readonly header: string;
  /** Callers without a token are let in too; a wrong one is refused all the same. */
  readonly allowAnonymous: boolean;
  /** Paths that answer without a token; a caller with the right one is still recognised. */
  readonly open: ReadonlySet<string>;
  /** Another proof of knowing the token, such as a key that was given for it. */
  readonly hasOtherProof?: (request: Request) => boolean;
  /** Where a browser without a token is sent instead of being refused, by path. */
  readonly loginPaths?: Readonly<Record<string, string>>;
  readonly brake: GuessBrake;
  readonly metrics: Metrics;
}

/** Principal of a login at the page, so that its requests do not use up the limits of clients. */
const PAGE = "page";

/** Checks the token in constant time and leaves `principal`, `hasProof` and `authenticated`. */
export function auth(options: AuthOptions): MiddlewareHandler<Env> {
  const { token, header, allowAnonymous, open, metrics } = options;
  const isRight = token === null ? () => true : makeSecretCheck(token);
  const principal = token === null ? null : secretName(token);
  return async (context, next) => {
    const given = presented(context.req.raw.headers, header);
    // On open paths too, or they would tell a right guess from a wrong one for nothing.
    if (given !== null && !isRight(given)) return await refuseWrong(context, options);
    const known = given !== null ? principal : options.hasOtherProof?.(context.req.raw) ? PAGE : null;
    const allowed = known !== null || token === null || allowAnonymous;
    if (!allowed && !open.has(context.req.path)) {
      const login = wantsPage(context) ? options.loginPaths?.[context.req.path] : undefined;
      if (login !== undefined) return redirectTo(context, login);
      metrics.authFailed("token");
      const headers = { "WWW-Authenticate": 'Bearer realm="llmc-mcp"' };
      return failWith(context, "AUTH_FAILED", "no token was sent", hint(header), { headers });
    }
    context.set("authenticated", allowed);
    context.set("hasProof", known !== null);
    context.set("principal", known ?? anonymousPrincipal(context.env.peer.address));
    return await next();
  };
}

async function refuseWrong(context: Context<Env>, { header, brake, metrics }: AuthOptions): Promise<Response> {
  metrics.authFailed("token");
  if (!await brake.brake(context.env.peer.address)) {
    metrics.rateLimited("rate");
    return failWith(context, "RATE_LIMITED", "too many wrong tokens came from this address", hint(header), {
      headers: { "Retry-After": "2" },
    });
  }
  const headers = { "WWW-Authenticate": 'Bearer realm="llmc-mcp", error="invalid_token"' };
  return failWith(context, "AUTH_FAILED", "the token is wrong", hint(header), { headers });
}

function hint(header: string): string {
  return `Send the token as '${header}: TOKEN' or 'Authorization: Bearer TOKEN'.`;
}

function presented(headers: Headers, header: string): string | null {
  const own = headers.get(header);
  if (own !== null) return own.trim();
  return headers.get("Authorization")?.match(/^Bearer +(\S+) *$/i)?.[1] ?? null;
}
