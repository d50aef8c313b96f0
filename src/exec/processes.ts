/** Manages programs that outlive the call that started them: terminals, REPLs, servers, long runs. @module */
import type { SignalName } from "../sandbox/children.ts";
import type { Admission } from "./policy/gate.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import type { NewOperation } from "../store/journal.ts";
import type { LeanOutput } from "./lean_run.ts";
import type { RunningChild } from "./running_child.ts";

/** What to start. Exactly one of `command` and `argv` is given. */
export interface StartRequest {
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Narrower than the configured roots. */
  readonly paths?: PathGuard | undefined;
  /** Describes the call, under which what the program changes in files is recorded. */
  readonly operation?: (() => NewOperation) | undefined;
  /** A pseudo-terminal of this size instead of pipes. */
  readonly pty?: { readonly rows: number; readonly cols: number } | undefined;
  /** How long to wait for first output; the answer comes earlier when output pauses or the program ends. */
  readonly waitMs?: number | undefined;
  /** Waits until output matches this regular expression, or the port is listened on, instead of for first output. */
  readonly waitFor?: string | undefined;
  readonly port?: number | undefined;
  readonly owner: string;
  /** One of the owner's sessions: only what it started counts towards its cap. */
  readonly session?: string | undefined;
}

/** `no_such_process`: unknown, forgotten after its idle time, or another owner's. */
export type ProcessState = "running" | "exited" | "no_such_process";

/** What is known of one managed process. */
export interface ManagedProcess {
  readonly procId: string;
  readonly pid: number;
  readonly owner: string;
  /** For people: program and arguments on one line, secrets masked. */
  readonly command: string;
  /** Every program that the command names, in order. */
  readonly programs: readonly string[];
  readonly cwd: string;
  readonly pty: boolean;
  readonly state: "running" | "exited";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly confinement: "bwrap" | "landlock" | "none";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastActivityAt: number;
  /** Bytes written so far; the offset at which the next output will stand. */
  readonly outputBytes: number;
}

/** One read of a process's output. */
export interface ReadRequest {
  /** How long to wait when there is nothing new yet. */
  readonly timeoutMs: number;
  /** Waits until this regular expression matches the text that follows the offset. */
  readonly waitFor?: string | undefined;
  /** Waits until a process of the tree listens on this TCP port; with `waitFor` for the first of both. */
  readonly port?: number | undefined;
  /** Only what follows the input that was sent last is waited for. */
  readonly isAnswer?: boolean | undefined;
  /** Waits until the process has ended. */
  readonly waitForExit?: boolean | undefined;
  /** Absolute byte offset; negative: lines from the end; default: where the last read ended. */
  readonly offset?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly keepAnsi?: boolean | undefined;
}

/** What a read found. */
export interface ReadOutcome {
  readonly output: string;
  readonly state: ProcessState;
  /** Where `output` begins and where the next read goes on, as absolute byte offsets. */
  readonly offset: number;
  readonly nextOffset: number;
  /** Bytes before `offset` that the ring no longer holds although they were asked for. */
  readonly lostBytes: number;
  /** More output is there than this read returned. */
  readonly more: boolean;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether `waitFor` matched, and the port is listened on; null when it was not given. */
  readonly matched: boolean | null;
  readonly listening: boolean | null;
  /** The first line that `waitFor` matches. */
  readonly matchedLine: string | null;
  /** The whole output made lean: in the first read without an offset that sees the end, where that gains something. */
  readonly digest: LeanOutput | null;
}

/** Input for a process. */
export interface SendRequest {
  readonly input: string;
  /** Ends the input with a newline. */
  readonly enter: boolean;
  /** Closes the input after it (a terminal gets Ctrl-D). */
  readonly eof: boolean;
  /** A control key sent after the input: `c` is Ctrl-C. */
  readonly control?: string | undefined;
}

/** A run that goes on after its call was answered. */
export interface Adoption {
  readonly run: RunningChild;
  readonly admission: Pick<Admission, "shown" | "programs" | "program" | "args" | "cwd">;
  readonly owner: string;
  readonly session?: string | undefined;
  /** When its deadline comes. */
  readonly stopAfterMs: number;
}

/** How a process was stopped. */
export interface StopOutcome {
  readonly state: Exclude<ProcessState, "running">;
  /** As in {@link ManagedProcess}; "" when the process does not exist. */
  readonly command: string;
  /** TCP ports that its tree listened on until then. */
  readonly ports: readonly number[];
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Keeps and drives managed processes. Every call names its owner; another owner's process does not exist for it. */
export interface Processes {
  /** @throws OpsError PROC_LIMIT_EXCEEDED, and what the gate throws */
  start(request: StartRequest, signal: AbortSignal): Promise<ManagedProcess & { readonly firstOutput: ReadOutcome }>;
  /** Takes over a run; returns its new id. It counts towards the caps but is never turned away by them. */
  adopt(adoption: Adoption): string;
  /** @throws OpsError PROCESS_NOT_FOUND, INVALID_ARGUMENT, TIMEOUT */
  send(procId: string, owner: string, input: SendRequest): Promise<void>;
  /** Answers with state `no_such_process` instead of an error, as the specification asks. @throws OpsError INVALID_ARGUMENT */
  read(procId: string, owner: string, request: ReadRequest, signal: AbortSignal): Promise<ReadOutcome>;
  /** What it printed last, at most so many bytes; moves nothing. Undefined when the owner has no such process. */
  tail(procId: string, owner: string, maxBytes: number): string | undefined;
  /** The signal, 2 s, then the end of the whole tree; a second stop changes nothing. */
  stop(procId: string, owner: string, signal: SignalName): Promise<StopOutcome>;
  /** One signal, nothing more. @throws OpsError PROCESS_NOT_FOUND */
  signal(procId: string, owner: string, signal: SignalName): Promise<void>;
  /** Tells of processes of a session that have ended since the last call, and whose end no answer has shown; once. */
  takeEnded(owner: string, session: string): readonly string[];
  /** All processes of an owner; of everyone for `"*"`. */
  list(owner: string): readonly ManagedProcess[];
  /** Stops everything. */
  close(): Promise<void>;
}
