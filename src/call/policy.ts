/** Decides which tools the operator allows. @module */
import type { Settings } from "../config/schema.ts";
import { OpsError } from "../core/error.ts";
import type { Tool } from "./tool.ts";

/**
 * Refuses what llmc.toml switched off.
 *
 * @throws OpsError FEATURE_DISABLED naming the setting.
 */
export function checkPolicy(tool: Tool, settings: Settings): void {
  const setting = disabledBy(tool, settings);
  if (setting) throw new OpsError("FEATURE_DISABLED", `${tool.name} is switched off`, `The operator set ${setting}.`);
}

/** Tools of other toolsets that do what those for files do. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["read_file", "list_dir", "stat", "repo_read", "repo_write_patch"]);

const UNDO_TOOLS: ReadonlySet<string> = new Set(["linux_fs_undo", "linux_fs_changes"]);

/** The setting that switches a tool off, as `key = value`; null when it is on. */
export function disabledBy({ toolset, effect, name }: Tool, settings: Settings): string | null {
  const { features } = settings.linux_ops;
  if (settings.read_only && effect !== "read") return "mcp.read_only = true";
  if (effect === "execute" && !settings.tools.enable_run_cmd) return "mcp.tools.enable_run_cmd = false";
  const isFileTool = toolset === "fs" || toolset === "search" || FILE_TOOLS.has(name);
  if (isFileTool && !features.fs_enabled) {
    return "mcp.linux_ops.features.fs_enabled = false";
  }
  if (toolset === "script" && !settings.tools.enable_script) return "mcp.tools.enable_script = false";
  if (UNDO_TOOLS.has(name) && !settings.undo.enabled) return "mcp.undo.enabled = false";
  if (toolset === "proc") {
    const repl = /_(start|send|read|stop)$/.test(name);
    if (repl && !features.repl_enabled) return "mcp.linux_ops.features.repl_enabled = false";
    if (!repl && !features.proc_enabled) return "mcp.linux_ops.features.proc_enabled = false";
  }
  const describes = toolset === "sys" || toolset === "logs" || name === "SYS_INFO";
  if (describes && !features.system_enabled) return "mcp.linux_ops.features.system_enabled = false";
  if (name === "linux_sys_logs" && !features.logs_enabled) return "mcp.linux_ops.features.logs_enabled = false";
  return null;
}
