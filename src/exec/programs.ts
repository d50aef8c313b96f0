/** Runs a program to its end: admitted by policy, drained, bounded, and killed with its process tree. @module */
import { encodeText } from "../core/bytes.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import type { Children } from "../sandbox/children.ts";
import type { HandleStore } from "../store/handles.ts";
import type { Admission, Gate } from "./policy/gate.ts";
import { MissingProgram } from "./policy/listed.ts";
import { makeOutput } from "./output.ts";
import type { PathGuard } from "../roots/path_guard.ts";
import type { Processes } from "./processes.ts";
import { type RunningChild, watchChild } from "./running_child.ts";
import type { LeanOutput } from "./lean_run.ts";
import { describeMissing, describeRun, describeStarted } from "./run_outcome.ts";

/** What to run. Exactly one of `command` and `argv` is given. */
export interface RunRequest {
  /** A command line: split without a shell when it is plain, else run by an allowed shell. */
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
  /** Narrower than the configured roots. */
  readonly paths?: PathGuard | undefined;
  /** Who owns the handle of a long output and the process of a long run. */
  readonly owner: string;
  /** Keeps terminal control sequences in the text. */
  readonly keepAnsi?: boolean | undefined;
  /**
   * Bytes of each stream that are returned as text, head and tail together, for a caller that condenses them itself.
   * When absent, both streams together get what one result may cost.
   */
  readonly inlineBytes?: number | undefined;
  /** Also makes the output lean for a model; `stdout` and `stderr` stay plain. */
  readonly lean?: boolean | undefined;
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
  /** The output made lean, where that was asked for and gained something. */
  readonly lean: LeanOutput | null;
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
  /** How many run now. */
  readonly running: number;
  /**
   * Runs one program and answers after both of its pipes have closed, or when it becomes a managed process.
   * Aborting the signal kills the whole tree and rejects with the signal's reason.
   * @throws OpsError COMMAND_NOT_ALLOWED, SANDBOX_UNAVAILABLE, INVALID_ARGUMENT, INVALID_PATH, NOT_FOUND, FEATURE_DISABLED
   */
  run(request: RunRequest, signal: AbortSignal): Promise<RunOutcome>;
  /** Ends everything that runs. */
  close(): Promise<void>;
}

/** What running programs needs. */
export interface ProgramsDeps {
  readonly config: Config;
  readonly gate: Gate;
  readonly children: Children;
  readonly handles: Pick<HandleStore, "put">;
  /** Takes over what runs longer than a call may last. */
  readonly processes: Pick<Processes, "adopt">;
}

/** How waiting for a program ended. */
type Ending = "ended" | "timed out" | "goes on";

/** Kept of one run; more is counted, not held. */
const HELD = { headBytes: 16 * 1024 * 1024, tailBytes: 16 * 1024 * 1024 };
/** Clients cut a call at 60 s. */
const HAND_OVER_MS = 45_000;

/** Makes the runner. */
export function makePrograms(deps: ProgramsDeps): Programs {
  const running = new Set<RunningChild>();

  function timeoutOf(request: RunRequest): number {
    const { tools, linux_ops: { process_limits: limits } } = deps.config.settings;
    const timeoutMs = request.timeoutMs ?? tools.exec_timeout * 1000;
    const most = Math.max(limits.max_timeout_sec, tools.exec_timeout);
    if (timeoutMs > 0 && timeoutMs <= most * 1000) return timeoutMs;
    const hint = "The operator sets the most by mcp.linux_ops.process_limits.max_timeout_sec.";
    throw new OpsError("INVALID_ARGUMENT", `'timeout' must be above 0 and at most ${most} seconds`, hint);
  }

  async function start(
    { program, args, cwd, roots, env, class: kind }: Admission,
    input: string | undefined,
  ): Promise<RunningChild> {
    const stdin = input === undefined ? "null" : encodeText(input);
    const run = watchChild(
      await deps.children.spawn({ program, args, cwd, roots, env, stdin }),
      makeOutput(HELD),
      kind === "code",
    );
    running.add(run);
    run.ended.then(() => running.delete(run));
    return run;
  }

  return {
    get running() {
      return running.size;
    },
    async run(request, signal) {
      const timeoutMs = timeoutOf(request);
      signal.throwIfAborted();
      const startedAt = performance.now();
      const elapsedMs = (): number => Math.round(performance.now() - startedAt);
      const admission = await admit(deps.gate, request);
      if (admission instanceof MissingProgram) return describeMissing(admission, request, elapsedMs());
      signal.throwIfAborted();
      const run = await start(admission, request.stdin);
      const ending = await waitForEnd(run, timeoutMs, request.handOverMs ?? HAND_OVER_MS, signal);
      const of = { request, admission, run, durationMs: elapsedMs() };
      if (ending !== "goes on") return describeRun(deps, of, ending === "timed out");
      running.delete(run);
      const procId = deps.processes.adopt({
        run,
        admission,
        owner: request.owner,
        stopAfterMs: timeoutMs - of.durationMs,
      });
      return describeStarted(deps, of, procId);
    },
    async close() {
      await Promise.all([...running].map((run) => run.kill()));
    },
  };
}

async function admit(
  gate: Gate,
  { command, argv, cwd, env, paths, stdin }: RunRequest,
): Promise<Admission | MissingProgram> {
  const input = stdin === undefined ? { kind: "nothing" as const } : { kind: "text" as const, text: stdin };
  return await gate.admit({ command, argv, cwd, env, paths, input }).catch((error: unknown) => {
    if (error instanceof MissingProgram) return error;
    throw error;
  });
}

/** Waits for the first of: the end, the deadline, the moment to hand over, the caller's cancellation. */
async function waitForEnd(
  run: RunningChild,
  timeoutMs: number,
  handOverMs: number,
  signal: AbortSignal,
): Promise<Ending> {
  const { promise: first, resolve } = Promise.withResolvers<Ending | "cancelled">();
  const cancel = (): void => resolve("cancelled");
  const timer = handOverMs > 0 && handOverMs < timeoutMs
    ? setTimeout(() => resolve("goes on"), handOverMs)
    : setTimeout(() => resolve("timed out"), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  run.ended.then(() => resolve("ended"));
  if (signal.aborted) cancel();
  const ending = await first;
  clearTimeout(timer);
  signal.removeEventListener("abort", cancel);
  if (ending === "cancelled") {
    run.kill(); // never rejects; whoever cancelled does not wait
    throw signal.reason;
  }
  if (ending === "timed out") await run.stop("TERM");
  return ending;
}
