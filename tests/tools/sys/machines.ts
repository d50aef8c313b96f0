/** Broker answers of several kinds of machines, shortened. @module */
import type { CpuSample } from "../../../src/sysinfo/machine_load.ts";
import type {
  HardwareFacts,
  HostText,
  ListenerFact,
  MachineFacts,
  SystemFacts,
} from "../../../src/sysinfo/machine_facts.ts";

import type { HeldFile } from "../../../src/sysinfo/open_files.ts";

const GIB = 1024 ** 3, MIB = 1024 ** 2;

/** Everything that a machine says. */
export interface Machine {
  readonly system: SystemFacts;
  readonly hardware: HardwareFacts;
  readonly cpu: CpuSample;
  readonly listeners?: readonly ListenerFact[];
  readonly deleted?: readonly HeldFile[];
  readonly services?: HostText;
  readonly logs?: HostText;
}

const NONE: HostText = { source: null, text: "", reason: "systemd does not run here; process 1 is 'init'", cut: false };

/** The broker of a machine. */
export function factsOf(
  { system, hardware, cpu, listeners = [], deleted = [], services = NONE, logs = NONE }: Machine,
): MachineFacts {
  return {
    system: () => Promise.resolve(system),
    hardware: () => Promise.resolve(hardware),
    cpu: () => Promise.resolve(cpu),
    listeners: () => Promise.resolve([...listeners]),
    deletedFiles: () => Promise.resolve([...deleted]),
    processFiles: () => Promise.resolve({ cwd: "", open: [] }),
    services: () => Promise.resolve(services),
    logs: () => Promise.resolve(logs),
  };
}

const processors = (count: number, lines: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `processor\t: ${index}\n${lines(index)}`).join("\n\n");

/** A desktop: eight cores, a root and a data disk, an address of each kind. */
export const DESKTOP: Machine = {
  system: {
    files: {
      "/proc/loadavg": "1.50 1.30 1.10 2/1200 4242",
      "/proc/meminfo": `MemTotal:       ${
        16 * 1024 * 1024
      } kB\nMemFree:         1572864 kB\nMemAvailable:    8178892 kB\nSwapTotal:       8388608 kB\nSwapFree:        7864320 kB`,
      "/proc/uptime": "273600.11 1000000.00",
      "/proc/self/status": "Name:\tllmc-mcp\nCpus_allowed_list:\t0-15",
      "/proc/net/route": "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n" +
        "enp3s0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\nenp3s0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF",
      "/proc/sys/kernel/hostname": "workstation",
      "/proc/sys/kernel/osrelease": "6.8.0-45-generic",
      "/proc/sys/kernel/arch": "x86_64",
      "/etc/os-release": 'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"',
      "/etc/resolv.conf": "# made by systemd-resolved\nnameserver 127.0.0.53\noptions edns0",
    },
    mounts: [
      {
        device: "/dev/nvme0n1p2",
        mount: "/",
        type: "ext4",
        sizeBytes: 100 * GIB,
        usedBytes: 50 * GIB,
        availableBytes: 46 * GIB,
      },
      {
        device: "/dev/sda1",
        mount: "/data",
        type: "xfs",
        sizeBytes: 500 * GIB,
        usedBytes: 200 * GIB,
        availableBytes: 276 * GIB,
      },
    ],
    interfaces: [
      {
        name: "enp3s0",
        state: "up",
        addresses: ["192.168.1.20/24", "fe80::1/64"],
        mac: "00:11:22:33:44:55",
        mtu: 1500,
        megabits: 1000,
        receivedBytes: 3 * GIB,
        sentBytes: 200 * MIB,
      },
      {
        name: "lo",
        state: "unknown",
        addresses: ["127.0.0.1/8"],
        mac: "00:00:00:00:00:00",
        mtu: 65536,
        megabits: 0,
        receivedBytes: 0,
        sentBytes: 0,
      },
    ],
    memoryGroups: [{ "memory.max": "max", "memory.current": "1" }, {}],
    cpuGroups: [{ "cpu.max": "max 100000" }, {}],
    arch: "x86_64",
    container: "",
  },
  hardware: {
    cpuinfo: processors(
      16,
      (index) =>
        `model name\t: Intel(R) Core(TM) i7-10700K\nphysical id\t: 0\ncore id\t: ${index % 8}\nflags\t: fpu vme`,
    ),
    board: { vendor: "Gigabyte Technology Co., Ltd.", product: "Z490" },
    blocks: [
      { name: "nvme0n1", sizeBytes: 512 * GIB, rotational: false, removable: false, model: "Samsung SSD 970" },
      { name: "sda", sizeBytes: 500 * GIB, rotational: true, removable: false, model: "ATA WDC WD5000" },
      { name: "sdb", sizeBytes: 16 * GIB, rotational: false, removable: true, model: "" },
    ],
    pci: [
      { address: "0000:00:00.0", class: "0x060000", vendor: "0x8086", device: "0x9b53", driver: "" },
      { address: "0000:00:17.0", class: "0x010601", vendor: "0x8086", device: "0x06d2", driver: "ahci" },
      { address: "0000:01:00.0", class: "0x010802", vendor: "0x144d", device: "0xa808", driver: "nvme" },
      { address: "0000:02:00.0", class: "0x030000", vendor: "0x10de", device: "0x1f08", driver: "" },
      { address: "0000:03:00.0", class: "0x020000", vendor: "0x8086", device: "0x15f3", driver: "igc" },
      { address: "0000:03:00.1", class: "0x020000", vendor: "0x8086", device: "0x15f3", driver: "igc" },
    ],
  },
  cpu: {
    before: { atMs: 0, stat: "cpu  1000 0 0 9000 0 0 0 0", groups: [{ "cpu.max": "max 100000" }] },
    after: { atMs: 120, stat: "cpu  1048 0 0 9144 0 0 0 0", groups: [{ "cpu.max": "max 100000" }] },
  },
};

const limited = (usage: number) => ({ "cpu.max": "150000 100000", "cpu.stat": `usage_usec ${usage}\nuser_usec 1` });

/** A container on the desktop, limited by version 2 of control groups, with nothing but an overlay mounted. */
export const CONTAINER_V2: Machine = {
  ...DESKTOP,
  system: {
    ...DESKTOP.system,
    mounts: [{
      device: "overlay",
      mount: "/",
      type: "overlay",
      sizeBytes: 100 * GIB,
      usedBytes: 50 * GIB,
      availableBytes: 46 * GIB,
    }],
    memoryGroups: [{
      "memory.max": `${2 * GIB}`,
      "memory.current": `${1536 * MIB}`,
      "memory.stat": `anon 1\ninactive_file ${512 * MIB}`,
      "memory.swap.max": "0",
      "memory.swap.current": "0",
    }],
    cpuGroups: [limited(0)],
    container: "docker",
  },
  cpu: {
    before: { atMs: 0, stat: "cpu  1000 0 0 9000 0 0 0 0", groups: [limited(1_000_000)] },
    after: { atMs: 100, stat: "cpu  1048 0 0 9144 0 0 0 0", groups: [limited(1_090_000)] },
  },
};

const quota = (nanoseconds: number) => ({
  "cpu.cfs_quota_us": "200000",
  "cpu.cfs_period_us": "100000",
  "cpuacct.usage": `${nanoseconds}`,
});

/** The same under version 1, and with no file system that can be measured. */
export const CONTAINER_V1: Machine = {
  ...DESKTOP,
  system: {
    ...DESKTOP.system,
    mounts: [],
    memoryGroups: [{
      "memory.limit_in_bytes": `${GIB}`,
      "memory.usage_in_bytes": `${600 * MIB}`,
      "memory.stat": `cache 1\nhierarchical_memory_limit ${GIB}\ntotal_inactive_file ${100 * MIB}`,
    }],
    cpuGroups: [quota(0)],
    container: "kubernetes",
  },
  cpu: {
    before: { atMs: 0, stat: "", groups: [quota(5_000_000_000)] },
    after: { atMs: 100, stat: "", groups: [quota(5_050_000_000)] },
  },
};

/** A small board: ARM, no swap, an old kernel that names less. */
export const BOARD: Machine = {
  system: {
    files: {
      "/proc/loadavg": "0.00 0.01 0.05 1/120 700",
      "/proc/meminfo":
        "MemTotal:        3884376 kB\nMemFree:         3000000 kB\nMemAvailable:    3500000 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB",
      "/proc/uptime": "42.10 160.00",
      "/proc/self/status": "Cpus_allowed_list:\t0-3",
      "/proc/sys/kernel/osrelease": "5.10.103-v8+",
    },
    mounts: [{
      device: "/dev/root",
      mount: "/",
      type: "ext4",
      sizeBytes: 29 * GIB,
      usedBytes: 27 * GIB,
      availableBytes: GIB,
    }],
    interfaces: [],
    memoryGroups: [],
    cpuGroups: [],
    arch: "aarch64",
    container: "",
  },
  hardware: {
    cpuinfo: processors(4, () => "CPU implementer\t: 0x41\nCPU part\t: 0xd08"),
    board: { tree: "Raspberry Pi 4 Model B Rev 1.4" },
    blocks: [{ name: "mmcblk0", sizeBytes: 30 * GIB, rotational: false, removable: false, model: "" }],
    pci: [],
  },
  cpu: {
    before: { atMs: 0, stat: "cpu  0 0 0 0", groups: [] },
    after: { atMs: 120, stat: "cpu  0 0 0 48", groups: [] },
  },
};
