/** Describes one process of the process table. @module */
import type { RunningChild } from "./running_child.ts";
import type { Sent } from "./echo.ts";
import type { ManagedProcess } from "./processes.ts";

/** A process and what is known of it. */
export interface Entry {
  readonly procId: string;
  readonly owner: string;
  readonly session: string | undefined;
  readonly run: RunningChild;
  readonly command: string;
  readonly programs: readonly string[];
  /** Program and arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly pty: boolean;
  readonly startedAt: number;
  lastActivityAt: number;
  /** Where the next read begins when it does not say. */
  nextOffset: number;
  /** What it was sent last. */
  sent: Sent | null;
  /** Its input was closed. */
  inputEnded: boolean;
  /** It does not read what it was sent. */
  inputWaits: boolean;
  /** An answer has shown that it ended. */
  endShown: boolean;
}

/** What others are told of it. */
export function describe(
  { procId, owner, run, command, programs, cwd, pty, startedAt, lastActivityAt }: Entry,
): ManagedProcess {
  return {
    procId,
    pid: run.child.pid,
    owner,
    command,
    programs,
    cwd,
    pty,
    state: run.exit === null ? "running" : "exited",
    exitCode: run.exit?.code ?? null,
    signal: run.exit?.signal ?? null,
    confinement: run.child.confinement,
    startedAt,
    lastActivityAt,
    outputBytes: run.output.bytes,
  };
}
