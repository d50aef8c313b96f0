/** `linux_mcp_recent_calls`: recent calls, newest first, without contents. @module */
import * as z from "zod";
import { shownName } from "../../call/catalog.ts";
import { metaLine } from "../keep_rest.ts";
import { defineTool } from "../../call/tool.ts";

const call = () =>
  z.object({
    tool: z.string(),
    args_summary: z.string(),
    status: z.enum(["ok", "error"]),
    error_code: z.string().optional(),
    duration_ms: z.int(),
    timestamp_iso: z.string(),
    agent_id: z.string(),
    /** Its beginning: it tells sessions apart, and is no key to what they own. */
    session_id: z.string(),
    model: z.string(),
  });

const SHOWN_OF_SESSION = 8;

/** See the summary. */
export const mcpRecentCalls = defineTool({
  name: "linux_mcp_recent_calls",
  title: "Recent calls",
  summary: "The latest tool calls, newest first, with arguments redacted.",
  toolset: "stats",
  effect: "read",
  input: () =>
    z.strictObject({
      max_results: z.int().min(1).max(200).default(50),
      tool_name: z.string().min(1).max(64).optional().describe("a name, or a prefix ending in *"),
      window_seconds: z.int().min(1).optional(),
    }),
  output: () =>
    z.object({
      records: z.array(call()),
      /** There are older ones. */
      more: z.boolean().optional(),
    }),
  render({ records, more }) {
    if (records.length === 0) return "No calls.";
    return [renderByDay(records), ...more ? [metaLine(`the newest ${records.length}, there are older ones`)] : []].join(
      "\n",
    );
  },
  run({ max_results, tool_name, window_seconds }, { calls, config }) {
    const found = calls.recent({
      maxResults: max_results + 1,
      ...(tool_name === undefined ? {} : { tool: tool_name }),
      ...(window_seconds === undefined ? {} : { windowSeconds: window_seconds }),
    });
    const records = found.slice(0, max_results);
    return Promise.resolve({
      ...(found.length > records.length ? { more: true } : {}),
      records: records.map((
        { tool, argsSummary, status, errorCode, durationMs, timeMs, agentId, sessionId, model },
      ) => ({
        tool: shownName(tool, config.settings),
        args_summary: argsSummary,
        status,
        ...(errorCode === null ? {} : { error_code: errorCode }),
        duration_ms: Math.round(durationMs),
        timestamp_iso: new Date(timeMs).toISOString(),
        agent_id: agentId,
        session_id: shorten(sessionId),
        model,
      })),
    });
  },
});

function shorten(sessionId: string): string {
  return sessionId.length > SHOWN_OF_SESSION ? `${sessionId.slice(0, SHOWN_OF_SESSION)}…` : sessionId;
}

/**
 * The day once, then one line for each call: a full time stamp costs more tokens than the rest of its line. The agent only
 * where there is more than one.
 */
function renderByDay(records: readonly z.output<ReturnType<typeof call>>[]): string {
  const hasOthers = new Set(records.map(({ agent_id }) => agent_id)).size > 1;
  let day = "";
  return records.flatMap(({ tool, args_summary, status, error_code, duration_ms, timestamp_iso, agent_id }) => {
    const [date = "", time = ""] = timestamp_iso.split("T");
    const line = [
      time.slice(0, 8),
      error_code ?? status,
      `${Math.round(duration_ms)}ms`,
      tool,
      args_summary,
      hasOthers ? `@${agent_id}` : "",
    ]
      .filter((part) => part !== "").join(" ");
    const lines = date === day ? [line] : [`${date} UTC`, line];
    day = date;
    return lines;
  }).join("\n");
}
