/** Identifies the MCP caller from the handshake or, in the newer protocol, from each request. @module */
import type { Caller } from "../../call/answer.ts";
import { principalWithin } from "../../call/principal.ts";
import type { Settings } from "../../config/schema.ts";
import type { PathGuard } from "../../roots/path_guard.ts";
import { mcpLabels } from "./session_labels.ts";

/** Who is at the other end of one server. */
export interface CallerPeer {
  readonly owner: string;
  readonly sessionId: string;
  /** Whether the connection outlives a request, so that news can be sent over it. */
  readonly lasting: boolean;
  /** Aborts when nothing more will come from it, although it may still be answered. */
  readonly silent?: AbortSignal;
}

/** What a client has said of itself. */
export interface Speaker {
  readonly name: unknown;
  /** Whether it can put a form before its user. */
  readonly canAsk: boolean;
  /** Whether its protocol has links to resources in results. */
  readonly hasLinks: boolean;
}

/** The revision without handshake: everything that a server must know comes with the request. */
export const STATELESS = "2026-07-28";
const FIRST_WITH_LINKS = "2025-06-18";
const ENVELOPE = "io.modelcontextprotocol/";
/** A client's progress bar is not redrawn more often than this. */
const PROGRESS_INTERVAL_MS = 100;
const SIGN_INTERVAL_MS = 1_000;

/** The part of a server that knows of the handshake. */
interface Handshake {
  getClientVersion(): { readonly name: string } | undefined;
  getClientCapabilities(): object | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
}

/** The part of a request's context that is looked at. */
interface RequestContext {
  readonly sessionId?: string | undefined;
  readonly http?: { readonly req?: Request | undefined } | undefined;
  readonly mcpReq: {
    readonly envelope?: object | undefined;
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    readonly signal: AbortSignal;
    notify(notification: { method: string; params: Record<string, unknown> }): Promise<void>;
  };
}

/** Reads what the client says of itself. */
export function speakerOf(server: Handshake, { mcpReq: { envelope } }: RequestContext): Speaker {
  const said = (key: string): unknown => Object(envelope)[`${ENVELOPE}${key}`];
  const { elicitation } = Object(said("clientCapabilities") ?? server.getClientCapabilities());
  const modes = Object(elicitation);
  return {
    name: Object(said("clientInfo") ?? server.getClientVersion()).name,
    canAsk: elicitation !== undefined && ("form" in modes || !("url" in modes)), // no mode means forms
    hasLinks: envelope !== undefined || (server.getNegotiatedProtocolVersion() ?? "") >= FIRST_WITH_LINKS,
  };
}

/** The caller of a request; the labels that the client does not give come from the configuration. */
export function peerCaller(
  { owner, sessionId }: CallerPeer,
  { name }: Speaker,
  context: RequestContext,
  settings: Settings,
  paths: PathGuard | undefined,
): Caller {
  const progress = progressOf(context), request = context.http?.req;
  return {
    owner: paths ? principalWithin(owner, paths.roots) : owner,
    session: mcpLabels({
      headers: request?.headers,
      meta: context.mcpReq._meta,
      clientName: name,
      sessionId: context.sessionId ?? sessionId,
    }, settings),
    ...paths ? { paths } : {},
    ...request ? { route: new URL(request.url).pathname } : {},
    signal: context.mcpReq.signal,
    takesImages: true,
    ...progress ? { progress } : {},
  };
}

/** Waits for a call; a client that asked for progress hears every second that it goes on, until the tool says more. */
export async function withSignsOfLife<T>(work: Promise<T>, progress: Caller["progress"]): Promise<T> {
  if (!progress) return await work;
  const started = performance.now();
  // Far below the first step that a tool may report, because progress must only grow.
  const tell = () => {
    const seconds = Math.round((performance.now() - started) / SIGN_INTERVAL_MS);
    progress(seconds / 1_000_000, undefined, `running for ${seconds} s`);
  };
  const timer = setInterval(tell, SIGN_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

function progressOf({ mcpReq }: RequestContext): Caller["progress"] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let lastSentMs = 0, lastDone = -1;
  return (done, total, message) => {
    const now = performance.now();
    if (done <= lastDone || (now - lastSentMs < PROGRESS_INTERVAL_MS && done !== total)) return; // it must only grow
    [lastSentMs, lastDone] = [now, done];
    const params = {
      progressToken: token,
      progress: done,
      ...total === undefined ? {} : { total },
      ...message ? { message } : {},
    };
    // A client that has gone away no longer wants to know.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
