/** Describes one process of the process table. @module */
import type { RunningChild } from "./running_child.ts";
import type { Sent } from "./echo.ts";

/** A process and what is known of it. */
export interface Entry {
  readonly procId: string;
  readonly owner: string;
  readonly session: string | undefined;
  readonly run: RunningChild;
  readonly command: string;
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
}
