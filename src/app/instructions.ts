/** What a client is told once about this server: the facts that a model cannot infer from the tools. @module */
import type { Config } from "../config/resolve.ts";
import type { Catalog } from "../te/catalog.ts";

/** Under 1 KB, because clients cut long instructions; the most important first. */
export function makeInstructions({ roots, settings }: Config, catalog: Catalog): string {
  const names = new Set(catalog.listed().map(({ name }) => name));
  const lines = [
    roots.length > 0
      ? `Files and commands are confined to: ${shortList(roots)}. Relative paths start at the first.`
      : "No folder is open to tools yet; the operator must add one with --root.",
    "Long results end with a handle in their last [line]: linux_handle_read reads on.",
  ];
  if (names.has("rag_search")) {
    lines.push("To find code by meaning use rag_search; for exact text linux_search_content.");
  }
  if (names.has("linux_fs_patch_block")) {
    lines.push("Edit with linux_fs_patch_block or linux_fs_apply_diff rather than rewriting files.");
  }
  if (names.has("run_cmd")) lines.push(`Programs that may run: ${settings.tools.run_cmd_allowlist.join(" ")}.`);
  if (settings.read_only) lines.push("The server is read-only.");
  return lines.join("\n").slice(0, 1_000);
}

function shortList(paths: readonly string[]): string {
  return paths.slice(0, 4).join(", ") + (paths.length > 4 ? ` and ${paths.length - 4} more` : "");
}
