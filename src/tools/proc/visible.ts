/** Decides which processes a caller may see and signal. @module */
import { OpsError } from "../../core/error.ts";
import type { ProcessFact } from "../../sysinfo/processes.ts";
import type { ToolContext } from "../../call/tool.ts";

/** What is asked for. */
export interface ProcessFilter {
  /** A name, `*` for everyone's; absent: the server's own user, or everyone's where that is allowed. */
  readonly user: string | undefined;
  readonly kernel: boolean;
}

/**
 * The processes that a caller may see.
 * @throws OpsError PERMISSION_DENIED for other users' processes where the operator did not allow them
 */
export async function visibleProcesses(
  { config, facts }: Pick<ToolContext, "config" | "facts">,
  { user, kernel }: ProcessFilter,
): Promise<ProcessFact[]> {
  const all = await facts.processes();
  const own = all.find(({ server }) => server)?.user;
  const othersAllowed = config.settings.linux_ops.process_limits.allow_kill_other_users;
  if (!othersAllowed && user !== undefined && user !== own) {
    const setting = "mcp.linux_ops.process_limits.allow_kill_other_users";
    throw new OpsError(
      "PERMISSION_DENIED",
      "processes of other users are not shown",
      `Leave 'user' out; the operator may set ${setting}.`,
    );
  }
  const wanted = user ?? (othersAllowed ? "*" : own);
  return all.filter((fact) => (wanted === "*" || fact.user === wanted) && (kernel || !fact.kernel));
}
