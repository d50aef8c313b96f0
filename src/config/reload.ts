/** Decides which changed keys take effect at once and which need a restart. @module */
import { isTable } from "./check_value.ts";
import { fileSchema } from "./file_schema.ts";
import { listKeys } from "./keys.ts";
import type { Origin } from "./layer.ts";
import type { Config } from "./resolve.ts";
import type { Settings } from "./schema.ts";

/** Keys, or tables of keys, that every part of the program reads anew at each call. */
const AT_ONCE: readonly string[] = [
  "mcp.read_only",
  "mcp.tools.toolsets",
  "mcp.tools.list",
  "mcp.tools.enable_script",
  "mcp.tools.name_style",
  "mcp.tools.result_format",
  "mcp.tools.result_tokens",
  "mcp.tools.enable_run_cmd",
  "mcp.tools.exec_timeout",
  "mcp.tools.read_timeout",
  "mcp.approvals",
  "mcp.linux_ops.features",
  "mcp.linux_ops.process_limits.max_timeout_sec",
  "mcp.linux_ops.process_limits.allow_kill_other_users",
  "mcp.rag.default_scope",
  "mcp.rag.top_k",
  "mcp.rag.token_budget",
  "mcp.session",
  "mcp.te.enabled",
  "mcp.te.json_mode",
  "mcp.te.timeout",
  "mcp.te.passthrough_on_failure",
  "mcp.te.budgets",
  "mcp.resources",
  "mcp.onboarding",
  "mcp.limits.rate_limit_rps",
  "mcp.limits.rate_limit_burst",
  "mcp.limits.concurrency_per_token",
  "mcp.limits.max_queued",
  "mcp.observability.log_level",
  "mcp.observability.include_correlation_id",
];

/** What comes of a changed configuration. */
export interface ReloadPlan {
  /** The settings from now on, and where they come from. */
  readonly settings: Settings;
  readonly origins: Config["origins"];
  /** Keys that changed and take effect. */
  readonly changed: readonly string[];
  /** Keys that changed in the file and wait for a restart. */
  readonly waiting: readonly string[];
}

/** Whether a key takes effect without a restart. */
export function isLive(key: string): boolean {
  return AT_ONCE.some((entry) => key === entry || key.startsWith(`${entry}.`));
}

/** Compares what is in force with what was read. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const settings = structuredClone(current.settings);
  const changed: string[] = [], waiting: string[] = [];
  const origins: Record<string, Origin> = {};
  for (const { name, path } of listKeys(fileSchema)) {
    const origin = (isLive(name) ? next : current).origins[name]; // the layer may be another one for the same value
    if (origin !== undefined) origins[name] = origin;
    const value = lookUp(next.settings, path);
    if (JSON.stringify(value) === JSON.stringify(lookUp(current.settings, path))) continue;
    if (!isLive(name)) waiting.push(name);
    else {
      put({ mcp: settings }, path, value);
      changed.push(name);
    }
  }
  return { settings, origins, changed, waiting };
}

function lookUp(settings: Settings, path: readonly string[]): unknown {
  return path.reduce<unknown>((table, step) => isTable(table) ? table[step] : undefined, { mcp: settings });
}

function put(file: unknown, path: readonly string[], value: unknown): void {
  const table = path.slice(0, -1).reduce<unknown>((inner, step) => isTable(inner) ? inner[step] : undefined, file);
  const last = path.at(-1);
  if (isTable(table) && last !== undefined) table[last] = value;
}
