/** Signals the processes of a child and finds its leader in /proc. @module */
import type { SignalName } from "../sysinfo/signal_process.ts";
import { OpsError } from "../core/error.ts";

/** Signals a process, or a group when negative; one that is gone is no error. */
export function sendSignal(pid: number, name: SignalName): void {
  try {
    Deno.kill(pid, `SIG${name}`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The innermost only child: the program that `script` runs on the terminal. */
function lastDescendant(pid: number): number {
  for (let current = pid;;) {
    const child = firstChild(current);
    if (child === null) return current;
    current = child;
  }
}

/** The program on the terminal that `script` made: it leads a session of its own, and signals to `script` do not reach it. */
export function terminalLeader(pid: number): number {
  for (let current = firstChild(pid); current !== null; current = firstChild(current)) {
    if (sessionOf(current) === current) return current;
  }
  return pid;
}

function sessionOf(pid: number): number | null {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
  } catch {
    return null; // it has just ended
  }
}

/** The first child of a process; null when it has none or is gone. */
export function firstChild(pid: number): number | null {
  return childrenOf(pid)[0] ?? null;
}

/** Children of a process that its first thread started; none when it is gone. */
export function childrenOf(pid: number): number[] {
  try {
    return (Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number);
  } catch {
    return []; // it has just ended
  }
}

/** Sets the size of the terminal that the innermost program below a process has as its input. */
export async function resizeTerminal(leader: number, rows: number, cols: number): Promise<void> {
  const pid = lastDescendant(leader);
  // Through /proc, because the terminal may belong to another mount namespace, where its name means another one.
  const args = ["-F", `/proc/${pid}/fd/0`, "rows", `${rows}`, "cols", `${cols}`];
  const { success } = await new Deno.Command("/usr/bin/stty", { args, clearEnv: true, stdin: "null" }).output();
  if (!success) throw new OpsError("INVALID_ARGUMENT", "this process has no terminal");
}
