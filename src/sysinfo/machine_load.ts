/** Computes how busy the machine is, or the share that cgroups give to this process. @module */
import { cgroupCpu, cgroupCpuUsage, type CgroupFiles, cgroupMemory } from "./cgroup.ts";
import { readCpuTicks, readMemory } from "./proc_text.ts";

/** Memory that programs here can use, in bytes. */
export interface MemoryLoad {
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly availableBytes: number;
  readonly swapTotalBytes: number;
  readonly swapUsedBytes: number;
  /** Memory of the machine, when a control group allows less; else null. */
  readonly machineBytes: number | null;
}

/** Memory in use: of the tightest control group when that is smaller than the machine. */
export function memoryLoad(meminfo: string, groups: readonly CgroupFiles[]): MemoryLoad {
  const machine = readMemory(meminfo), limit = cgroupMemory(groups);
  const swapUsedBytes = machine.swapTotalBytes - machine.swapFreeBytes;
  if (limit === null || machine.totalBytes > 0 && limit.limitBytes >= machine.totalBytes) {
    return {
      totalBytes: machine.totalBytes,
      usedBytes: machine.totalBytes - machine.availableBytes,
      freeBytes: machine.freeBytes,
      availableBytes: machine.availableBytes,
      swapTotalBytes: machine.swapTotalBytes,
      swapUsedBytes,
      machineBytes: null,
    };
  }
  const { limitBytes, usedBytes, chargedBytes, swapLimitBytes } = limit;
  return {
    totalBytes: limitBytes,
    usedBytes,
    freeBytes: Math.max(0, limitBytes - chargedBytes),
    availableBytes: Math.max(0, Math.min(limitBytes - usedBytes, machine.availableBytes)), // others use the machine, too
    swapTotalBytes: Math.min(swapLimitBytes ?? Infinity, machine.swapTotalBytes),
    swapUsedBytes: Math.min(limit.swapUsedBytes, machine.swapTotalBytes),
    machineBytes: machine.totalBytes,
  };
}

/** Counters of processor time at one moment. */
export interface CpuReading {
  /** Of a clock that only grows. */
  readonly atMs: number;
  /** First line of /proc/stat. */
  readonly stat: string;
  /** Control groups of this process, its own first. */
  readonly groups: readonly CgroupFiles[];
}

/** Two readings, one a moment after the other. */
export interface CpuSample {
  readonly before: CpuReading;
  readonly after: CpuReading;
}

/** Processors that programs here may use: all that are allowed, or fewer by a control group's bound. */
export function usableProcessors(allowed: number, groups: readonly CgroupFiles[]): number {
  return Math.min(allowed, cgroupCpu(groups)?.processors ?? Infinity);
}

/** Percent of the processors in use over the sample: of the machine, or of what a control group allows. */
export function cpuPercent({ before, after }: CpuSample, allowed: number): number {
  const bound = cgroupCpu(after.groups);
  const elapsedMs = after.atMs - before.atMs;
  if (bound !== null && bound.processors < allowed && elapsedMs > 0) {
    const first = cgroupCpuUsage(before.groups[bound.group] ?? {}),
      last = cgroupCpuUsage(after.groups[bound.group] ?? {});
    if (first !== null && last !== null) return toPercent((last - first) / 1000 / elapsedMs / bound.processors);
  }
  const first = readCpuTicks(before.stat), last = readCpuTicks(after.stat);
  return last.total > first.total ? toPercent((last.busy - first.busy) / (last.total - first.total)) : 0;
}

function toPercent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}
