/** Signals a process after checking again that it is still the same one. @module */
import { OpsError } from "../core/error.ts";
import { ownerOf, readProcFile, readStat } from "./process_stat.ts";

/** Signals that a caller may send. */
export type SignalName = "TERM" | "KILL" | "INT" | "HUP" | "STOP" | "CONT" | "USR1" | "USR2" | "QUIT";

/** Everything is looked at again here, immediately before the signal: the caller's list is some milliseconds old. */
export function signalProcess(
  server: number,
  pid: number,
  startTicks: number,
  signal: SignalName,
  allowOthers: boolean,
): void {
  if (pid <= 1) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is never signalled`);
  if (readProcFile(`/proc/${server}/task/${pid}/comm`) !== "") {
    throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is this server`);
  }
  if (ancestorsOf(server).includes(pid)) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} started this server`);
  const stat = readStat(pid), owner = stat && ownerOf(stat);
  if (stat === null || owner === null) throw gone(pid);
  if (stat.startTicks !== startTicks) throw new OpsError("PROCESS_NOT_FOUND", `pid ${pid} is now a different process`);
  if (stat.kernel) throw new OpsError("KILL_FORBIDDEN", `pid ${pid} is a kernel thread`);
  if (owner !== Deno.uid() && !allowOthers) {
    throw new OpsError(
      "PERMISSION_DENIED",
      `pid ${pid} belongs to another user`,
      "mcp.linux_ops.process_limits.allow_kill_other_users decides whether such processes may be signalled.",
    );
  }
  try {
    Deno.kill(pid, `SIG${signal}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw gone(pid);
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new OpsError("PERMISSION_DENIED", `the operating system does not allow this user to signal pid ${pid}`);
    }
    throw error;
  }
}

const gone = (pid: number): OpsError => new OpsError("PROCESS_NOT_FOUND", `no process ${pid}`);

function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let stat = readStat(pid); stat !== null && stat.ppid > 0; stat = readStat(stat.ppid)) {
    if (found.includes(stat.ppid)) break;
    found.push(stat.ppid);
  }
  return found;
}
