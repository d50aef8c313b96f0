/** Handles POST requests of the page: login, logout, and operator decisions. @module */
import type { Context } from "hono";
import { type Env, failWith, json } from "../http/reply.ts";
import { act, type ActsDeps, SAID } from "./acts.ts";
import { UI_PATH } from "./cookie.ts";
import type { Entrance } from "./entrance.ts";
import type { Live } from "./live.ts";
import { loginPage } from "./login_page.ts";
import { pageNamed, PAGES, pathAfterLogin } from "./page_table.ts";
import { pageReply, redirect } from "./page_reply.ts";
import { readForm } from "./read_form.ts";

/** Where the form is. */
export const LOGIN_PATH = `${UI_PATH}/login`;

/** Gives a login for the token. */
export async function logIn(
  context: Context<Env>,
  entrance: Entrance,
  { log }: Pick<ActsDeps, "log">,
): Promise<Response> {
  const fields = await readForm(context);
  const page = fields.get("page") ?? "";
  const attempt = await entrance.logIn(context, fields.get("token") ?? "");
  if ("cookie" in attempt) {
    log.info("login at the page");
    return redirect(context, pathAfterLogin(page), { "Set-Cookie": attempt.cookie });
  }
  const headers: Record<string, string> = attempt.status === 429 ? { "Retry-After": "2" } : {};
  return pageReply(context, loginPage(page, attempt.problem), { status: attempt.status, headers });
}

/** Ends a login. */
export async function logOut(context: Context<Env>, entrance: Entrance): Promise<Response> {
  if (!entrance.owns(context, await readForm(context))) return redirect(context, LOGIN_PATH);
  return redirect(context, LOGIN_PATH, { "Set-Cookie": entrance.logOut(context.req.raw) });
}

/** Does what a button of the page says; answers with words for a script, else with the page again. */
export async function actOn(
  context: Context<Env>,
  { entrance, live }: { readonly entrance: Entrance; readonly live: Live },
  deps: ActsDeps,
): Promise<Response> {
  const fields = await readForm(context);
  if (!entrance.owns(context, fields)) {
    return failWith(context, "FORBIDDEN", "this form belongs to no login", "Log in at /ui.");
  }
  const said = await act(deps, fields.get("act") ?? "");
  if (said === undefined) return failWith(context, "BAD_ARGS", "nothing is known by that name");
  live.kick();
  if (context.req.header("Accept") === "application/json") return json(context, { said: SAID[said] });
  return redirect(context, `${PAGES[pageNamed(fields.get("page") ?? undefined)].path}?said=${said}`);
}
