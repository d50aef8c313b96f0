/** Handles POST requests of the page: login, logout, and the operator's decisions. @module */
import type { Context } from "hono";
import * as z from "zod";
import { type Env, failWith, json } from "../http/reply.ts";
import { act, actRequest, type ActsDeps } from "./acts.ts";
import type { Entrance } from "./entrance.ts";
import type { Live } from "./live.ts";
import { readRequest } from "./read_request.ts";

const loginRequest = z.strictObject({ token: z.string() });

/** Gives the key of a login for the token. */
export async function logIn(
  context: Context<Env>,
  entrance: Entrance,
  { log }: Pick<ActsDeps, "log">,
): Promise<Response> {
  const { token } = await readRequest(context, loginRequest);
  const attempt = await entrance.logIn(context, token);
  if ("key" in attempt) {
    log.info("a login at the page");
    return json(context, { key: attempt.key });
  }
  const code = attempt.status === 429 ? "RATE_LIMITED" : "AUTH_FAILED";
  const headers: Record<string, string> = attempt.status === 429 ? { "Retry-After": "2" } : {};
  return failWith(context, code, attempt.problem, undefined, { status: attempt.status, headers });
}

/** Ends a login. */
export async function logOut(context: Context<Env>, entrance: Entrance): Promise<Response> {
  await readRequest(context, z.strictObject({}));
  entrance.logOut(context.req.raw);
  return json(context, {});
}

/** Does what a button of the page says. */
export async function actOn(
  context: Context<Env>,
  { entrance, live }: { readonly entrance: Entrance; readonly live: Live },
  deps: ActsDeps,
): Promise<Response> {
  const request = await readRequest(context, actRequest);
  if (!entrance.session(context.req.raw)) {
    return failWith(context, "FORBIDDEN", "this request does not carry the key of a login", "Log in at /ui.");
  }
  const said = await act(deps, request);
  live.kick();
  return json(context, { said });
}
