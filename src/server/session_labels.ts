/** Who a request says it comes from: labels for records and budgets, never authority. @module */
import type { Settings } from "../config/schema.ts";
import type { SessionContext } from "../te/tool.ts";

/** Request headers that a client may label itself with. */
export const LABEL_HEADERS = { agent: "X-LLMC-Agent", model: "X-LLMC-Model", budget: "X-LLMC-Budget-Profile" } as const;

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
function label(text: string | null): string | undefined {
  const clean = (text ?? "").replace(/[^\x20-\x7e]/g, "?").trim().slice(0, 80);
  return clean === "" ? undefined : clean;
}
