/** Reads process states from /proc. @module */

/** Command lines of processes that match, all or only the descendants of one. */
export async function processesOf(pattern: RegExp, ancestor?: number): Promise<string[]> {
  return (await find(pattern, ancestor)).map(({ command }) => command);
}

/** Ids of processes that match. */
export async function pidsOf(pattern: RegExp): Promise<number[]> {
  return (await find(pattern)).map(({ pid }) => pid);
}

async function find(pattern: RegExp, ancestor?: number): Promise<{ pid: number; command: string }[]> {
  const found: { pid: number; ppid: number; command: string }[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = (await Deno.readTextFile(`/proc/${name}/cmdline`)).replaceAll("\0", " ").trim();
      const stat = await Deno.readTextFile(`/proc/${name}/stat`);
      found.push({ pid: Number(name), ppid: Number(stat.split(") ")[1]?.split(" ")[1]), command });
    } catch {
      // it has ended in the meantime
    }
  }
  const parents = new Map(found.map(({ pid, ppid }) => [pid, ppid]));
  const descends = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === ancestor) return true;
    }
    return false;
  };
  return found.filter(({ pid, command }) => pattern.test(command) && (ancestor === undefined || descends(pid)));
}

/** Memory of a process that is in the machine's memory. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) * 1024;
}

/** Whether a process is there and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}
