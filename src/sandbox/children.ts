/** Client side of child processes in the server worker: one interface over broker and spawner. @module */
import type { SignalName } from "../sysinfo/signal_process.ts";
import type { SuspectFile } from "./guard_watch.ts";
import type { PassedBound } from "./tree_bounds.ts";
import { makeSessionUse } from "./session_use.ts";
import { setGuardedAside } from "./set_aside.ts";
import {
  type ChildExit,
  type ChildRequest,
  type ChildVerbs,
  type Confinement,
  type Facts,
  HOME_CLEANER,
} from "./protocol.ts";

export type { SignalName } from "../sysinfo/signal_process.ts";
export type { ChildExit, ChildRequest } from "./protocol.ts";

/** A running child. */
export interface Child {
  /** Unguessable; marks the child's environment. */
  readonly id: string;
  /** Process id outside the sandbox: of bubblewrap when that confines it. */
  readonly pid: number;
  readonly confinement: Confinement;
  /** Whether what it changes in files is recorded. */
  readonly isRecorded: boolean;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves when the child's pipe has taken the bytes. Throws PROCESS_NOT_FOUND when it no longer reads. */
  write(data: Uint8Array<ArrayBuffer>): Promise<void>;
  closeStdin(): Promise<void>;
  /** Signals the child's own process group, so that it can end with grace. */
  signal(name: SignalName): Promise<void>;
  /** Ends the whole tree at once, with whatever left its group. */
  kill(): Promise<void>;
  resize(rows: number, cols: number): Promise<void>;
  /** Names of its processes that are still there. */
  names(): Promise<readonly string[]>;
  /** The TCP ports that its processes listen on. */
  ports(): Promise<readonly number[]>;
  /** Sets aside what programs have made of guarded files since its end. */
  look(): Promise<void>;
  /** Lines for a result that say what was set aside; each is told once. */
  takeNotes(): readonly string[];
  /** The leader has ended; a grandchild may still hold the pipes. */
  readonly exited: Promise<ChildExit>;
}

const KEYS: Readonly<Record<PassedBound, string>> = { memory: "memory_mb", processes: "processes", disk: "disk_mb" };
/** How often a running program is looked after. */
const LOOK_MS = 1_000;

/** Starts children. */
export interface Children {
  /**
   * @param id Of the child, chosen by who records what it changes.
   * @throws OpsError COMMAND_NOT_ALLOWED when the host does not know the program.
   */
  spawn(request: ChildRequest, id?: string): Promise<Child>;
  /** How many are running now. */
  running(): number;
  /** A session is over: its temporary folder goes when none of its programs runs. */
  endSession(sessionId: string): void;
  /** Waits for what still is to be removed, and ends what waits for the next child. */
  close(): Promise<void>;
}

/** Children of the host that `host` resolves to; strays are swept by the broker. */
export function makeChildren(host: () => Promise<ChildVerbs>, facts: Facts, roots: readonly string[]): Children {
  let running = 0;
  const notes: string[] = [], used = new Set<ChildVerbs>();
  const sessions = makeSessionUse(async (session) => await (await host()).removeTmp(session), () => performance.now());
  const note = (suspects: readonly SuspectFile[]) => void notes.push(...setGuardedAside(suspects, roots));
  /** A program that goes on for long does not keep what it made until its end. */
  const keepLooking = (verbs: ChildVerbs, exited: Promise<unknown>) => {
    const timer = setInterval(() => void verbs.suspects().then(note, () => {}), LOOK_MS);
    Deno.unrefTimer(timer);
    exited.finally(() => clearInterval(timer)).catch(() => {});
  };
  return {
    running: () => running,
    endSession: sessions.end,
    async spawn(request, id = crypto.randomUUID()) {
      const verbs = await host();
      used.add(verbs);
      const endUse = request.session === undefined ? () => {} : sessions.begin(request.session);
      const started = await verbs.spawn({ ...request, mark: id }).catch((error: unknown) => {
        endUse();
        throw error;
      });
      const { id: number, pid, confinement, isRecorded } = started;
      running++;
      const exited = verbs.wait(number).finally(() => {
        running--;
        endUse();
      }).then(({ suspects, passed, ...exit }): ChildExit => {
        note(suspects);
        if (passed) notes.push(`ended: it used more than mcp.linux_ops.program_limits.${KEYS[passed]} allows`);
        return exit;
      });
      if (request.program !== HOME_CLEANER) keepLooking(verbs, exited);
      return {
        id,
        pid,
        confinement,
        isRecorded,
        stdout: streamOf(verbs, number, "stdout"),
        stderr: streamOf(verbs, number, "stderr"),
        write: (data) => verbs.write(number, data),
        closeStdin: () => verbs.closeStdin(number),
        signal: (name) => verbs.signal(number, name),
        async kill() {
          await verbs.kill(number);
          // In bubblewrap too: killed while it sets the namespace up, it leaves that behind.
          await facts.sweep(id);
        },
        resize: (rows, cols) => verbs.resize(number, rows, cols),
        names: () => facts.namesOf(id),
        ports: () => facts.portsOf(id),
        look: async () => note(await verbs.suspects()),
        takeNotes: () => notes.splice(0),
        exited,
      };
    },
    async close() {
      await sessions.close();
      await Promise.all([...used].map((verbs) => verbs.close()));
    },
  };
}

/** Pulled, never pushed: a child that writes faster than it is read waits in its own pipe. */
function streamOf(
  verbs: ChildVerbs,
  id: number,
  stream: "stdout" | "stderr",
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = await verbs.read(id, stream);
      if (chunk === null) controller.close();
      else controller.enqueue(chunk);
    },
  }, { highWaterMark: 1 });
}
