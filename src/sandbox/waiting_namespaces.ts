/**
 * Keeps namespaces that wait for a program, because making one takes longer than most programs run. Each is made exactly as
 * for the program that runs now, is used once, and only where one made at that moment would be the same: the same mounts of
 * the same files and folders. Inside is nothing but a shell that reads what to run.
 * @module
 */
import type { NamespacePlan } from "./bwrap.ts";
import { readStat } from "../sysinfo/process_stat.ts";
import { exists } from "../sys/files/exists.ts";
import { sendSignal } from "./process_group.ts";

/** What the namespaces are for. */
export interface NamespaceFor {
  /** The session that may use it. */
  readonly owner: string;
  /** What it holds at this moment. */
  plan(): NamespacePlan;
}

/** Those that wait. */
export interface WaitingNamespaces {
  /** The first process of one that fits; null when there is none. Nothing else gets it from then on. */
  take(wanted: NamespaceFor, plan: NamespacePlan): Deno.ChildProcess | null;
  /** Makes another one like that of a child, as soon as the child has ended or has run for a while. */
  replace(child: Deno.ChildProcess, wanted: NamespaceFor): void;
  /** Ends the one of a session. */
  leave(owner: string): void;
  /** Ends them; none is made from then on. */
  close(): Promise<void>;
}

/** How they are made. */
export interface NamespaceMaker {
  start(plan: NamespacePlan): Deno.ChildProcess;
  mountsChanged(): boolean;
}

interface Waiting {
  readonly owner: string;
  readonly holds: string;
  readonly process: Deno.ChildProcess;
  readonly idle: ReturnType<typeof setTimeout>;
}

/** An unused one is ended after this. */
const IDLE_MS = 120_000;
/** So many wait at most, for as many sessions. */
const MAX_WAITING = 4;
/** A child that still runs by then leaves the processor to others. */
const SETTLED_MS = 50;

/** Makes them. @param idleMs After which an unused one is ended. */
export function makeWaitingNamespaces(
  { start, mountsChanged }: NamespaceMaker,
  idleMs: number = IDLE_MS,
): WaitingNamespaces {
  const waiting = new Set<Waiting>(), ending = new Set<Promise<unknown>>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let closed = false;

  const holdsNow = (plan: NamespacePlan): string => JSON.stringify([plan, identities(plan)]);

  function end(one: Waiting): void {
    waiting.delete(one);
    clearTimeout(one.idle);
    sendSignal(-one.process.pid, "KILL");
    const ended = release(one.process).finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function endAll(): void {
    for (const one of [...waiting]) end(one);
  }

  function endOf(owner: string): void {
    for (const one of [...waiting]) if (one.owner === owner) end(one);
  }

  function make({ owner, plan: planNow }: NamespaceFor): void {
    // Before it is made: what is mounted meanwhile counts as changed.
    if (mountsChanged()) endAll();
    const plan = planNow(), holds = holdsNow(plan);
    endOf(owner);
    for (const oldest of waiting) if (waiting.size >= MAX_WAITING) end(oldest);
    const process = start(plan);
    const idle = setTimeout(() => end(one), idleMs);
    Deno.unrefTimer(idle);
    const one: Waiting = { owner, holds, process, idle };
    waiting.add(one);
    process.status.then(() => waiting.has(one) && end(one)); // something else has ended it
  }

  return {
    take({ owner }, plan) {
      const one = [...waiting].find((each) => each.owner === owner);
      if (one === undefined) return null;
      if (mountsChanged()) endAll();
      else if (!isAlive(one.process.pid) || one.holds !== holdsNow(plan)) end(one);
      else {
        waiting.delete(one);
        clearTimeout(one.idle);
        return one.process;
      }
      return null;
    },
    replace(child, wanted) {
      const later = (ms: number) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          if (!isReplaced && !closed) {
            isReplaced = true;
            tryTo(() => make(wanted));
          }
        }, ms);
        timers.add(timer);
        return timer;
      };
      let isReplaced = false;
      const settled = later(SETTLED_MS);
      child.status.then(() => {
        clearTimeout(settled);
        timers.delete(settled);
        if (!closed && !isReplaced) later(0); // once the end of the child has been told
      });
    },
    leave: endOf,
    async close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      endAll();
      await Promise.all(ending);
    },
  };
}

/** Its end may not have been told yet: until then it is a zombie. */
function isAlive(pid: number): boolean {
  return !["Z", "X", undefined].includes(readStat(pid)?.state);
}

/** The next program starts without one then, and says what is wrong. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // no descriptors or no processes are left
  }
}

/** Gives up the pipes of a process that was ended, and waits until it is gone. */
async function release(process: Deno.ChildProcess): Promise<void> {
  await Promise.allSettled([process.stdin.close(), process.stdout.cancel(), process.stderr.cancel(), process.status]);
}

/** In the namespace these are its own. */
const NOT_OF_THE_MACHINE = /^\/(?:proc|dev)(?:\/|$)/;

/**
 * Which files and folders the paths of a plan lead to. A mount stays with what was there when it was made: of a path that
 * leads elsewhere now, it would show or cover the wrong one. Of a file its last change counts too, as one that is copied.
 */
function identities({ copied, args }: NamespacePlan): string[] {
  const paths = new Set([...copied, ...args].filter((each) => each.startsWith("/") && !NOT_OF_THE_MACHINE.test(each)));
  return [...paths].map((path) => exists(path) ? identity(path) : "");
}

function identity(path: string): string {
  try {
    const { dev, ino, birthtime, ctime, isFile } = Deno.statSync(path);
    return `${dev}:${ino}:${birthtime?.getTime()}:${isFile ? ctime?.getTime() : ""}`;
  } catch {
    return ""; // removed just now
  }
}
