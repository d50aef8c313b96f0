/**
 * Decides who may see the page and act on it: a browser that gave the token once, as long as the login lasts.
 *
 * The proof is a key in a header. The page's script keeps it where only pages of the same scheme, host and port can read
 * it, and no browser sends it by itself. A cookie would go to every port of the host: to a server that the model started.
 * @module
 */
import type { Context } from "hono";
import type { Metrics } from "../../obs/metrics.ts";
import { makeSecretCheck } from "../../sys/secrets.ts";
import type { GuessBrake } from "../http/guess_brake.ts";
import type { Env } from "../http/reply.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Everything of the page is below it. */
export const UI_PATH = "/ui";

/** The header that carries the key of a login. */
const KEY_HEADER = "X-LLMC-Page-Key";

/** What entering needs. */
export interface EntranceDeps {
  /** Null: the server has no token, so the page is read-only for everyone. */
  readonly token: string | null;
  readonly sessions: Sessions;
  readonly brake: GuessBrake;
  readonly metrics: Pick<Metrics, "authFailed" | "rateLimited">;
}

/** How an attempt to log in ended. */
export type Attempt = { readonly key: string } | { readonly status: 401 | 429; readonly problem: string };

/** The door. */
export interface Entrance {
  /** The login of a request; undefined without one. */
  session(request: Request): Session | undefined;
  mayLook(context: Context<Env>): boolean;
  logIn(context: Context<Env>, given: string): Promise<Attempt>;
  logOut(request: Request): void;
}

/** Makes it. */
export function makeEntrance(deps: EntranceDeps): Entrance {
  const { token, sessions } = deps;
  const isRight = token === null ? () => false : makeSecretCheck(token);

  const session = (request: Request): Session | undefined => {
    const key = request.headers.get(KEY_HEADER);
    return key === null ? undefined : sessions.find(key);
  };

  return {
    session,
    mayLook: (context) => token === null || session(context.req.raw) !== undefined || context.get("hasProof"),
    async logIn(context, given) {
      return isRight(given.trim()) ? { key: sessions.open() } : await refuse(context, deps);
    },
    logOut: (request) => sessions.close(request.headers.get(KEY_HEADER) ?? ""),
  };
}

async function refuse(context: Context<Env>, { brake, metrics }: EntranceDeps): Promise<Attempt> {
  metrics.authFailed("token");
  if (await brake.brake(context.env.peer.address)) return { status: 401, problem: "Wrong token." };
  metrics.rateLimited("rate");
  return { status: 429, problem: "Too many wrong tokens came from your address. Wait a few seconds." };
}
