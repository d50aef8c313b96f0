/** Describes the machine in general terms and reads the memory of processes. @module */
import type { Machine } from "../../scripts/reports/performance.ts";

/** What does not change while it runs. */
export async function describeMachine(): Promise<Omit<Machine, "load" | "priority">> {
  const { stdout } = await new Deno.Command("node", { args: ["--version"] }).output();
  return {
    cores: navigator.hardwareConcurrency,
    memoryGb: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    kernel: Deno.osRelease().match(/^\d+\.\d+/)?.[0] ?? "unknown",
    node: new TextDecoder().decode(stdout).trim(),
  };
}

/** Load over one minute. */
export function loadNow(): number {
  return Math.round((Deno.loadavg()[0] ?? 0) * 10) / 10;
}

/** Whether this process goes before others. */
export async function hasPriority(): Promise<boolean> {
  const stat = await Deno.readTextFile("/proc/self/stat");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]) < 0;
}

/** Resident memory of a process and of all that it started, MB. */
export async function residentMb(pid: number): Promise<number> {
  let kb = 0;
  for (const member of [pid, ...await descendants(pid)]) {
    const status = await Deno.readTextFile(`/proc/${member}/status`).catch(() => "");
    kb += Number(status.match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0);
  }
  return kb / 1024;
}

/** Pids below a process, as they are now. */
async function descendants(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const task of await names(`/proc/${pid}/task`)) {
    const text = await Deno.readTextFile(`/proc/${pid}/task/${task}/children`).catch(() => "");
    for (const child of text.split(" ").filter((part) => part !== "").map(Number)) {
      found.push(child, ...await descendants(child));
    }
  }
  return found;
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch {
    return []; // it has ended
  }
}
