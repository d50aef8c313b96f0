/** Handles GET requests of the page: a page, the login form, or the live stream. @module */
import type { Context } from "hono";
import type { Approvals } from "../../call/approvals.ts";
import { type Env, failWith } from "../http/reply.ts";
import { saidText } from "./acts.ts";
import type { Entrance } from "./entrance.ts";
import { layout } from "./layout.ts";
import type { Live } from "./live.ts";
import { loginPage } from "./login_page.ts";
import type { Moments, Range } from "./moment.ts";
import { type PageName, pageNamed, PAGES, pathAfterLogin } from "./page_table.ts";
import { pageReply, redirect } from "./page_reply.ts";
import { partElement } from "./part.ts";
import { LOGIN_PATH } from "./post.ts";

/** What showing needs. */
export interface ShownPage {
  readonly token: string | null;
  readonly entrance: Entrance;
  readonly moments: Moments;
  readonly live: Live;
  readonly approvals: Approvals;
}

/** One page, or the way to the login. */
export async function showPage(
  context: Context<Env>,
  page: PageName,
  { entrance, moments }: ShownPage,
): Promise<Response> {
  if (!entrance.mayLook(context)) return redirect(context, `${LOGIN_PATH}?page=${page}`);
  if (page === "storage") await moments.refreshIndex();
  const session = entrance.session(context.req.raw), range = rangeOf(context), moment = moments.now();
  const view = { range, mayAct: session !== undefined };
  const html = layout({
    page,
    body: PAGES[page].parts.map((part) => partElement(part, moment, view)),
    moment,
    csrf: session?.csrf ?? null,
    said: saidText(context.req.query("said")),
    stream: `page=${page}&range=${range}`,
  });
  return pageReply(context, html);
}

/** The form, unless there is nothing to ask for or nothing left to ask. */
export function showLogin(context: Context<Env>, { token, entrance }: ShownPage): Response {
  const page = context.req.query("page") ?? "";
  if (token === null || entrance.session(context.req.raw)) return redirect(context, pathAfterLogin(page));
  return pageReply(context, loginPage(page, ""));
}

/**
 * Server-sent events: `part` with the id and the HTML of each part that changed; with `page=state` the same as data.
 * `over` ends the stream with the login, `closing` with the server.
 */
export function openStream(context: Context<Env>, { entrance, live, approvals }: ShownPage): Response {
  if (!entrance.mayLook(context)) return failWith(context, "AUTH_FAILED", "not logged in", "Log in at /ui.");
  const { raw } = context.req, name = context.req.query("page");
  const type = "text/event-stream; charset=utf-8";
  if (raw.method === "HEAD") return pageReply(context, "", { type }); // nobody reads a stream, or ends it
  const session = entrance.session(raw), mayAct = session !== undefined;
  const stream = live.open({
    kind: name === "state" ? "state" : pageNamed(name),
    view: { range: rangeOf(context), mayAct },
    // A login that ended is not found any more; who came without one needs none.
    isOpen: () => !mayAct || entrance.session(raw) === session,
  });
  if (stream === null) {
    return failWith(context, "RATE_LIMITED", "too many pages are open", "Close some of them.");
  }
  if (mayAct) {
    // While a person looks, a call that needs consent waits for the answer.
    const stopWatching = approvals.watch(live.kick);
    void context.env.peer.completed.then(stopWatching);
  }
  return pageReply(context, stream, {
    type,
    headers: { "X-Accel-Buffering": "no" },
  });
}

function rangeOf(context: Context<Env>): Range {
  return context.req.query("range") === "day" ? "day" : "hour";
}
