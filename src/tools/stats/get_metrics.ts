/** `get_metrics`: all counters since the start of the server. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import { defineTool } from "../../call/tool.ts";

const count = () => z.number().min(0);
const latency = () => ({ p50_ms: count(), p95_ms: count(), p99_ms: count() });

/** See the summary. */
export const getMetrics = defineTool({
  name: "get_metrics",
  title: "Server metrics",
  summary: "Counters since the server started: calls, errors, latencies, tokens, HTTP, processes, index.",
  toolset: "mvp",
  effect: "read",
  record: true,
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      uptime_s: count(),
      tools: z.record(z.string(), z.object({ count: count(), errors: count(), ...latency() })),
      errors: z.record(z.string(), count()),
      tokens: z.object({ in: count(), out: count() }),
      truncated: count(),
      store_failures: count(),
      http: z.object({ requests: count(), auth_failures: count(), rate_limited: count(), ...latency() }),
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
