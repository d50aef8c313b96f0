/** Wraps a started program: drains its output from the start, and cleans up after its end. @module */
import { encodeText } from "../core/bytes.ts";
import { settlesWithin, sleep } from "../core/time.ts";
import type { Child, ChildExit, SignalName } from "../sandbox/children.ts";
import type { Output, StreamName } from "./output.ts";
import type { ProgramOperation } from "./program_changes.ts";

/** How a child was held. */
export type ChildConfinement = "bwrap" | "landlock" | "none";

/** A program that runs or has run. */
export interface RunningChild {
  readonly child: Child;
  readonly output: Output;
  /** The program has ended, its pipes have closed or were given up, and nothing of its tree is left. Never rejects. */
  readonly ended: Promise<ChildExit>;
  /** Null while it runs. */
  readonly exit: ChildExit | null;
  /** What it changed in files; null while it runs, and when that is not recorded. */
  readonly changes: ProgramOperation | null;
  /** Asks the program to end by these signals; ends the whole tree when it does not in time. Resolves as {@link ended} does. */
  stop(...signals: readonly SignalName[]): Promise<ChildExit>;
  /** Ends the whole tree at once. */
  kill(): Promise<ChildExit>;
}

/** How long a descendant may hold the pipes open after the program itself has ended. */
const PIPE_GRACE_MS = 250;
/** How long after a signal the tree is ended by force. */
const STOP_GRACE_MS = 2_000;
/** A child younger than this may still be on its way into its confinement. */
const SET_UP_MS = 500, RESEND_MS = 100;
const FORCE_AGAIN_MS = 200, FORCE_TIMES = 25;
/** How long what a program left in the background has to end by itself, and how often that is looked for. */
const LINGER_MS = 250, LOOK_AGAIN_MS = 25;
/** After the tree was ended, for what is still in the pipes. */
const LAST_READ_MS = 250;
/** The journal or the disk failed: nothing is known of what can be undone. */
const UNKNOWN_CHANGES: ProgramOperation = { id: null, changed: 0, lost: 1, isRecorded: false };

/**
 * @param mayLeaveOthers Whether the program can have started others, which are then looked for at its end.
 * @param collect Records what it changed; called when it changes nothing any more.
 */
export function watchChild(
  child: Child,
  output: Output,
  mayLeaveOthers: boolean,
  collect: () => Promise<ProgramOperation | null> = () => Promise.resolve(null),
): RunningChild {
  const startedAt = performance.now();
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  const pumps = Promise.all((["stdout", "stderr"] as const).map((stream) => pump(child, stream, output, readers)));
  let exit: ChildExit | null = null, changes: ProgramOperation | null = null;
  let isStopped = false;
  let killing: Promise<unknown> = Promise.resolve();

  /** Resolves when no kill is under way: another may begin while one is waited for. */
  async function killed(): Promise<void> {
    for (let last: typeof killing | null = null; last !== killing;) await (last = killing);
  }

  async function watch(): Promise<ChildExit> {
    const last = await child.exited.catch((): ChildExit => ({ code: 137, signal: "SIGKILL" })); // its host is gone
    const closed = await settlesWithin(pumps, PIPE_GRACE_MS);
    for (const line of last.refused ?? []) output.append("stderr", encodeText(`[network: refused ${line}]\n`));
    // In bubblewrap the shell around the program has said so.
    const mayLeave = !isStopped && child.confinement !== "bwrap" && (!closed || mayLeaveOthers);
    const left = mayLeave ? await leftBehind(child, closed ? LINGER_MS : 0) : [];
    if (left.length > 0) output.append("stderr", encodeText(describeLeft(left)));
    // In a process namespace nothing outlives the first process.
    if (!closed || mayLeaveOthers && child.confinement !== "bwrap") await quietly(child.kill());
    if (!closed && !await settlesWithin(pumps, LAST_READ_MS)) {
      for (const reader of readers) {
        quietly(reader.cancel());
      }
    }
    await killed(); // it may have found what outlived the leader
    // What was ended only now may have gone on after the leader.
    if (child.confinement !== "bwrap") await quietly(child.look());
    for (const note of child.takeNotes()) output.append("stderr", encodeText(`[${note}]\n`));
    await killed();
    changes = await collect().catch(() => UNKNOWN_CHANGES);
    exit = last;
    output.finish();
    return last;
  }
  const ended = watch();

  /** Again and again: a child that is only just being set up has no group yet that a signal could reach. */
  async function force(): Promise<ChildExit> {
    isStopped = true;
    for (let count = 0; count < FORCE_TIMES && exit === null; count++) {
      const kill = quietly(child.kill());
      killing = Promise.all([killing, kill]); // one that began earlier may end later
      await kill;
      await settlesWithin(ended, FORCE_AGAIN_MS);
    }
    return exit ?? { code: 137, signal: "SIGKILL" }; // the kernel ends it when it comes back from its device
  }

  return {
    child,
    output,
    ended,
    get exit() {
      return exit;
    },
    get changes() {
      return changes;
    },
    async stop(...signals) {
      if (exit) return exit;
      isStopped = true;
      const send = async () => {
        for (const signal of signals) await quietly(child.signal(signal));
      };
      await send();
      // While its confinement is still being set up there is nothing yet that a signal could reach.
      if (performance.now() - startedAt < SET_UP_MS && !await settlesWithin(ended, RESEND_MS)) await send();
      return await settlesWithin(ended, STOP_GRACE_MS) ? await ended : await force();
    },
    kill: force,
  };
}

/** What is still there after its leader has ended, once it had so long to end by itself. */
async function leftBehind(child: Child, waitMs: number): Promise<readonly string[]> {
  const until = performance.now() + waitMs;
  for (;;) {
    const names = await child.names().catch(() => []); // its host is gone
    if (names.length === 0 || performance.now() >= until) return names;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** As the shell in linger.ts says it. */
function describeLeft(names: readonly string[]): string {
  const noun = names.length === 1 ? "process" : "processes";
  return `[${names.length} background ${noun} ended with the call: ${names.join(", ")}; use linux_proc_start]\n`;
}

async function pump(
  child: Child,
  stream: StreamName,
  output: Output,
  readers: ReadableStreamDefaultReader<Uint8Array>[],
): Promise<void> {
  const reader = child[stream].getReader();
  readers.push(reader);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) output.append(stream, next.value);
  } catch {
    // the host of the child is gone, and with it the rest of the output
  }
}

/** Signals race with the end of what they are for: that one is gone is what was wanted. */
async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => {});
}
