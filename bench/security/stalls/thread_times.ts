/** Reads how long a thread ran, and how long it waited for a processor. @module */

/** Both since the thread began, in milliseconds. */
export interface ThreadTimes {
  readonly ranMs: number;
  /** Ready to run, while other programs had the processors. */
  readonly queuedMs: number;
}

const NS_PER_MS = 1e6;

/** @param thread Its folder in `/proc`. */
export function threadTimes(thread: string): ThreadTimes {
  const [ranNs, queuedNs] = Deno.readTextFileSync(`${thread}/schedstat`).split(" ").map(Number);
  return { ranMs: (ranNs ?? 0) / NS_PER_MS, queuedMs: (queuedNs ?? 0) / NS_PER_MS };
}

/** The thread that serves: the first worker of the process. */
export function servingThread(pid: number): string {
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    const thread = `/proc/${pid}/task/${name}`;
    if (Deno.readTextFileSync(`${thread}/comm`).trim() === "worker-1") return thread;
  }
  throw new Error(`process ${pid} has no worker`);
}

/** How long all threads of a process ran, in milliseconds. */
export function processMs(pid: number): number {
  let total = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    try {
      total += threadTimes(`/proc/${pid}/task/${name}`).ranMs;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // the thread ended meanwhile
    }
  }
  return total;
}
