/** Defines what the broker reports about the machine: raw texts and figures, parsed by pure functions. @module */
import type { CgroupFiles } from "./cgroup.ts";
import type { HeldFile, ProcessFiles } from "./open_files.ts";
import type { CpuSample } from "./machine_load.ts";

/** Questions about the machine. */
export interface MachineFacts {
  /** Figures of the machine; at most a second old, like those of the next two. */
  system(): Promise<SystemFacts>;
  /** What the machine is built of. */
  hardware(): Promise<HardwareFacts>;
  /** Processor time over a short sample. */
  cpu(): Promise<CpuSample>;
  /** Ports that programs wait on, by port. */
  listeners(): Promise<ListenerFact[]>;
  /** Files without a name that still take space, the largest first, of processes that this user may look into. */
  deletedFiles(): Promise<HeldFile[]>;
  /** Working directory and open files of a process; empty for one that this user may not look into. */
  processFiles(pid: number): Promise<ProcessFiles>;
  /** The units of systemd as `systemctl list-units` prints them: UNIT LOAD ACTIVE SUB DESCRIPTION. */
  services(): Promise<HostText>;
  /** Entries of the journal, or of the system's log file. */
  logs(query: LogQuery): Promise<HostText>;
}

/** Raw figures of the machine: pure code in core/ reads the texts. */
export interface SystemFacts {
  /** By path; those that do not exist are absent. */
  readonly files: Readonly<Record<string, string>>;
  readonly mounts: readonly MountFact[];
  readonly interfaces: readonly InterfaceFact[];
  /** Control groups of this process, its own first. */
  readonly memoryGroups: readonly CgroupFiles[];
  readonly cpuGroups: readonly CgroupFiles[];
  /** What this program was built for, where the kernel does not name its architecture. */
  readonly arch: string;
  /** `docker`, `podman`, `lxc`, …; empty outside of a container. */
  readonly container: string;
}

/** One mounted file system with its space. */
export interface MountFact {
  readonly device: string;
  readonly mount: string;
  readonly type: string;
  readonly sizeBytes: number;
  readonly usedBytes: number;
  /** To a user without privileges. */
  readonly availableBytes: number;
}

/** A port on which a program waits. */
export interface ListenerFact {
  readonly protocol: "tcp" | "udp";
  readonly address: string;
  readonly port: number;
  /** 0 when it belongs to another user, whose descriptors cannot be seen. */
  readonly pid: number;
  /** "" likewise. */
  readonly program: string;
}

/** One network interface. */
export interface InterfaceFact {
  readonly name: string;
  /** `up`, `down`, `unknown` (loopback and tunnels), … as the kernel says. */
  readonly state: string;
  /** With the length of the prefix: `192.0.2.7/24`. */
  readonly addresses: readonly string[];
  readonly mac: string;
  /** 0 when unknown, as is the speed. */
  readonly mtu: number;
  readonly megabits: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** What the machine is built of. */
export interface HardwareFacts {
  readonly cpuinfo: string;
  /** Of `vendor`, `product`, `bios` and `tree` (the device tree's model) what there is. */
  readonly board: Readonly<Record<string, string>>;
  readonly blocks: readonly BlockFact[];
  readonly pci: readonly PciFact[];
}

/** One disk. */
export interface BlockFact {
  readonly name: string;
  readonly sizeBytes: number;
  readonly rotational: boolean;
  readonly removable: boolean;
  readonly model: string;
}

/** One device on the PCI bus; numbers in hex as sysfs writes them. */
export interface PciFact {
  readonly address: string;
  readonly class: string;
  readonly vendor: string;
  readonly device: string;
  readonly driver: string;
}

/** Which entries of the log are wanted; every value is checked again where it is used. */
export interface LogQuery {
  /** A unit of systemd; null: everything. */
  readonly unit: string | null;
  /** Seconds since 1970; null: from the beginning. */
  readonly sinceSeconds: number | null;
  /** 0 (emergency) to this; null: all. */
  readonly maxPriority: number | null;
  /** The newest ones, at most. */
  readonly maxEntries: number;
}

/** What a program or file of the system said. */
export interface HostText {
  /** Where it comes from (`journal`, `/var/log/syslog`); null when there is no such thing here. */
  readonly source: string | null;
  readonly text: string;
  /** Why there is nothing, or what the text lacks; empty when all is well. */
  readonly reason: string;
  /** Whether a bound cut it. */
  readonly cut: boolean;
}
