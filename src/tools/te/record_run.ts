/** Records the cost of a command: telemetry of the Tool Envelope and of `run_cmd`. @module */
import type { SessionContext, ToolContext } from "../../call/tool.ts";

type Logged = Parameters<ToolContext["calls"]["recordTe"]>[0];

/** What came of a run; what is absent is zero or nothing. */
export type RunEvent = Pick<Logged, "mode"> & Partial<Logged>;

/** Writes the record, unless the operator keeps none. */
export function recordRun(
  { config, calls }: Pick<ToolContext, "config" | "calls">,
  { session, command, latencyMs, ...event }: RunEvent & {
    readonly session: SessionContext;
    /** On one line, secrets masked. */
    readonly command: string;
    readonly latencyMs: number;
  },
): void {
  if (!config.settings.observability.enabled) return;
  const { agentId, sessionId, model } = session;
  calls.recordTe({
    timeMs: Date.now(),
    agentId,
    sessionId,
    model,
    command,
    inputBytes: 0,
    outputBytes: 0,
    truncated: false,
    handle: null,
    error: null,
    latencyMs,
    ...event,
  });
}
