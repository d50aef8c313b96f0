/** `linux_sys_snapshot`: shows how busy the machine is. @module */
import * as z from "zod";
import { humanSize } from "../../core/bytes.ts";
import { cpuPercent, memoryLoad } from "../../sysinfo/machine_load.ts";
import { readLoad } from "../../sysinfo/proc_text.ts";
import type { MachineFacts } from "../../sysinfo/machine_facts.ts";
import { defineTool } from "../../call/tool.ts";
import { allowedProcessors } from "./describe_machine.ts";
import { usedPercent } from "./used_percent.ts";

const output = () =>
  z.object({
    cpu_percent: z.number(),
    load_avg: z.array(z.number()).length(3),
    mem_used_mb: z.int(),
    mem_total_mb: z.int(),
    disks: z.array(z.object({ mount: z.string(), used_percent: z.number() })),
    short_summary: z.string(),
  });

/** The figures of a snapshot. */
export type Snapshot = z.output<ReturnType<typeof output>>;

const MIB = 1024 * 1024;
/** Of more disks, the fullest are shown: they are what a glance is for. */
const MAX_DISKS = 12;
/** From here on a disk is named beside the root directory. */
const NEARLY_FULL_PERCENT = 90;
/** A deleted file of this size is named: it may be why a disk is full although its files are small. */
const LARGE_DELETED_BYTES = 16 * MIB;

/** See the summary. */
export const sysSnapshot = defineTool({
  name: "linux_sys_snapshot",
  title: "System snapshot",
  summary: "CPU, load, memory and disk usage now; inside a container, of its limits.",
  toolset: "sys",
  effect: "read",
  record: true,
  input: () => z.strictObject({}),
  output,
  run: (_args, { facts }) => snapshotMachine(facts),
});

/** Looks at the machine. */
export async function snapshotMachine(facts: MachineFacts): Promise<Snapshot> {
  const [sample, system, deleted] = await Promise.all([facts.cpu(), facts.system(), facts.deletedFiles()]);
  const memory = memoryLoad(system.files["/proc/meminfo"] ?? "", system.memoryGroups);
  const cpu_percent = cpuPercent(sample, allowedProcessors(system));
  const load = readLoad(system.files["/proc/loadavg"] ?? "");
  const used = Math.round(memory.usedBytes / MIB), total = Math.round(memory.totalBytes / MIB);
  const disks = system.mounts.map((fact) => ({ mount: fact.mount, used_percent: usedPercent(fact) }));
  return {
    cpu_percent,
    load_avg: load,
    mem_used_mb: used,
    mem_total_mb: total,
    disks: fullest(disks),
    short_summary: [
      `CPU ${Math.round(cpu_percent)}%`,
      `Load ${load.map((each) => each.toFixed(2)).join("/")}`,
      `RAM ${used}/${total} MB${memory.machineBytes === null ? "" : " (cgroup limit)"}`,
      ...worthNaming(disks).map(({ mount, used_percent }) => `${mount} ${Math.round(used_percent)}% used`),
      ...deleted.slice(0, 1).filter(({ sizeBytes }) => sizeBytes >= LARGE_DELETED_BYTES).map((file) =>
        `${humanSize(file.sizeBytes)} deleted but open (pid ${file.pid} ${file.program})`
      ),
    ].join(", "),
  };
}

/** The root directory, and the fullest disk where that is another one. */
function worthNaming(disks: Snapshot["disks"]): Snapshot["disks"] {
  const [root] = disks;
  if (root === undefined) return [];
  const most = disks.reduce((fullest, disk) => disk.used_percent > fullest.used_percent ? disk : fullest, root);
  return most === root || most.used_percent < NEARLY_FULL_PERCENT ? [root] : [root, most];
}

function fullest(disks: Snapshot["disks"]): Snapshot["disks"] {
  if (disks.length <= MAX_DISKS) return disks;
  const [root, ...others] = disks;
  const rest = others.sort((a, b) => b.used_percent - a.used_percent).slice(0, MAX_DISKS - 1);
  return root ? [root, ...rest] : rest;
}
