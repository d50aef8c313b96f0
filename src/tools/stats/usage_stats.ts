/** `linux_mcp_usage_stats`: calls, durations and failures per tool. @module */
import * as z from "zod";
import { shownName } from "../../call/catalog.ts";
import { defineTool } from "../../call/tool.ts";

const figures = () => z.object({ count: z.int(), p50_ms: z.number(), p95_ms: z.number(), errors: z.int() });

/** See the summary. */
export const mcpUsageStats = defineTool({
  name: "linux_mcp_usage_stats",
  title: "Usage statistics",
  summary: "Calls, errors and latencies (p50, p95) by tool over a time window.",
  toolset: "stats",
  effect: "read",
  input: () =>
    z.strictObject({
      window_seconds: z.int().min(60).max(86_400).default(3_600),
      tool_prefix: z.string().max(64).optional(),
    }),
  output: () => z.object({ tools: z.record(z.string(), figures()), window_seconds: z.int() }),
  render({ tools, window_seconds }) {
    const rows = Object.entries(tools).map(([name, { count, errors, p50_ms, p95_ms }]) =>
      [count, errors, p50_ms, p95_ms, name].join(" ") // single blanks: a model needs no columns, and these cost tokens
    );
    if (rows.length === 0) return `No calls in the last ${window_seconds} s.`;
    return [`calls errors p50_ms p95_ms tool (last ${window_seconds} s)`, ...rows].join("\n");
  },
  run({ window_seconds, tool_prefix }, { calls, config }) {
    const prefix = tool_prefix === undefined ? {} : { toolPrefix: tool_prefix };
    const usage = calls.usage({ windowSeconds: window_seconds, ...prefix });
    const tools = [...usage].map(([name, { count, p50Ms, p95Ms, errors }]) =>
      [shownName(name, config.settings), { count, p50_ms: p50Ms, p95_ms: p95Ms, errors }] as const
    );
    return Promise.resolve({ tools: Object.fromEntries(tools), window_seconds });
  },
});
