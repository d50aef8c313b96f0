/** Path of the metrics. @module */
import type { Settings } from "../../config/schema.ts";

/** Where the metrics are served; null when a setting switches them off. */
export function metricsPathOf({ observability }: Settings): string | null {
  const { enabled, metrics_enabled, metrics_prometheus_enabled, metrics_path } = observability;
  return enabled && metrics_enabled && metrics_prometheus_enabled ? metrics_path : null;
}
