/** Runs a program to its end: admitted by policy, drained, bounded, and killed with its process tree. @module */
import type { Condense } from "../condense/condenser.ts";
import { encodeText } from "../core/bytes.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { sessionKey } from "../sandbox/session_use.ts";
import type { HandleStore } from "../store/handles.ts";
import type { Admission, Gate } from "./policy/gate.ts";
import { MissingProgram } from "./policy/listed.ts";
import { makeOutput } from "./output.ts";
import type { Processes } from "./processes.ts";
import { type RunningChild, watchChild } from "./running_child.ts";
import { type RecordingDeps, startRecorded } from "./start_recorded.ts";
import { describeMissing, describeRun, describeStarted, type RunOutcome, type RunRequest } from "./run_outcome.ts";

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
export interface ProgramsDeps extends RecordingDeps {
  readonly config: Config;
  readonly gate: Gate;
  readonly handles: Pick<HandleStore, "put">;
  /** Takes over what runs longer than a call may last. */
  readonly processes: Pick<Processes, "adopt">;
  readonly condense: Condense;
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

  /** When a run is ended, and when its caller is answered although it goes on. */
  function limitsOf(request: RunRequest): { timeoutMs: number; handOverMs: number } {
    const { tools, linux_ops: { process_limits: limits } } = deps.config.settings;
    const defaultMs = tools.exec_timeout * 1000, most = Math.max(limits.max_timeout_sec, tools.exec_timeout);
    const handOverMs = request.handOverMs === 0 ? Infinity : request.handOverMs ?? HAND_OVER_MS;
    if (request.mayGoOn === true && request.timeoutMs === undefined && most > tools.exec_timeout) {
      return { timeoutMs: most * 1000, handOverMs: Math.min(handOverMs, defaultMs) };
    }
    const timeoutMs = request.timeoutMs ?? defaultMs;
    if (timeoutMs > 0 && timeoutMs <= most * 1000) return { timeoutMs, handOverMs };
    const hint = "The operator sets the maximum with mcp.linux_ops.process_limits.max_timeout_sec.";
    throw new OpsError("INVALID_ARGUMENT", `'timeout' must be above 0 and at most ${most} seconds`, hint);
  }

  async function start(
    { program, args, cwd, roots, env, class: kind }: Admission,
    { stdin: input, owner, session: sessionId, operation }: RunRequest,
  ): Promise<RunningChild> {
    const session = sessionKey(owner, sessionId), stdin = input === undefined ? "null" as const : encodeText(input);
    const runsAlone = kind !== "code";
    const asked = { program, args, cwd, roots, session, runsAlone, env, stdin };
    const { child, collect } = await startRecorded(deps, asked, operation);
    const run = watchChild(child, makeOutput(HELD), !runsAlone, collect);
    running.add(run);
    run.ended.then(() => running.delete(run));
    return run;
  }

  return {
    get running() {
      return running.size;
    },
    async run(request, signal) {
      const { timeoutMs, handOverMs } = limitsOf(request);
      signal.throwIfAborted();
      const startedAt = performance.now();
      const elapsedMs = (): number => Math.round(performance.now() - startedAt);
      const admission = await admit(deps.gate, request);
      if (admission instanceof MissingProgram) return describeMissing(admission, request, elapsedMs());
      signal.throwIfAborted();
      const run = await start(admission, request);
      const ending = await waitForEnd(run, timeoutMs, handOverMs, signal);
      const of = { request, admission, run, durationMs: elapsedMs() };
      if (ending !== "goes on") return await describeRun(deps, of, ending === "timed out");
      running.delete(run);
      const procId = deps.processes.adopt({
        run,
        admission,
        owner: request.owner,
        session: request.session,
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
  const timer = handOverMs < timeoutMs
    ? setTimeout(() => resolve("goes on"), handOverMs)
    : setTimeout(() => resolve("timed out"), timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  run.ended.then(() => resolve("ended"));
  if (signal.aborted) cancel();
  const ending = await first;
  clearTimeout(timer);
  signal.removeEventListener("abort", cancel);
  if (ending === "cancelled") {
    run.kill(); // never rejects; the caller that cancelled does not wait
    throw signal.reason;
  }
  if (ending === "timed out") await run.stop("TERM");
  return ending;
}
