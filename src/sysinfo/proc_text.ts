/** Parses the texts that describe the kernel and the distribution. @module */

/** Memory of the whole machine, in bytes. */
export interface MemoryFigures {
  readonly totalBytes: number;
  /** Not used for anything. */
  readonly freeBytes: number;
  /** What programs could still get without swapping. */
  readonly availableBytes: number;
  readonly swapTotalBytes: number;
  readonly swapFreeBytes: number;
}

/** Reads /proc/meminfo. Kernels before 3.14 do not say what is available: then caches count as such. */
export function readMemory(meminfo: string): MemoryFigures {
  const of = (name: string): number | undefined => {
    const found = meminfo.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1];
    return found === undefined ? undefined : Number(found) * 1024;
  };
  const freeBytes = of("MemFree") ?? 0;
  return {
    totalBytes: of("MemTotal") ?? 0,
    freeBytes,
    availableBytes: of("MemAvailable") ?? freeBytes + (of("Buffers") ?? 0) + (of("Cached") ?? 0),
    swapTotalBytes: of("SwapTotal") ?? 0,
    swapFreeBytes: of("SwapFree") ?? 0,
  };
}

/** CPU time of all processors since boot, in ticks. */
export interface CpuTicks {
  readonly busy: number;
  readonly total: number;
}

/** Reads the first line of /proc/stat. Waiting for a disk is idle time; what guests use is in `user` already. */
export function readCpuTicks(stat: string): CpuTicks {
  const ticks = (stat.match(/^cpu +(.*)/m)?.[1] ?? "").split(" ").slice(0, 8).map(Number);
  const total = ticks.reduce((sum, each) => sum + each, 0);
  return { busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0), total };
}

/** Reads /proc/loadavg: means over 1, 5 and 15 minutes. */
export function readLoad(loadavg: string): [number, number, number] {
  const [one = 0, five = 0, fifteen = 0] = loadavg.split(" ").slice(0, 3).map((word) => Number(word) || 0);
  return [one, five, fifteen];
}

/** Reads the `KEY=value` lines of /etc/os-release, quoted as a shell would. */
export function readAssignments(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, key = "", value = ""]) => {
    const bare = value.trim().replace(/^(["'])(.*)\1$/, "$2");
    return [key, bare.replace(/\\(["'$`\\])/g, "$1")] as const;
  });
  return Object.fromEntries(pairs);
}

/** Value of a `Name:   value` line, as in /proc/PID/status; empty when there is none. */
export function readField(text: string, name: string): string {
  return text.match(new RegExp(`^${name}:[ \\t]*(.*)$`, "m"))?.[1]?.trim() ?? "";
}

/** Octal escapes for blanks, as the kernel writes names in its tables. */
export function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
}
