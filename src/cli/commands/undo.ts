/** `llmc-mcp undo` and `llmc-mcp changes`: restore what tools changed, and show it. @module */
import { absolutePath } from "../../config/paths.ts";
import { thisMachine } from "../../sys/machine.ts";
import type { ConfigFlags } from "../settings.ts";
import { runTool } from "./tool.ts";

/** Options of both commands. */
export interface UndoFlags extends ConfigFlags {
  readonly since?: string;
  readonly path?: string;
  readonly json?: boolean;
}

/** Undoes an operation, or the last one of any session. The exit code is 1 when something was left alone. */
export async function undo(op: string | undefined, flags: UndoFlags & { readonly dryRun?: boolean }): Promise<number> {
  return await runTool("linux_fs_undo", { ...common(op, flags), dry_run: flags.dryRun ?? false }, flags);
}

/** Lists operations of all sessions, or one in detail. */
export async function changes(
  op: string | undefined,
  flags: UndoFlags & { readonly session?: string; readonly diff?: boolean },
): Promise<number> {
  const { session, diff = false } = flags;
  return await runTool("linux_fs_changes", {
    ...common(op, flags),
    ...session === undefined ? {} : { session },
    diff,
  }, flags);
}

/** A path is meant from where the command is typed, not from the first root. */
function common(op: string | undefined, { since, path }: UndoFlags): Record<string, unknown> {
  const { workingDir, homeDir } = thisMachine();
  return {
    ...op === undefined ? {} : { op },
    ...since === undefined ? {} : { since },
    ...path === undefined ? {} : { path: absolutePath(path, workingDir, homeDir) },
  };
}
