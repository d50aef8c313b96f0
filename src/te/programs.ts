/** The one way a tool runs a program to its end: admitted by the gate, drained, bounded, and killed with its tree. @module */

/** What to run. Exactly one of `command` and `argv` is given. */
export interface RunRequest {
  /** A command line: split without a shell when it is plain, else run by an allowed shell after every word is checked. */
  readonly command?: string | undefined;
  /** Program and arguments, taken as they are. */
  readonly argv?: readonly string[] | undefined;
  /** Working directory; default: the first root. */
  readonly cwd?: string | undefined;
  /** Added to the fixed environment of every child; names that change how programs load code are refused. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the program reads; `/dev/null` when absent. */
  readonly stdin?: string | undefined;
  /** After which the tree is stopped; default: `mcp.tools.exec_timeout`, bounded by `max_timeout_sec`. */
  readonly timeoutMs?: number | undefined;
  /** Who owns the handle of a long output and the process of a long run. */
  readonly owner: string;
  /** Keeps terminal control sequences in the text. */
  readonly keepAnsi?: boolean | undefined;
  /** Bytes of each stream that are returned as text, head and tail together; the rest stands behind the handle. */
  readonly inlineBytes?: number | undefined;
  /** After how long a run that goes on is handed over as a managed process; 0 never. Default 45 s. */
  readonly handOverMs?: number | undefined;
}

/** How a child was held. */
export type ChildConfinement = "bwrap" | "landlock" | "none";

/** What came of it. */
export interface RunOutcome {
  /** Program and arguments as they were started. */
  readonly argv: readonly string[];
  /** Real path in which it ran. */
  readonly cwd: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The program's own code; 124 at the deadline, 126 and 127 when it could not be started, 128+n after signal n; null while it runs. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** Whether `stdout` or `stderr` leave something out. */
  readonly truncated: boolean;
  /** The whole output, when it is more than what is returned. */
  readonly handle: string | null;
  /** Bytes that each stream wrote. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly confinement: ChildConfinement;
  /** `running`: the run goes on as the managed process `procId`. */
  readonly state: "exited" | "running";
  readonly procId: string | null;
  /** True when the exit code reports a failure and not an answer (grep that found nothing, diff that found something). */
  readonly failed: boolean;
}

/** Runs programs. */
export interface Programs {
  /**
   * Runs one program and answers after both of its pipes have closed, or when it becomes a managed process.
   * Aborting the signal kills the whole tree and rejects with the signal's reason.
   * @throws OpsError COMMAND_NOT_ALLOWED, SANDBOX_UNAVAILABLE, INVALID_ARGUMENT, INVALID_PATH, NOT_FOUND, FEATURE_DISABLED
   */
  run(request: RunRequest, signal: AbortSignal): Promise<RunOutcome>;
}
