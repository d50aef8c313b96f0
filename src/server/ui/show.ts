/** Handles GET requests of the page: its frame, and the event stream that fills it. @module */
import type { Context } from "hono";
import type { HandleStore } from "../../store/handles.ts";
import type { Approvals } from "../../call/approvals.ts";
import { type Env, failWith } from "../http/reply.ts";
import type { Entrance } from "./entrance.ts";
import { readPiece } from "./handle_piece.ts";
import { layout } from "./layout.ts";
import type { Live } from "./live.ts";
import type { Moments } from "./moment.ts";
import { type PageName, pageNamed } from "./page_table.ts";
import { pageReply } from "./page_reply.ts";
import type { View } from "./part.ts";

/** What showing needs. */
export interface ShownPage {
  readonly token: string | null;
  readonly entrance: Entrance;
  readonly moments: Moments;
  readonly live: Live;
  readonly approvals: Approvals;
  readonly handles: HandleStore;
}

/** The frame, for everyone. */
export function showPage(context: Context<Env>, page: PageName, { token }: Pick<ShownPage, "token">): Response {
  return pageReply(context, layout(page, token === null));
}

/**
 * Server-sent events: `part` with the id and the HTML of each part that changed; with `page=state` the same as data.
 * `over` ends the stream with the login, `closing` with the server.
 */
export async function openStream(context: Context<Env>, shown: ShownPage): Promise<Response> {
  const { entrance, live, approvals, moments } = shown;
  if (!entrance.mayLook(context)) return failWith(context, "AUTH_FAILED", "you are not logged in", "Log in at /ui.");
  const { raw } = context.req, name = context.req.query("page");
  const type = "text/event-stream; charset=utf-8";
  if (raw.method === "HEAD") return pageReply(context, "", { type }); // a HEAD request does not read or end a stream
  const session = entrance.session(raw), mayAct = session !== undefined;
  const kind = name === "state" ? "state" : pageNamed(name);
  if (kind === "storage") await moments.refreshIndex();
  const stream = live.open({
    kind,
    view: await viewOf(context, kind, mayAct, shown),
    // A login that ended is not found any more; who came without one needs none.
    isOpen: () => !mayAct || entrance.session(raw) === session,
  });
  if (stream === null) {
    return failWith(context, "RATE_LIMITED", "too many pages are open", "Close some of them.");
  }
  if (mayAct && kind !== "state") {
    // While a person looks, a call that needs consent waits for the answer.
    const stopWatching = approvals.watch(live.kick);
    void context.env.peer.completed.then(stopWatching);
  }
  return pageReply(context, stream, {
    type,
    headers: { "X-Accel-Buffering": "no" },
  });
}

async function viewOf(
  context: Context<Env>,
  kind: PageName | "state",
  mayAct: boolean,
  { handles }: ShownPage,
): Promise<View> {
  const item = context.req.query("item") ?? "", from = Number(context.req.query("from") ?? 0);
  return {
    range: context.req.query("range") === "day" ? "day" : "hour",
    mayAct,
    item,
    piece: kind === "handle" ? await readPiece(handles, item, Number.isSafeInteger(from) && from > 0 ? from : 0) : null,
  };
}
