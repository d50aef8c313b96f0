/** Describes the machine as `SYS_INFO` does: one description per kind of question. @module */
import { humanSize } from "../../core/bytes.ts";
import { humanDuration } from "../../core/time.ts";
import { countCpuList, readCpuModel } from "../../sysinfo/cpu_text.ts";
import { cpuPercent, memoryLoad, usableProcessors } from "../../sysinfo/machine_load.ts";
import { readAssignments, readField, readLoad, readMemory } from "../../sysinfo/proc_text.ts";
import type {
  BlockFact,
  HardwareFacts,
  InterfaceFact,
  ListenerFact,
  MachineFacts,
  SystemFacts,
} from "../../sysinfo/machine_facts.ts";
import type { HeldFile } from "../../sysinfo/open_files.ts";
import { describePci } from "./describe_pci.ts";
import { usedPercent } from "./used_percent.ts";

/** Of files that are deleted and still open, the largest are shown. */
const MAX_DELETED_SHOWN = 10;

/** What can be asked. */
export const INFO_TYPES = ["memory", "disk", "cpu", "network", "hardware", "os"] as const;

/** A kind of question. */
export type InfoType = (typeof INFO_TYPES)[number];

/** Answers by name: texts, numbers, lists of them, and lists of rows. Sizes carry their units. */
export type MachineInfo = Record<string, unknown>;

/** Describes one side of the machine. */
export async function describeMachine(facts: MachineFacts, type: InfoType): Promise<MachineInfo> {
  switch (type) {
    case "memory":
      return describeMemory(await facts.system());
    case "disk":
      return describeDisks(...await Promise.all([facts.system(), facts.deletedFiles()]));
    case "cpu":
      return await describeCpu(facts);
    case "network":
      return describeNetwork(...await Promise.all([facts.system(), facts.listeners()]));
    case "hardware":
      return describeHardware(...await Promise.all([facts.system(), facts.hardware()]));
    case "os":
      return describeSystem(await facts.system());
  }
}

function describeMemory({ files, memoryGroups }: SystemFacts): MachineInfo {
  const load = memoryLoad(files["/proc/meminfo"] ?? "", memoryGroups);
  return {
    total: humanSize(load.totalBytes),
    used: humanSize(load.usedBytes),
    free: humanSize(load.freeBytes),
    available: humanSize(load.availableBytes),
    swap_total: humanSize(load.swapTotalBytes),
    swap_used: humanSize(load.swapUsedBytes),
    ...load.machineBytes === null ? {} : { limited_by: "cgroup", machine_total: humanSize(load.machineBytes) },
  };
}

function describeDisks({ mounts }: SystemFacts, deleted: readonly HeldFile[]): MachineInfo {
  return {
    filesystems: mounts.map((fact) => ({
      device: fact.device || "unknown",
      mount_point: fact.mount,
      size: humanSize(fact.sizeBytes),
      used: humanSize(fact.usedBytes),
      available: humanSize(fact.availableBytes),
      use_percent: `${Math.ceil(usedPercent(fact))}%`, // as df rounds: 100 % means full
    })),
    ...deleted.length === 0 ? {} : {
      deleted_but_open: deleted.slice(0, MAX_DELETED_SHOWN).map(({ pid, program, sizeBytes, path }) => ({
        pid,
        program,
        size: humanSize(sizeBytes),
        path,
      })),
    },
  };
}

async function describeCpu(facts: MachineFacts): Promise<MachineInfo> {
  const [system, hardware, sample] = await Promise.all([facts.system(), facts.hardware(), facts.cpu()]);
  const { name, cores, threads } = readCpuModel(hardware.cpuinfo);
  const allowed = allowedProcessors(system);
  const usable = usableProcessors(allowed, system.cpuGroups);
  return {
    model: name || "unknown",
    cores,
    threads,
    architecture: architectureOf(system),
    current_usage: `${Math.round(cpuPercent(sample, allowed))}%`,
    load_average: readLoad(system.files["/proc/loadavg"] ?? ""),
    ...usable < threads ? { usable_processors: Math.round(usable * 100) / 100 } : {},
  };
}

function describeNetwork({ files, interfaces }: SystemFacts, listeners: readonly ListenerFact[]): MachineInfo {
  const gateway = defaultGateway(files["/proc/net/route"] ?? "");
  const dns = [...(files["/etc/resolv.conf"] ?? "").matchAll(/^nameserver\s+(\S+)/gm)].map(([, address]) => address);
  return {
    hostname: files["/proc/sys/kernel/hostname"] ?? "unknown",
    ...gateway === null ? {} : { default_gateway: gateway },
    ...dns.length === 0 ? {} : { dns },
    interfaces: interfaces.map(describeInterface),
    ...listeners.length === 0 ? {} : { listening: listeners.map(describeListener) },
  };
}

function describeListener({ protocol, address, port, pid, program }: ListenerFact) {
  const shown = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  return { protocol, address: shown, ...pid > 0 ? { pid, program } : {} };
}

function describeInterface(fact: InterfaceFact) {
  const { name, state, addresses, mac, mtu, megabits, receivedBytes, sentBytes } = fact;
  return {
    name,
    status: name === "lo" && state === "unknown" ? "up" : state, // the kernel does not watch the loopback
    addresses,
    mac,
    mtu,
    ...megabits > 0 ? { speed: `${megabits}Mb/s` } : {},
    received: humanSize(receivedBytes),
    sent: humanSize(sentBytes),
  };
}

/** The kernel writes addresses as hex numbers in the byte order of the machine: little-endian wherever this runs. */
function defaultGateway(routes: string): string | null {
  const hex = routes.match(/^\S+\s+00000000\s+([0-9A-F]{8})\s+000[3-7]\s/m)?.[1];
  return hex === undefined ? null : (hex.match(/../g) ?? []).reverse().map((byte) => parseInt(byte, 16)).join(".");
}

function describeHardware({ files, arch }: SystemFacts, { cpuinfo, board, blocks, pci }: HardwareFacts): MachineInfo {
  const { name, cores, threads, virtual } = readCpuModel(cpuinfo);
  const system = board.tree ?? [board.vendor, board.product].filter((word) => word).join(" ");
  return {
    ...system === "" ? {} : { system },
    ...virtual ? { virtual_machine: true } : {},
    cpu: `${name || arch}, ${cores} cores, ${threads} threads`,
    memory: humanSize(readMemory(files["/proc/meminfo"] ?? "").totalBytes),
    disks: blocks.map(describeBlock),
    controllers: describePci(pci),
  };
}

function describeBlock({ name, sizeBytes, rotational, removable, model }: BlockFact) {
  const type = name.startsWith("nvme") ? "nvme" : name.startsWith("vd") || name.startsWith("xvd") ? "virtual" : "";
  return {
    name,
    size: humanSize(sizeBytes),
    type: type || (removable ? "removable" : rotational ? "hdd" : "ssd"),
    ...model === "" ? {} : { model },
  };
}

function describeSystem(system: SystemFacts): MachineInfo {
  const { files, container } = system;
  const release = readAssignments(files["/etc/os-release"] ?? "");
  const kernel = files["/proc/sys/kernel/osrelease"] ?? "unknown";
  const place = container || (/microsoft/i.test(kernel) ? "wsl" : "");
  return {
    distribution: release.PRETTY_NAME ?? release.NAME ?? "unknown",
    kernel,
    architecture: architectureOf(system),
    hostname: files["/proc/sys/kernel/hostname"] ?? "unknown",
    uptime: humanDuration(Number(files["/proc/uptime"]?.split(" ")[0]) || 0),
    ...place === "" ? {} : { container: place },
  };
}

/** As `uname -m` says: kernels before 6.1 have no file for it. */
function architectureOf({ files, arch }: SystemFacts): string {
  return files["/proc/sys/kernel/arch"] ?? arch;
}

/** Processors that this process may run on. */
export function allowedProcessors({ files }: SystemFacts): number {
  return countCpuList(readField(files["/proc/self/status"] ?? "", "Cpus_allowed_list")) ?? 1;
}
