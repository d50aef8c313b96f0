/** `get_metrics`: everything that the server counted since its start. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { defineTool } from "../../te/tool.ts";

const Count = z.number().min(0);
const Latency = { p50_ms: Count, p95_ms: Count };

/** See the summary. */
export const getMetrics = defineTool({
  name: "get_metrics",
  title: "Server metrics",
  summary: "Counters since the server started: calls, errors, latencies, tokens, HTTP, processes, index.",
  toolset: "mvp",
  effect: "read",
  record: true,
  input: z.strictObject({}),
  output: z.object({
    uptime_s: Count,
    tools: z.record(z.string(), z.object({ count: Count, errors: Count, ...Latency })),
    errors: z.record(z.string(), Count),
    tokens: z.object({ in: Count, out: Count }),
    truncated: Count,
    http: z.object({ requests: Count, auth_failures: Count, rate_limited: Count, ...Latency }),
    sandbox_level: z.string(),
    gauges: z.record(z.string(), z.number()),
  }),
  run(_args, { config, metrics }) {
    const { enabled, metrics_enabled } = config.settings.observability;
    if (!enabled || !metrics_enabled) {
      const setting = enabled ? "mcp.observability.metrics_enabled" : "mcp.observability.enabled";
      return Promise.reject(
        new OpsError("FEATURE_DISABLED", "nothing is counted", `The operator set ${setting} = false.`),
      );
    }
    return Promise.resolve({ ...metrics.snapshot() });
  },
});
