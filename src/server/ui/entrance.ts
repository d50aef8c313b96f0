/** Authorises access to the page after a login with the token. @module */
import type { Context } from "hono";
import type { Metrics } from "../../obs/metrics.ts";
import { makeSecretCheck } from "../../sys/secrets.ts";
import type { GuessBrake } from "../http/guess_brake.ts";
import { ANONYMOUS } from "../http/middleware/auth.ts";
import type { Env } from "../http/reply.ts";
import { clearCookie, cookieName, readCookie, setCookie } from "./cookie.ts";
import type { Session, Sessions } from "./sessions.ts";

/** What entering needs. */
export interface EntranceDeps {
  /** Null: there is nothing to prove, so that everyone may look and nobody act. */
  readonly token: string | null;
  readonly sessions: Sessions;
  readonly lifetimeSeconds: number;
  readonly port: number;
  readonly isTls: boolean;
  readonly brake: GuessBrake;
  readonly metrics: Pick<Metrics, "authFailed" | "rateLimited">;
}

/** How an attempt to log in ended. */
export type Attempt = { readonly cookie: string } | { readonly status: 401 | 429; readonly problem: string };

/** The door. */
export interface Entrance {
  /** The login of a request; undefined without one. */
  session(request: Request): Session | undefined;
  mayLook(context: Context<Env>): boolean;
  logIn(context: Context<Env>, given: string): Promise<Attempt>;
  /** Ends the login; returns the header that removes the cookie. */
  logOut(request: Request): string;
  /** Whether only a page of this very login can have sent a form. */
  owns(context: Context<Env>, fields: URLSearchParams): boolean;
}

/** Makes it. */
export function makeEntrance(deps: EntranceDeps): Entrance {
  const { token, sessions, lifetimeSeconds } = deps;
  const name = cookieName(deps.port);
  const isRight = token === null ? () => false : makeSecretCheck(token);

  const session = (request: Request): Session | undefined => {
    const id = readCookie(request, name);
    return id === undefined ? undefined : sessions.find(id);
  };

  return {
    session,
    mayLook: (context) =>
      token === null || session(context.req.raw) !== undefined || context.get("tokenId") !== ANONYMOUS,
    async logIn(context, given) {
      if (!isRight(given.trim())) return await refuse(context, deps);
      const isSecure = deps.isTls || (context.req.raw.headers.get("Origin") ?? "").startsWith("https:");
      return { cookie: setCookie(name, sessions.open().id, lifetimeSeconds, isSecure) };
    },
    logOut(request) {
      const id = readCookie(request, name);
      if (id !== undefined) sessions.close(id);
      return clearCookie(name);
    },
    owns(context, fields) {
      const known = session(context.req.raw);
      return known !== undefined && makeSecretCheck(known.csrf)(fields.get("csrf") ?? "");
    },
  };
}

async function refuse(context: Context<Env>, { brake, metrics }: EntranceDeps): Promise<Attempt> {
  metrics.authFailed("token");
  if (await brake.brake(context.env.peer.address)) return { status: 401, problem: "This is not the token." };
  metrics.rateLimited("rate");
  return { status: 429, problem: "Too many wrong tokens came from your address. Wait a few seconds." };
}
