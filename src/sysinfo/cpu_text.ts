/** Parses what the kernel says about processors. @module */

/** The processors of a machine. */
export interface CpuModel {
  /** As its maker calls it; empty when the kernel does not say. */
  readonly name: string;
  /** Physical cores; as many as threads where the kernel does not tell them apart. */
  readonly cores: number;
  /** Logical processors. */
  readonly threads: number;
  /** Whether the machine itself runs on a hypervisor that says so. */
  readonly virtual: boolean;
}

/** Makers by the number that ARM gave them. */
const ARM_MAKERS: Readonly<Record<string, string>> = {
  "0x41": "ARM",
  "0x42": "Broadcom",
  "0x43": "Cavium",
  "0x46": "Fujitsu",
  "0x48": "HiSilicon",
  "0x4e": "NVIDIA",
  "0x50": "Applied Micro",
  "0x51": "Qualcomm",
  "0x53": "Samsung",
  "0x56": "Marvell",
  "0x61": "Apple",
  "0x6d": "Microsoft",
  "0xc0": "Ampere",
};

/** Designs of ARM itself, by part number: https://developer.arm.com, Main ID Register of each. */
const ARM_PARTS: Readonly<Record<string, string>> = {
  "0xd03": "Cortex-A53",
  "0xd04": "Cortex-A35",
  "0xd05": "Cortex-A55",
  "0xd07": "Cortex-A57",
  "0xd08": "Cortex-A72",
  "0xd09": "Cortex-A73",
  "0xd0a": "Cortex-A75",
  "0xd0b": "Cortex-A76",
  "0xd0c": "Neoverse-N1",
  "0xd0d": "Cortex-A77",
  "0xd40": "Neoverse-V1",
  "0xd41": "Cortex-A78",
  "0xd44": "Cortex-X1",
  "0xd46": "Cortex-A510",
  "0xd47": "Cortex-A710",
  "0xd49": "Neoverse-N2",
  "0xd4f": "Neoverse-V2",
};

/** Reads /proc/cpuinfo of any architecture. */
export function readCpuModel(cpuinfo: string): CpuModel {
  const blocks = cpuinfo.split(/\n\s*\n/).map(readBlock);
  const processors = blocks.filter((block) => block.has("processor"));
  const threads = Math.max(1, processors.length);
  const cores = new Set(processors.flatMap((block) => {
    const core = block.get("core id");
    return core === undefined ? [] : [`${block.get("physical id") ?? "0"}.${core}`];
  }));
  return {
    name: nameOf(blocks),
    cores: cores.size > 0 ? cores.size : threads,
    threads,
    virtual: blocks.some((block) => / hypervisor(?: |$)/.test(block.get("flags") ?? "")),
  };
}

function readBlock(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
    }),
  );
}

/** x86 has `model name`, POWER `cpu`, RISC-V `uarch`; ARM gives numbers only, and mixes designs. */
function nameOf(blocks: readonly ReadonlyMap<string, string>[]): string {
  for (const key of ["model name", "cpu", "uarch", "Processor"]) {
    const found = blocks.find((block) => block.has(key))?.get(key);
    if (found) return found.replace(/\s+/g, " ");
  }
  const designs = blocks.flatMap((block) => {
    const maker = block.get("CPU implementer"), part = block.get("CPU part");
    if (maker === undefined || part === undefined) return [];
    const design = maker === "0x41" ? ARM_PARTS[part] : undefined;
    return [[ARM_MAKERS[maker] ?? `maker ${maker}`, design ?? `part ${part}`].join(" ")];
  });
  return [...new Set(designs)].join(" + ");
}

/** How many processors a list such as `0-3,8` names; null when it is none. */
export function countCpuList(list: string): number | null {
  if (!/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(list)) return null;
  return list.split(",").reduce((sum, range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return sum + last - first + 1;
  }, 0);
}
