/** Rejects settings that loosen the policy in a configuration file which sandboxed programs can write. @module */
import { isInside, isInsideAny, parentOf } from "../core/path.ts";
import type { Problem } from "./error.ts";
import type { Loaded } from "./load.ts";

/** Keys that open something, and whether a value does. */
const LOOSENING: readonly (readonly [string, (value: unknown, folder: string) => boolean])[] = [
  ["mcp.tools.confinement", (value) => value !== "required"],
  ["mcp.tools.enforce_roots", (value) => value === false],
  ["mcp.tools.allowed_roots", leavesFolder],
  ["mcp.linux_ops.roots.enforce_roots", (value) => value === false],
  ["mcp.linux_ops.roots.allowed_roots", leavesFolder],
  ["mcp.linux_ops.commands.allow_unsafe", (value) => value === true],
  ["mcp.linux_ops.process_limits.allow_kill_other_users", (value) => value === true],
  ["mcp.auth.mode", (value) => value === "none"],
  ["mcp.auth.allow_unauthenticated", (value) => value === true],
  // Where a secret is taken from decides who knows it.
  ["mcp.auth.token_env", (value) => value !== "LLMC_MCP_TOKEN"],
  ["mcp.auth.token_file", (value) => value !== ""],
  ["mcp.server.host", (value) => !LOOPBACK.includes(String(value))],
  ["mcp.server.allowed_hosts", isFilled],
  ["mcp.server.allowed_origins", isFilled],
  ["mcp.observability.metrics_public", (value) => value === true],
  // The server itself runs the one and sends code to the other.
  ["mcp.te.script_path", (value) => value !== ""],
  ["mcp.rag.embeddings_url", (value) => value !== ""],
];

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

function isFilled(list: unknown): boolean {
  return !Array.isArray(list) || list.length > 0;
}

function leavesFolder(roots: unknown, folder: string): boolean {
  return Array.isArray(roots) && roots.some((root: unknown) => typeof root !== "string" || !isInside(root, folder));
}

/**
 * What a file that nobody named, in a folder that is or becomes a root, may not set. A cloned repository can bring such a
 * file, and a confined program can leave one behind for the next start.
 */
export function looseningByFoundFile(loaded: Loaded, roots: readonly string[], workingDir: string): Problem[] {
  const { configFile, fromFile } = loaded;
  if (configFile === null || loaded.asked || configFile !== `${workingDir}/llmc.toml`) return [];
  const folder = parentOf(configFile);
  if (!isInsideAny(folder, roots)) return [];
  const message =
    `is not taken from a file that was merely found inside a root; if you mean it: --config ${configFile}`;
  return LOOSENING
    .filter(([key, loosens]) => key in fromFile && loosens(fromFile[key], folder))
    .map(([key]) => loaded.fault(key, message));
}
