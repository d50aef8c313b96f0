/**
 * Limits what a program and its descendants use together: memory, processes, and the disk of the temporary folder.
 * @module
 */
import type { Config } from "../config/resolve.ts";

/** The configured bounds. */
export interface TreeBounds {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly diskBytes: number;
  /** Of each process. */
  readonly cpuSec: number;
}

/** A bound that was passed; the tree is ended then. */
export type PassedBound = "memory" | "processes" | "disk";

const MB = 1_048_576;
/** The part of the machine's memory that programs may use where the configuration gives no figure. */
const USUAL_SHARE = 0.75;
const PAGE_BYTES = 4_096, BLOCK_BYTES = 512;
/** Entries of a temporary folder that are counted at most. */
const MAX_ENTRIES = 5_000;

/** The bounds on this machine. */
export function treeBounds({ settings }: Pick<Config, "settings">): TreeBounds {
  const { memory_mb, processes, disk_mb, cpu_sec } = settings.linux_ops.program_limits;
  const memoryBytes = memory_mb > 0 ? memory_mb * MB : Math.floor(Deno.systemMemoryInfo().total * USUAL_SHARE);
  return { memoryBytes, processes, diskBytes: disk_mb * MB, cpuSec: cpu_sec };
}

/** Which bound a tree has passed; null when none. @param leader Its first process. @param temp Its temporary folder. */
export function passedBound(leader: number, temp: string, bounds: TreeBounds): PassedBound | null {
  let memoryBytes = 0;
  const tree = new Set([leader]);
  for (const pid of tree) {
    memoryBytes += ownMemory(pid);
    if (memoryBytes > bounds.memoryBytes) return "memory";
    for (const child of childrenOfThreads(pid)) tree.add(child);
    if (tree.size > bounds.processes) return "processes";
  }
  return diskUse(temp, bounds.diskBytes) > bounds.diskBytes ? "disk" : null;
}

/** Children of a process that any of its threads started; none when it is gone. */
export function childrenOfThreads(pid: number): number[] {
  try {
    return Array.from(Deno.readDirSync(`/proc/${pid}/task`)).flatMap(({ name }) =>
      (Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).match(/\d+/g) ?? []).map(Number)
    );
  } catch {
    return []; // it has just ended
  }
}

/** Resident memory that a process shares with no other, in bytes. */
function ownMemory(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = Deno.readTextFileSync(`/proc/${pid}/statm`).split(" ").map(Number);
    return Math.max(0, resident - shared) * PAGE_BYTES;
  } catch {
    return 0; // it has just ended
  }
}

/** Counts on until the limit is passed. */
function diskUse(top: string, limitBytes: number): number {
  let bytes = 0, entries = 0;
  const folders = [top];
  for (const folder of folders) {
    try {
      for (const { name, isDirectory } of Deno.readDirSync(folder)) {
        if (++entries > MAX_ENTRIES || bytes > limitBytes) return bytes;
        if (isDirectory) folders.push(`${folder}/${name}`);
        else bytes += (Deno.lstatSync(`${folder}/${name}`).blocks ?? 0) * BLOCK_BYTES;
      }
    } catch {
      // removed while it was counted
    }
  }
  return bytes;
}
