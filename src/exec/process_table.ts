/** Table of managed processes: owners, limits, lifetimes. @module */
import { READ_OF_ABSENT, STOP_OF_ABSENT } from "./absent_process.ts";
import { describe, type Entry } from "./process_entry.ts";
import type { Condense } from "../condense/condenser.ts";
import type { Config } from "../config/resolve.ts";
import { OpsError } from "../core/error.ts";
import { compilePattern } from "../core/linear_pattern.ts";
import { sessionKey } from "../sandbox/session_use.ts";
import type { Gate } from "./policy/gate.ts";
import { makeOutput } from "./output.ts";
import { settleLines, stripControls } from "../condense/output_text.ts";
import { endDigest } from "./end_digest.ts";
import { makeEndedProcesses } from "./ended_processes.ts";
import { readProcess } from "./process_read.ts";
import { sendToProcess } from "./process_send.ts";
import type { Processes, ReadOutcome, ReadRequest, StartRequest } from "./processes.ts";
import { watchChild } from "./running_child.ts";
import { type RecordingDeps, startRecorded } from "./start_recorded.ts";

/** What keeping processes needs. */
export interface ProcessesDeps extends RecordingDeps {
  readonly config: Config;
  readonly gate: Gate;
  readonly condense: Condense;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Held of each process; older output is lost, and reads say so. */
const HELD = { headBytes: 0, tailBytes: 2 * 1024 * 1024 };
const FIRST_OUTPUT_MS = 1_000;
const SWEEP_MS = 5_000;
/** Finished processes that are kept for reading, of all owners. */
const MAX_FINISHED = 64;

/** Who started a process. */
type Starter = Pick<Entry, "owner" | "session">;
/** What is known of a process when it is added. */
type NewEntry = Pick<Entry, "owner" | "session" | "run" | "command" | "programs" | "argv" | "cwd" | "pty">;

/** Makes the keeper. */
export function makeProcesses(deps: ProcessesDeps): Processes {
  const { process_limits: limits } = deps.config.settings.linux_ops;
  const entries = new Map<string, Entry>();
  /** Being started: counted, but not there yet. */
  const starting: Starter[] = [];
  const ended = makeEndedProcesses();
  let sweeper: ReturnType<typeof setInterval> | undefined;

  const find = (procId: string, owner: string): Entry | undefined => {
    const entry = entries.get(procId);
    return entry?.owner === owner ? entry : undefined;
  };

  const need = (procId: string, owner: string): Entry => {
    const entry = find(procId, owner);
    if (entry?.run.exit === null) return entry;
    const state = entry ? "has ended" : "does not exist";
    throw new OpsError(
      "PROCESS_NOT_FOUND",
      `process ${procId} ${state}`,
      "Start one with linux_proc_start; linux_proc_read shows what it printed last.",
    );
  };

  function checkLimits({ owner, session }: Starter): void {
    const isOwn = (each: Starter) => each.owner === owner && each.session === session;
    const running = [...entries.values()].filter(({ run }) => run.exit === null);
    const own = running.filter(isOwn).length + starting.filter(isOwn).length;
    if (own >= limits.max_procs_per_session) {
      throw limitReached("this session", limits.max_procs_per_session, "max_procs_per_session");
    }
    if (running.length + starting.length >= limits.max_procs_total) {
      throw limitReached("the server", limits.max_procs_total, "max_procs_total");
    }
  }

  function add(entry: NewEntry): Entry {
    const now = deps.now();
    const made: Entry = {
      ...entry,
      procId: newId(),
      startedAt: now,
      lastActivityAt: now,
      nextOffset: 0,
      sent: null,
      inputEnded: false,
      inputWaits: false,
      endShown: false,
    };
    entries.set(made.procId, made);
    ended.watch(made);
    sweeper ??= setInterval(sweep, SWEEP_MS);
    return made;
  }

  /** Ends processes that have been unused for long, and forgets those that ended long ago. */
  function sweep(): void {
    const oldest = deps.now() - limits.idle_ttl_sec * 1000;
    const finished = [...entries.values()].filter(({ run }) => run.exit !== null).sort((a, b) =>
      a.lastActivityAt - b.lastActivityAt
    );
    const surplus = new Set(finished.slice(0, Math.max(0, finished.length - MAX_FINISHED)));
    for (const entry of entries.values()) {
      if (entry.lastActivityAt >= oldest && !surplus.has(entry)) continue;
      if (entry.run.exit === null) entry.run.kill();
      entries.delete(entry.procId);
    }
    if (entries.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  async function closeAll(closing: readonly Entry[]): Promise<void> {
    for (const { procId } of closing) entries.delete(procId);
    sweep();
    await Promise.all(closing.map(({ run }) => run.kill()));
  }

  /** Reads, and remembers that the end was shown. */
  async function readEntry(entry: Entry, request: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
    const read = await readProcess(entry, request, signal);
    if (read.state === "running") return read;
    const digest = endDigest(deps, entry, request);
    entry.endShown = true; // before it is waited for: another read shows no second digest
    return { ...read, digest: await digest };
  }

  /** Counts as being started until it is there. */
  async function begin(
    { command, argv, cwd, env, paths, pty, owner, session, operation }: StartRequest,
    signal: AbortSignal,
  ): Promise<Entry> {
    const starter: Starter = { owner, session };
    checkLimits(starter);
    starting.push(starter);
    try {
      const admission = await deps.gate.admit({ command, argv, cwd, env, paths, input: { kind: "session" } });
      signal.throwIfAborted();
      const { program, programs, args, cwd: directory, roots, env: environment } = admission;
      const asked = {
        program,
        args,
        cwd: directory,
        roots,
        session: sessionKey(owner, session),
        env: environment,
        stdin: "pipe" as const,
        ...pty ? { pty } : {},
      };
      const { child, collect } = await startRecorded(deps, asked, operation);
      const run = watchChild(child, makeOutput(HELD), true, collect), isPty = pty !== undefined;
      const named = { command: admission.shown, programs, argv: [program, ...args] };
      return add({ ...starter, ...named, run, cwd: directory, pty: isPty });
    } finally {
      starting.splice(starting.indexOf(starter), 1);
    }
  }

  return {
    async start(request, signal) {
      if (request.waitFor !== undefined) compilePattern(request.waitFor); // a fault in it is told before anything is started
      const entry = await begin(request, signal), { waitMs = FIRST_OUTPUT_MS, waitFor, port } = request;
      const reading = readEntry(entry, { timeoutMs: waitMs, waitFor, port }, signal);
      const firstOutput = await reading.catch(async (error: unknown) => {
        await closeAll([entry]); // no caller learns its id
        throw error;
      });
      return { ...describe(entry), firstOutput };
    },
    adopt({ run, admission, owner, session, stopAfterMs }) {
      const { shown: command, programs, program, args, cwd } = admission;
      const entry = add({ owner, session, run, command, programs, argv: [program, ...args], cwd, pty: false });
      entry.inputEnded = true; // it was started with all the input it gets
      entry.nextOffset = run.output.bytes; // so much its caller has seen
      const timer = setTimeout(() => run.stop("TERM"), Math.max(0, stopAfterMs));
      run.ended.then(() => clearTimeout(timer));
      return entry.procId;
    },
    async send(procId, owner, input) {
      const entry = need(procId, owner);
      entry.lastActivityAt = deps.now();
      await sendToProcess(entry, input);
    },
    async read(procId, owner, request, signal) {
      const entry = find(procId, owner);
      if (!entry) return READ_OF_ABSENT;
      entry.lastActivityAt = deps.now();
      return await readEntry(entry, request, signal);
    },
    tail(procId, owner, maxBytes) {
      const entry = find(procId, owner);
      if (!entry) return undefined;
      const { text } = entry.run.output.read(Math.max(0, entry.run.output.bytes - maxBytes), maxBytes);
      return entry.pty ? settleLines(stripControls(text)) : stripControls(text);
    },
    async stop(procId, owner, signal) {
      const entry = find(procId, owner);
      if (!entry) return STOP_OF_ABSENT;
      entry.lastActivityAt = deps.now();
      const ports = entry.run.exit !== null ? [] : await entry.run.child.ports().catch(() => []); // its host is gone
      // A shell at a terminal ignores TERM; that the terminal is gone it does not ignore.
      const exit = await entry.run.stop(
        signal,
        ...entry.pty && signal === "TERM" ? ["HUP" as const, "CONT" as const] : [],
      );
      entry.endShown = true;
      return { state: "exited", command: entry.command, ports, exitCode: exit.code, signal: exit.signal };
    },
    async signal(procId, owner, signal) {
      await need(procId, owner).run.child.signal(signal);
    },
    list(owner) {
      sweep();
      return [...entries.values()].filter((entry) => owner === "*" || entry.owner === owner).map(describe);
    },
    takeEnded: ended.take,
    close: () => closeAll([...entries.values()]),
  };
}

function limitReached(whose: string, most: number, setting: string): OpsError {
  const hint = `Stop one with linux_proc_stop; the operator sets mcp.linux_ops.process_limits.${setting}.`;
  return new OpsError("PROC_LIMIT_EXCEEDED", `${whose} runs ${most} processes already`, hint);
}

/** Short, because a model repeats it in every call; unguessable, although the owner is checked as well. */
function newId(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  return `P_${
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => letters.charAt(byte % letters.length)).join("")
  }`;
}
