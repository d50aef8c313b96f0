/** Assembles the operator's page at /ui. @module */
import { sleep } from "../../core/time.ts";
import { Hono } from "hono";
import type { Logger } from "../../obs/log.ts";
import { makeGuessBrake } from "../http/guess_brake.ts";
import type { Pages } from "../http/deps.ts";
import type { Env } from "../http/reply.ts";
import { makeEntrance, UI_PATH } from "./entrance.ts";
import icon from "./icon.svg" with { type: "text" };
import { makeLive } from "./live.ts";
import { makeMoments, type MomentDeps } from "./moment.ts";
import { PAGE_NAMES, PAGES } from "./page_table.ts";
import { pageReply } from "./page_reply.ts";
import { actOn, logIn, logOut } from "./post.ts";
import { SCRIPT_TYPE, SCRIPTS } from "./scripts.ts";
import { makeSessions } from "./sessions.ts";
import { openStream, type ShownPage, showPage } from "./show.ts";
import { STYLE } from "./style.ts";

/** What the page needs. */
export interface PagesDeps extends MomentDeps {
  /** Null: the page is read-only for everyone. */
  readonly token: string | null;
  readonly log: Logger;
  /** Milliseconds; must not jump. */
  readonly now: () => number;
}

/** The pages, and the end of their streams. */
export interface UiPages extends Pages {
  close(): void;
}

/** Files of the page, which tell nothing to who is not logged in. */
const FILES: Readonly<Record<string, readonly [content: string, type: string]>> = {
  ...Object.fromEntries(Object.entries(SCRIPTS).map(([name, text]) => [`${UI_PATH}/${name}`, [text, SCRIPT_TYPE]])),
  [`${UI_PATH}/style.css`]: [STYLE, "text/css; charset=utf-8"],
  [`${UI_PATH}/icon.svg`]: [icon, "image/svg+xml"],
};
const LOGIN_PATH = `${UI_PATH}/login`, LOGOUT_PATH = `${UI_PATH}/logout`, ACT_PATH = `${UI_PATH}/act`;

/** Makes the routes. They stand behind every other guard of the server. */
export function makePages(deps: PagesDeps): UiPages {
  const shown = makeShown(deps);
  const routes = new Hono<Env>();
  for (const name of PAGE_NAMES) routes.get(PAGES[name].path, (context) => showPage(context, name, shown));
  for (const [path, [content, type]] of Object.entries(FILES)) {
    routes.get(path, (context) => pageReply(context, content, { type }));
  }
  routes.post(LOGIN_PATH, (context) => logIn(context, shown.entrance, deps));
  routes.post(LOGOUT_PATH, (context) => logOut(context, shown.entrance));
  routes.post(ACT_PATH, (context) => actOn(context, shown, deps));
  routes.get(`${UI_PATH}/live`, (context) => openStream(context, shown));
  const paths = PAGE_NAMES.map((name) => PAGES[name].path);
  return {
    routes,
    // Everyone may ask for these: the frames and files say nothing of the machine, and the others check by themselves.
    open: [...paths, ...Object.keys(FILES), LOGIN_PATH, LOGOUT_PATH, ACT_PATH],
    docs: PAGES.docs.path,
    // A login is worth nothing on the other routes: what is done there is done with the token.
    hasProof: (request) => isUiPath(request.url) && shown.entrance.session(request) !== undefined,
    close: () => shown.live.close(),
  };
}

function makeShown(deps: PagesDeps): ShownPage {
  const { token, config: { settings: { server } }, approvals, handles, metrics, now } = deps;
  const entrance = makeEntrance({
    token,
    sessions: makeSessions({ lifetimeMs: server.ui_session_sec * 1_000, now }),
    brake: makeGuessBrake({ now, sleep }),
    metrics,
  });
  const moments = makeMoments(deps);
  const live = makeLive(moments);
  deps.watch.subscribe(live.kick);
  return { token, entrance, moments, live, approvals, handles };
}

function isUiPath(url: string): boolean {
  const { pathname } = new URL(url);
  return pathname === UI_PATH || pathname.startsWith(`${UI_PATH}/`);
}
