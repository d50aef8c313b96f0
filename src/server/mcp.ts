/** The MCP server of one connection or request: tools over the envelope. @module */
import { type CallToolResult, ProtocolError, Server, type ServerContext } from "@modelcontextprotocol/server";
import { VERSION } from "../core/version.ts";
import type { Answer, Caller, Envelope } from "../te/envelope.ts";
import type { Catalog } from "../te/catalog.ts";
import type { SessionContext } from "../te/tool.ts";
import type { Settings } from "../config/schema.ts";
import { type ToolFace, toolFace } from "./face.ts";

/** What every MCP server of this process shares. */
export interface McpDeps {
  readonly envelope: Envelope;
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** What a client is told once, under 1 KB. */
  readonly instructions: string;
}

/** Who is at the other end of one server. */
export interface Peer {
  readonly owner: string;
  readonly sessionId: string;
}

const INVALID_PARAMS = -32602;
const HOUR_MS = 3_600_000;
/** A client's progress bar is not redrawn more often than this. */
const PROGRESS_INTERVAL_MS = 100;

/** Makes servers. The faces of the tools are computed once, when first listed. */
export function makeMcp(deps: McpDeps): (peer: Peer) => Server {
  let faces: ToolFace[] | undefined;
  const listFaces = () => faces ??= deps.catalog.listed().map((tool) => toolFace(tool, deps.settings.tools.name_style));
  return (peer) => {
    const server = new Server({ name: "llmc-mcp", title: "llmc-mcp", version: VERSION }, {
      capabilities: { tools: {} },
      instructions: deps.instructions,
      cacheHints: { "tools/list": { ttlMs: HOUR_MS, cacheScope: "public" } },
    });
    server.setRequestHandler("tools/list", () => ({ tools: listFaces() }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const tool = deps.catalog.find(params.name);
      if (!tool) {
        const error = deps.catalog.unknown(params.name);
        throw new ProtocolError(INVALID_PARAMS, `${error.message}. ${error.hint}`);
      }
      const answer = await deps.envelope.call(
        params.name,
        params.arguments,
        callerOf(server, peer, context, deps.settings),
      );
      return toResult(answer);
    });
    return server;
  };
}

function callerOf(server: Server, peer: Peer, context: ServerContext, settings: Settings): Caller {
  const { signal } = context.mcpReq;
  const progress = progressOf(context);
  return {
    owner: peer.owner,
    session: sessionOf(server, peer, context, settings),
    signal,
    ...progress ? { progress } : {},
  };
}

/** Labels from what the client says of itself, else from the configuration. */
function sessionOf(server: Server, peer: Peer, context: ServerContext, { session }: Settings): SessionContext {
  const client = server.getClientVersion(); // of the handshake, or of the request itself in the stateless protocol
  return {
    agentId: label(client?.name) ?? session.default_agent_id,
    sessionId: context.sessionId ?? peer.sessionId,
    model: session.default_model,
    budgetProfile: session.budget_profile,
  };
}

/** One short line of printable characters. */
function label(text: unknown): string | undefined {
  return typeof text === "string" && text.trim() ? text.replace(/[^\x20-\x7e]/g, "?").slice(0, 80) : undefined;
}

function progressOf(context: ServerContext): Caller["progress"] {
  const token = context.mcpReq._meta?.progressToken;
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
    context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

function toResult(answer: Answer): CallToolResult {
  const content = [{ type: "text" as const, text: answer.text }];
  if (answer.error) {
    // A client checks structured content against a record tool's schema, even with an error.
    return answer.record
      ? { content, isError: true }
      : { content, isError: true, structuredContent: { ...answer.error } };
  }
  const isError = answer.failed ? { isError: true } : {};
  if (!answer.record || typeof answer.result !== "object" || answer.result === null) return { content, ...isError };
  return { content, structuredContent: { ...answer.result }, ...isError };
}
