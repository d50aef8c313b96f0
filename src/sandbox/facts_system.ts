/** Raw figures of the machine, read where only the broker may read. @module */
import { statfs } from "node:fs/promises";
import type { MountFact, SystemFacts } from "./protocol.ts";

/** Everything that is read; nothing else under /proc or /sys can be asked for. */
const FILES = [
  "/proc/loadavg",
  "/proc/meminfo",
  "/proc/stat",
  "/proc/uptime",
  "/proc/cpuinfo",
  "/proc/version",
  "/proc/net/dev",
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/osrelease",
  "/etc/os-release",
  "/sys/fs/cgroup/memory.max",
  "/sys/fs/cgroup/memory.current",
  "/sys/fs/cgroup/cpu.max",
  "/sys/class/dmi/id/sys_vendor",
  "/sys/class/dmi/id/product_name",
];

/** File systems that hold no files of a person. */
const PSEUDO = new Set(
  ("proc sysfs devtmpfs devpts tmpfs cgroup cgroup2 securityfs debugfs tracefs mqueue hugetlbfs bpf pstore autofs " +
    "configfs fusectl binfmt_misc squashfs ramfs rpc_pipefs nsfs efivarfs").split(" "),
);

/** Reads every file of the list that exists, and the space of each mounted file system. */
export async function readSystem(): Promise<SystemFacts> {
  const texts = await Promise.all(FILES.map(async (path) => [path, await read(path)] as const));
  const files = Object.fromEntries(texts.filter(([, text]) => text !== ""));
  return { files, mounts: await readMounts(await read("/proc/self/mounts")) };
}

function read(path: string): Promise<string> {
  return Deno.readTextFile(path).catch(() => ""); // not on this machine
}

async function readMounts(table: string): Promise<MountFact[]> {
  const seen = new Map<string, MountFact>();
  for (const line of table.split("\n")) {
    const [device, mount, type] = line.split(" ").map(unescapeOctal);
    if (!device || !mount || !type || PSEUDO.has(type)) continue;
    const space = await statfs(mount).catch(() => null); // a stale network mount
    if (space === null || space.blocks === 0) continue;
    const size = space.blocks * space.bsize, free = space.bfree * space.bsize, available = space.bavail * space.bsize;
    const known = seen.get(device);
    // A bind mount shows the same file system again: the shortest path names it best.
    if (known && known.mount.length <= mount.length) continue;
    seen.set(device, {
      device,
      mount,
      type,
      sizeBytes: size,
      usedBytes: size - free,
      availableBytes: available,
    });
  }
  return [...seen.values()];
}

/** /proc writes blanks in names as octal escapes. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
}
