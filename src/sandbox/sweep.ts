/** Finds processes that left their group or session, by the mark in their environment, and ends them. @module */

/** New processes can appear while the list is read; nothing forks faster than this many passes in practice. */
const PASSES = 3;

/** The value of LLMC_PROC that marks one child of one server. */
export function markOf(marker: string, id: string): string {
  return `${marker}.${id}`;
}

/** Kills every process marked with `marker` and `id`, or with `marker` and any id when `id` is empty. */
export async function sweep(marker: string, id: string): Promise<number> {
  let killed = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    const found = await markedProcesses(id ? `LLMC_PROC=${markOf(marker, id)}\0` : `LLMC_PROC=${marker}`);
    if (found.length === 0) break;
    for (const pid of found) if (kill(pid)) killed++;
  }
  return killed;
}

async function markedProcesses(mark: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => ""); // ended, or another user's
    if (`${environment}\0`.includes(mark)) found.push(Number(name));
  }
  return found;
}

function kill(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false; // ended in between
  }
}
