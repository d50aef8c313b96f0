/** Starts children and owns their pipes, in the broker or the spawner. @module */
import { OpsError } from "../core/error.ts";
import { cleanerOf } from "./clean_home.ts";
import { findProgram } from "./find_program.ts";
import type { GuardWatch } from "./guard_watch.ts";
import { resizeTerminal, sendSignal, terminalLeader } from "./process_group.ts";
import { type PassedBound, passedBound, type TreeBounds } from "./tree_bounds.ts";
import { removeSessionTmp, sessionTmp } from "./session_tmp.ts";
import {
  type ChildExit,
  type ChildRequest,
  type ChildVerbs,
  type Confinement,
  HOME_CLEANER,
  type HostConfig,
  type MarkedRequest,
} from "./protocol.ts";

/** What differs between the hosts. */
export interface HostDeps {
  readonly host: HostConfig;
  readonly confinement: Confinement;
  /** Starts a child. Its input is a pipe where the request gives it one. */
  start(request: MarkedRequest, program: string): Deno.ChildProcess;
  /** Whether the kernel holds what is started. */
  readonly isHeld: boolean;
  /** The leader of the group that `signal` reaches, given the pid that was started. */
  payloadLeader(pid: number): number;
  /** Sets the limits of a process that was just started. @param mark Of the request. */
  limit?: ((pid: number, mark: string) => void) | undefined;
  /** Ends what waits for the next child of a session. */
  leave?(session: string): void;
  /** Ends what waits for the next child; nothing waits from then on. */
  close?(): Promise<void>;
}

/** What watches over all children of a thread. */
export interface HostWatch {
  /** What each child may use, with all that it started; one that passes a bound is ended. */
  readonly bounds?: TreeBounds;
  /** Notices guarded files that programs make. */
  readonly guard?: GuardWatch | null;
  /** Hears how many children there are, whenever that changes. */
  readonly counted?: (running: number) => void;
  /** Whether what children change is recorded. */
  readonly isRecorded?: boolean;
}

interface Held {
  readonly process: Deno.ChildProcess;
  readonly stdout: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly stderr: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly stdin: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | null;
  readonly confinement: Confinement;
  /** Streams that were not read to their end. */
  readonly open: Set<"stdout" | "stderr">;
  readonly pty: boolean;
  /** Whether what it makes of guarded files is suspect; not of the server's own program. */
  readonly isGuarded: boolean;
  /** The leader of the group that signals reach. */
  leader(): number;
  ended: boolean;
  /** The bound that ended it. */
  passed: PassedBound | null;
  timer?: ReturnType<typeof setTimeout>;
}

const LIMIT_AGAIN_MS = 20;
/** How often a running tree is measured. */
const BOUNDS_MS = 500;
const RELEASE_AFTER_MS = 60_000;

/** Verbs over children of this thread. @param choose How the next child is started; throws where none can be. */
export function makeChildHost(
  choose: () => HostDeps,
  { bounds, guard, counted, isRecorded = false }: HostWatch = {},
): ChildVerbs {
  const children = new Map<number, Held>();
  let lastId = 0, running = 0, chosen: HostDeps | undefined;
  const count = (change: 1 | -1, { program }: ChildRequest) => {
    running += change;
    // The server's own program makes no guarded files: what the operator changes while it runs is not suspect.
    if (program !== HOME_CLEANER) guard?.[change > 0 ? "begin" : "end"]();
    counted?.(running);
  };

  const held = (id: number): Held => {
    const child = children.get(id);
    if (!child) throw new OpsError("PROCESS_NOT_FOUND", `no child ${id}`);
    return child;
  };

  const startCounted = (deps: HostDeps, request: MarkedRequest, program: string): Held => {
    count(1, request);
    try {
      return hold(deps, request, deps.start(request, program));
    } catch (error) {
      count(-1, request);
      throw error;
    }
  };

  return {
    spawn(given) {
      const deps = chosen = choose();
      const request = given.program === HOME_CLEANER ? cleanerOf(given, deps.host) : given;
      const program = findProgram(deps.host, request.program, deps.isHeld);
      const child = startCounted(deps, request, program);
      const limit = () => deps.limit?.(child.process.pid, request.mark);
      limit();
      // One that was being forked just then had its limits already, and was not yet to be found among the children.
      const again = setTimeout(limit, LIMIT_AGAIN_MS);
      const watching = bounds && setInterval(() => {
        child.passed ??= passedBound(child.process.pid, sessionTmp(deps.host, request), bounds);
        if (child.passed) sendSignal(-child.process.pid, "KILL");
      }, BOUNDS_MS);
      const id = ++lastId;
      children.set(id, child);
      child.process.status.then(() => {
        count(-1, request);
        clearTimeout(again);
        clearInterval(watching);
        child.ended = true;
        child.stdin?.close().catch(() => {}); // else its end of the pipe stays open here
        if (child.open.size === 0) return void children.delete(id);
        // Pipes that were not read to their end by then are given up.
        child.timer = setTimeout(() => children.delete(id), RELEASE_AFTER_MS);
        Deno.unrefTimer(child.timer);
      });
      return Promise.resolve({ id, pid: child.process.pid, confinement: child.confinement, isRecorded });
    },
    async read(id, stream) {
      const child = held(id);
      const { value } = await child[stream].read();
      if (value) return value;
      child.open.delete(stream);
      if (child.ended && child.open.size === 0) {
        clearTimeout(child.timer);
        children.delete(id);
      }
      return null;
    },
    async write(id, data) {
      const { stdin } = held(id);
      if (!stdin) throw new OpsError("INVALID_ARGUMENT", "this process has no input");
      await stdin.write(data).catch(() => {
        throw new OpsError("PROCESS_NOT_FOUND", "the process no longer reads its input");
      });
    },
    async closeStdin(id) {
      await held(id).stdin?.close().catch(() => {}); // already closed by the other end: the same to the caller
    },
    signal(id, name) {
      const child = children.get(id);
      if (child && !child.ended) {
        const leader = child.leader();
        sendSignal(-(child.pty ? terminalLeader(leader) : leader), name);
      }
      return Promise.resolve();
    },
    kill(id) {
      const child = children.get(id);
      if (child) sendSignal(-child.process.pid, "KILL");
      return Promise.resolve();
    },
    async resize(id, rows, cols) {
      await resizeTerminal(held(id).leader(), rows, cols);
    },
    async wait(id) {
      const child = held(id), exit = exitOf(await child.process.status);
      // A look is for the end of a program: before the first one all that is there is the operator's.
      return { ...exit, suspects: child.isGuarded && guard?.look() || [], passed: child.passed };
    },
    async removeTmp(session) {
      const { host, leave } = choose();
      leave?.(session);
      await removeSessionTmp(host, session);
    },
    suspects: () => Promise.resolve(guard?.look() ?? []),
    close: async () => await chosen?.close?.(),
  };
}

function hold(
  { payloadLeader, confinement }: HostDeps,
  { program, stdin, pty }: ChildRequest,
  process: Deno.ChildProcess,
): Held {
  const writer = stdin === "null" ? null : process.stdin.getWriter();
  if (writer && stdin instanceof Uint8Array) {
    // A child that does not read all of its input is not an error.
    writer.write(stdin).then(() => writer.close()).catch(() => {});
  }
  const stdout = process.stdout.getReader(), stderr = process.stderr.getReader();
  return {
    process,
    stdout,
    stderr,
    stdin: writer,
    confinement,
    open: new Set(["stdout", "stderr"]),
    pty: pty !== undefined,
    isGuarded: program !== HOME_CLEANER,
    leader: () => payloadLeader(process.pid),
    ended: false,
    passed: null,
  };
}

function exitOf({ code, signal }: Deno.CommandStatus): ChildExit {
  // bubblewrap and script report a payload's signal as 128 + number, as a shell does.
  return { code, signal: signal ?? signalOfCode(code) };
}

const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  10: "SIGUSR1",
  11: "SIGSEGV",
  12: "SIGUSR2",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
};

function signalOfCode(code: number): string | null {
  return code > 128 ? SIGNAL_NAMES[code - 128] ?? null : null;
}
