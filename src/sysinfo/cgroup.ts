/** Reads the cgroup limits of this process, in v1 and v2. @module */
import { isInside } from "../core/path.ts";
import type { MountRow } from "./mount_table.ts";

/** Files of one group's directory, by name; those that do not exist are absent. */
export type CgroupFiles = Readonly<Record<string, string>>;

/** Files that are read of each group. The first line is version 2, the others are version 1. */
export const CGROUP_MEMORY_FILES: readonly string[] = [
  ...["memory.max", "memory.current", "memory.stat", "memory.swap.max", "memory.swap.current"],
  ...["memory.limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes"],
];
/** As {@link CGROUP_MEMORY_FILES}, for processor time. */
export const CGROUP_CPU_FILES: readonly string[] = [
  ...["cpu.max", "cpu.stat"],
  ...["cpu.cfs_quota_us", "cpu.cfs_period_us", "cpuacct.usage"],
];

/** Directories of the groups that hold this process, its own first, the outermost visible one last. */
export interface CgroupPlaces {
  readonly memory: readonly string[];
  readonly cpu: readonly string[];
  /** Where version 1 accounts for processor time, group by group as in `cpu`. */
  readonly cpuacct: readonly string[];
}

/** Finds them. @param membership /proc/self/cgroup */
export function cgroupPlaces(membership: string, mounts: readonly MountRow[]): CgroupPlaces {
  const groups = membership.split("\n").flatMap((line) => {
    const [, controllers, path] = line.match(/^\d+:([^:]*):(\/.*)$/) ?? [];
    return controllers === undefined || path === undefined ? [] : [{ controllers: controllers.split(","), path }];
  });
  const unified = groups.find(({ controllers }) => controllers[0] === "");
  const placesOf = (controller: string): string[] => {
    const own = groups.find(({ controllers }) => controllers.includes(controller));
    const mount = mounts.findLast(({ type, options }) =>
      own ? type === "cgroup" && options.split(",").includes(controller) : type === "cgroup2"
    );
    const path = (own ?? unified)?.path;
    return mount === undefined || path === undefined ? [] : levels(mount, path);
  };
  return { memory: placesOf("memory"), cpu: placesOf("cpu"), cpuacct: placesOf("cpuacct") };
}

/** In a container without a namespace of its own, the path begins with what is mounted; with one it may lie outside. */
function levels({ mount, root }: MountRow, path: string): string[] {
  const below = path === root || !isInside(path, root) ? "" : root === "/" ? path : path.slice(root.length);
  const names = below.includes("..") ? [] : below.split("/").filter((name) => name !== "");
  return names.reduceRight(
    (dirs, _, index) => [...dirs, [mount, ...names.slice(0, index + 1)].join("/")],
    [] as string[],
  )
    .concat(mount);
}

/** What a group may use, and does. */
export interface CgroupMemory {
  readonly limitBytes: number;
  /** In use, without cached files that the kernel gives up first. */
  readonly usedBytes: number;
  /** In use with all caches. */
  readonly chargedBytes: number;
  /** Swap of the group; null where nothing bounds it. */
  readonly swapLimitBytes: number | null;
  readonly swapUsedBytes: number;
}

/** Version 1 says "no limit" with the largest number of whole pages. */
const NO_LIMIT_BYTES = 2 ** 60;

/** The tightest memory limit of the groups; null when nothing bounds them. */
export function cgroupMemory(groups: readonly CgroupFiles[]): CgroupMemory | null {
  const limited = groups.flatMap((files) => readMemoryLimit(files) ?? []);
  return limited.length === 0 ? null : limited.reduce((a, b) => b.limitBytes < a.limitBytes ? b : a);
}

function readMemoryLimit(files: CgroupFiles): CgroupMemory | null {
  const stat = (name: string): number | null =>
    toNumber(files["memory.stat"]?.match(new RegExp(`^${name} (\\d+)$`, "m"))?.[1]);
  const second = toNumber(files["memory.max"]);
  if (second !== null) {
    const charged = toNumber(files["memory.current"]) ?? 0;
    return {
      limitBytes: second,
      usedBytes: Math.max(0, charged - (stat("inactive_file") ?? 0)),
      chargedBytes: charged,
      swapLimitBytes: toNumber(files["memory.swap.max"]),
      swapUsedBytes: toNumber(files["memory.swap.current"]) ?? 0,
    };
  }
  // The hierarchical limit knows of groups above those that are visible in a container.
  const own = toNumber(files["memory.limit_in_bytes"]), above = stat("hierarchical_memory_limit");
  if (own === null && above === null) return null;
  const limitBytes = Math.min(own ?? Infinity, above ?? Infinity);
  if (limitBytes >= NO_LIMIT_BYTES) return null;
  const charged = toNumber(files["memory.usage_in_bytes"]) ?? 0;
  const both = toNumber(files["memory.memsw.limit_in_bytes"]);
  return {
    limitBytes,
    usedBytes: Math.max(0, charged - (stat("total_inactive_file") ?? 0)),
    chargedBytes: charged,
    swapLimitBytes: both === null || both >= NO_LIMIT_BYTES ? null : Math.max(0, both - limitBytes),
    swapUsedBytes: Math.max(0, (toNumber(files["memory.memsw.usage_in_bytes"]) ?? charged) - charged),
  };
}

/** A bound on processor time. */
export interface CgroupCpu {
  /** Processors' worth of time: 1.5 is one and a half. */
  readonly processors: number;
  /** Index of the group that has the bound. */
  readonly group: number;
}

/** The tightest bound of the groups; null when nothing bounds them. */
export function cgroupCpu(groups: readonly CgroupFiles[]): CgroupCpu | null {
  const bounds = groups.flatMap((files, group) => {
    const [quota, period] = (files["cpu.max"] ?? `${files["cpu.cfs_quota_us"]} ${files["cpu.cfs_period_us"]}`).split(
      /\s+/,
    );
    const processors = (toNumber(quota) ?? 0) / (toNumber(period) ?? Infinity);
    return processors > 0 ? [{ processors, group }] : [];
  });
  return bounds.length === 0 ? null : bounds.reduce((a, b) => b.processors < a.processors ? b : a);
}

/** Processor time that a group has used, in microseconds; null where it is not counted. */
export function cgroupCpuUsage(files: CgroupFiles): number | null {
  const second = toNumber(files["cpu.stat"]?.match(/^usage_usec (\d+)$/m)?.[1]);
  if (second !== null) return second;
  const nanoseconds = toNumber(files["cpuacct.usage"]);
  return nanoseconds === null ? null : nanoseconds / 1000;
}

/** A count; null for `max`, `-1`, and what is not there. */
function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
