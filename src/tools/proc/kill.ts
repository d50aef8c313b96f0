/** `linux_proc_kill`: sends a signal to one process of the caller's, or to one that the operator allows. @module */
import * as z from "zod";
import { OpsError } from "../../core/error.ts";
import type { ProcessFact } from "../../sysinfo/processes.ts";
import type { ManagedProcess } from "../../exec/processes.ts";
import { defineTool, type ToolContext } from "../../call/tool.ts";

const SIGNALS = ["TERM", "KILL", "INT", "HUP", "STOP", "CONT", "USR1", "USR2", "QUIT"] as const;

/** See the summary. */
export const procKill = defineTool({
  name: "linux_proc_kill",
  title: "Signal process",
  summary: "Send a signal to a process by its pid: one that you started, or that the operator allows.",
  toolset: "proc",
  effect: "destroy",
  input: () => z.strictObject({ pid: z.int(), signal: z.enum(SIGNALS).default("TERM") }),
  output: () => z.object({ success: z.boolean(), message: z.string() }),
  record: true,
  async run({ pid, signal }, context) {
    const { facts, processes, config, owner } = context;
    if (pid <= 1) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is never signalled`);
    const target = await facts.findProcess(pid);
    if (target === null) throw new OpsError("PROCESS_NOT_FOUND", `no process ${pid}`);
    const managed = await managedBy(target, context);
    if (managed === null) await requireAllowed(target, context);
    // The pid of a confined process is that of its confinement: what runs inside is reached through it.
    if (managed?.pid === pid) await processes.signal(managed.procId, owner, signal);
    else {await facts.killProcess(
        pid,
        target.startTicks,
        signal,
        config.settings.linux_ops.process_limits.allow_kill_other_users,
      );}
    return { success: true, message: `Sent SIG${signal} to pid ${pid} (${target.name})` };
  },
});

/** Servers of ours, this one and others, by the beginning of their name. */
const OWN_NAME = "llmc-mcp";

/**
 * @throws OpsError PERMISSION_DENIED for a process of another user, KILL_FORBIDDEN when the operator did not name the
 * process, or it belongs to another server of ours
 */
async function requireAllowed(target: ProcessFact, { facts, config }: ToolContext): Promise<void> {
  const { killable, allow_kill_other_users } = config.settings.linux_ops.process_limits;
  const shown = `pid ${target.pid} (${target.name})`;
  for (
    let fact: ProcessFact | null = target;
    fact !== null && fact.pid > 1;
    fact = await facts.findProcess(fact.ppid)
  ) {
    if (!fact.name.startsWith(OWN_NAME)) continue;
    throw new OpsError("KILL_FORBIDDEN", `${shown} belongs to another llmc-mcp server`, "Leave it alone.");
  }
  if (!target.ownUser && !allow_kill_other_users) {
    throw new OpsError(
      "PERMISSION_DENIED",
      `${shown} belongs to another user`,
      "mcp.linux_ops.process_limits.allow_kill_other_users decides whether such processes may be signalled.",
    );
  }
  if (killable.includes("*") || killable.includes(target.name)) return;
  throw new OpsError(
    "KILL_FORBIDDEN",
    `${shown} was not started by this server`,
    `The operator allows it by adding "${target.name}" to mcp.linux_ops.process_limits.killable.`,
  );
}

/**
 * The caller's managed process that a process belongs to; null when it does not come from this server.
 * @throws OpsError KILL_FORBIDDEN when it belongs to the server itself or to another session
 */
async function managedBy(
  target: ProcessFact,
  { facts, processes, owner }: ToolContext,
): Promise<ManagedProcess | null> {
  const managed = new Map(
    processes.list("*").filter(({ state }) => state === "running").map((entry) => [entry.pid, entry]),
  );
  for (
    let fact: ProcessFact | null = target;
    fact !== null && fact.pid > 1;
    fact = await facts.findProcess(fact.ppid)
  ) {
    const entry = managed.get(fact.pid);
    if (entry?.owner === owner) return entry;
    if (entry !== undefined) throw new OpsError("KILL_FORBIDDEN", `pid ${target.pid} belongs to another session`);
    if (fact.server) {
      throw new OpsError(
        "KILL_FORBIDDEN",
        `pid ${target.pid} belongs to this server`,
        "What you started is stopped by linux_proc_stop.",
      );
    }
  }
  return null;
}
