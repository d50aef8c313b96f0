/** Reads raw system figures that only the broker can access. @module */
import { sleep } from "../core/time.ts";
import { CGROUP_CPU_FILES, CGROUP_MEMORY_FILES, type CgroupFiles, cgroupPlaces } from "./cgroup.ts";
import type { CpuReading, CpuSample } from "./machine_load.ts";
import { type MountRow, readMountInfo } from "./mount_table.ts";
import { readHardware } from "./hardware.ts";
import { makeMountFacts } from "./mounts.ts";
import { readListeners } from "./listeners.ts";
import { deletedFiles, filesOfProcess } from "./open_files.ts";
import { readInterfaces } from "./network.ts";
import { makeFresh } from "./fresh.ts";
import type { MachineFacts, SystemFacts } from "./machine_facts.ts";
import { readAllFixed, readFixed } from "./read_fixed.ts";

/** Everything that is read by name; nothing else under /proc, /sys and /etc can be asked for. */
const FILES = [
  "/proc/loadavg",
  "/proc/meminfo",
  "/proc/uptime",
  "/proc/version",
  "/proc/self/status",
  "/proc/net/route",
  "/proc/1/comm",
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/osrelease",
  "/proc/sys/kernel/arch",
  "/etc/os-release",
  "/etc/resolv.conf",
];

/** An answer serves every call that comes within this time. */
const LIFE_MS = 1_000;
/** Long enough for a dozen ticks of each processor, short enough not to be noticed. */
const SAMPLE_MS = 120;
/** An earlier reading that is at most this old serves as the start of a sample. */
const READING_LIFE_MS = 2_500;

/** Makes the reader. @param config The roots, whose file systems always count, and the kind of container. */
export function makeSystemFacts(
  { roots, container }: { readonly roots: readonly string[]; readonly container: string },
): Pick<MachineFacts, "system" | "hardware" | "cpu" | "listeners" | "deletedFiles" | "processFiles"> {
  const readMounts = makeMountFacts(roots);
  let earlier: CpuReading | undefined;

  async function sampleCpu(): Promise<CpuSample> {
    const { cpu, cpuacct } = await findPlaces();
    const age = earlier ? performance.now() - earlier.atMs : Infinity;
    const usable = age >= SAMPLE_MS && age <= READING_LIFE_MS ? earlier : undefined;
    const before = usable ?? await readCpu(cpu, cpuacct);
    if (!usable) await sleep(SAMPLE_MS);
    const after = earlier = await readCpu(cpu, cpuacct);
    return { before, after };
  }

  async function readSystem(): Promise<SystemFacts> {
    const rows = await readMountRows();
    const { memory, cpu } = await findPlaces(rows);
    const [files, mounts, interfaces, memoryGroups, cpuGroups] = await Promise.all([
      readAllFixed(Object.fromEntries(FILES.map((path) => [path, path]))),
      readMounts(rows),
      readInterfaces(),
      readGroups(memory, CGROUP_MEMORY_FILES),
      readGroups(cpu, CGROUP_CPU_FILES),
    ]);
    return { files, mounts, interfaces, memoryGroups, cpuGroups, arch: Deno.build.arch, container };
  }

  return {
    system: makeFresh(readSystem, LIFE_MS),
    hardware: makeFresh(readHardware, LIFE_MS),
    cpu: makeFresh(sampleCpu, LIFE_MS),
    listeners: makeFresh(readListeners, LIFE_MS),
    deletedFiles: makeFresh(deletedFiles, LIFE_MS),
    processFiles: filesOfProcess,
  };
}

async function readMountRows(): Promise<MountRow[]> {
  return readMountInfo(await readFixed("/proc/self/mountinfo"));
}

async function findPlaces(rows?: readonly MountRow[]) {
  return cgroupPlaces(await readFixed("/proc/self/cgroup"), rows ?? await readMountRows());
}

/** Directories come from the kernel's own tables, file names from a fixed list. */
async function readGroups(dirs: readonly string[], names: readonly string[]): Promise<CgroupFiles[]> {
  return await Promise.all(
    dirs.map((dir) => readAllFixed(Object.fromEntries(names.map((name) => [name, `${dir}/${name}`])))),
  );
}

async function readCpu(dirs: readonly string[], accounts: readonly string[]): Promise<CpuReading> {
  const [groups, accounted, stat] = await Promise.all([
    readGroups(dirs, CGROUP_CPU_FILES),
    readGroups(accounts, CGROUP_CPU_FILES),
    readFixed("/proc/stat"),
  ]);
  return {
    atMs: performance.now(),
    stat: stat.slice(0, stat.indexOf("\n")),
    groups: groups.map((files, index) => ({ ...accounted[index], ...files })), // version 1 may keep them apart
  };
}
