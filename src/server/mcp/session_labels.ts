/** Labels of a request's origin for records and budgets; they carry no authority. @module */
import type { Settings } from "../../config/schema.ts";
import type { SessionContext } from "../../call/tool.ts";

/** Request headers that a client may label itself with. */
export const LABEL_HEADERS = { agent: "X-LLMC-Agent", model: "X-LLMC-Model", budget: "X-LLMC-Budget-Profile" } as const;

/** The same in the `_meta` of an MCP request, where it goes before the headers. */
const LABEL_META = {
  agent: "llmc/agent_id",
  session: "llmc/session_id",
  model: "llmc/model",
  budget: "llmc/budget_profile",
} as const;

/** What an MCP request and its connection say. */
export interface McpLabels {
  /** Absent on standard input and output. */
  readonly headers?: Headers | undefined;
  readonly meta: unknown;
  /** From the handshake, or from the envelope of the request. */
  readonly clientName: unknown;
  readonly sessionId: string;
}

/** The labels of an MCP request; the configured ones where it says nothing. */
export function mcpLabels({ headers, meta, clientName, sessionId }: McpLabels, settings: Settings): SessionContext {
  const said = (key: keyof typeof LABEL_META): string | undefined => label(Object(meta)[LABEL_META[key]]);
  const { agentId, model, budgetProfile } = sessionLabels(headers ?? new Headers(), sessionId, {
    session: { ...settings.session, default_agent_id: label(clientName) ?? settings.session.default_agent_id },
  });
  return {
    agentId: said("agent") ?? agentId,
    sessionId: said("session") ?? label(sessionId) ?? "-",
    model: said("model") ?? model,
    budgetProfile: said("budget") ?? budgetProfile,
  };
}

/** The labels of a request; the configured ones where it says nothing. */
export function sessionLabels(
  headers: Headers,
  sessionId: string,
  { session }: Pick<Settings, "session">,
): SessionContext {
  return {
    agentId: label(headers.get(LABEL_HEADERS.agent)) ?? session.default_agent_id,
    sessionId: label(sessionId) ?? "-",
    model: label(headers.get(LABEL_HEADERS.model)) ?? session.default_model,
    budgetProfile: label(headers.get(LABEL_HEADERS.budget)) ?? session.budget_profile,
  };
}

/** One short line of printable ASCII; undefined when nothing is left. */
function label(text: unknown): string | undefined {
  const clean = (typeof text === "string" ? text : "").replace(/[^\x20-\x7e]/g, "?").trim().slice(0, 80);
  return clean === "" ? undefined : clean;
}
