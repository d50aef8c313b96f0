/** Finds in /proc the processes that a probe started, and ends those that a server left behind. @module */

/** A number of seconds that nothing else on the machine sleeps: it marks a process in its command line. */
export function makeMark(): string {
  const digits = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `97.${String(digits).padStart(10, "0")}`;
}

/** Pids of running programs with this mark in their arguments; the marked argument stands alone. */
export async function marked(mark: string): Promise<number[]> {
  const pids: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    try {
      const words = (await Deno.readTextFile(`/proc/${name}/cmdline`)).split("\0");
      const stat = await Deno.readTextFile(`/proc/${name}/stat`);
      const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
      if (words.includes(mark) && state !== "Z") pids.push(Number(name));
    } catch {
      // it has ended
    }
  }
  return pids;
}

/** Ends what a probe planted and a server left. */
export async function endMarked(mark: string): Promise<void> {
  for (const pid of await marked(mark)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // it has ended
    }
  }
}

/** Whether a process is there. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** A signal that was sent takes effect a moment later on a busy machine. */
const DEATH_MS = 500, LOOK_EVERY_MS = 20;

/** Whether a process that was just signalled lives on. */
export async function survives(pid: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < DEATH_MS; waitedMs += LOOK_EVERY_MS) {
    if (!await isAlive(pid)) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return true;
}
