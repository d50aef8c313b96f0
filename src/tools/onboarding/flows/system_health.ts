/** Flow `system_health`: whether the machine has capacity for work, and what uses it. @module */
import { humanSize } from "../../../core/bytes.ts";
import { memoryLoad, usableProcessors } from "../../../sysinfo/machine_load.ts";
import { isInState, readServices } from "../../../sysinfo/service_list.ts";
import type { HostText, SystemFacts } from "../../../sysinfo/machine_facts.ts";
import type { ProcessFact } from "../../../sysinfo/processes.ts";
import { checkPolicy, disabledBy } from "../../../call/policy.ts";
import type { ToolContext } from "../../../call/tool.ts";
import { procList } from "../../proc/list.ts";
import { visibleProcesses } from "../../proc/visible.ts";
import { allowedProcessors } from "../../sys/describe_machine.ts";
import { type Snapshot, snapshotMachine, sysSnapshot } from "../../sys/snapshot.ts";
import type { Flow, FlowStep } from "../flow.ts";

/** From where on a figure is worth a word. */
const BUSY_LOAD = 1.5, SCARCE_MEMORY = 0.1, HIGH_SWAP = 0.5, FULL_DISK = 90;
const SHOWN_PROCESSES = 5, SHOWN_DISKS = 6, SHOWN_SERVICES = 5, SHOWN_COMMAND = 40;

/** What a step found, and what of it is a reason to worry. */
interface Finding extends FlowStep {
  readonly worries: readonly string[];
}

/** See the module. */
export const systemHealth: Flow = {
  name: "system_health",
  title: "System health",
  about: "Checks load, memory, disks, the busiest processes and failed services, and names what needs attention.",
  takesPath: false,
  async run(_options, context) {
    const { config, facts } = context;
    checkPolicy(sysSnapshot, config.settings);
    const [snapshot, system, services, processes] = await Promise.all([
      snapshotMachine(facts),
      facts.system(),
      facts.services(),
      disabledBy(procList, config.settings) === null ? listProcesses(context) : [],
    ]);
    const findings = [
      checkLoad(snapshot, system),
      checkMemory(system),
      checkDisks(snapshot),
      ...describeProcesses(processes),
      checkServices(services),
    ];
    const worries = findings.flatMap((finding) => finding.worries);
    return {
      steps: findings.map(({ description, result }) => ({ description, result })),
      summary: worries.length === 0 ? `Healthy. ${snapshot.short_summary}` : `Attention: ${worries.join("; ")}.`,
    };
  },
};

function listProcesses(context: ToolContext): Promise<ProcessFact[]> {
  return visibleProcesses(context, { user: undefined, kernel: false });
}

function checkLoad({ cpu_percent, load_avg }: Snapshot, system: SystemFacts): Finding {
  const processors = usableProcessors(allowedProcessors(system), system.cpuGroups);
  const [, recent = 0] = load_avg;
  const isBusy = recent > processors * BUSY_LOAD;
  return {
    description: "Measured CPU and load",
    result: `${cpu_percent}% of ${Math.round(processors * 100) / 100} processors, load ${load_avg.join("/")}`,
    worries: isBusy ? [`load ${recent} over 5 minutes is too much for ${processors} processors`] : [],
  };
}

function checkMemory({ files, memoryGroups }: SystemFacts): Finding {
  const load = memoryLoad(files["/proc/meminfo"] ?? "", memoryGroups);
  const isScarce = load.availableBytes < load.totalBytes * SCARCE_MEMORY;
  const isSwapping = load.swapTotalBytes > 0 && load.swapUsedBytes > load.swapTotalBytes * HIGH_SWAP;
  const swap = load.swapTotalBytes === 0
    ? "no swap"
    : `swap ${humanSize(load.swapUsedBytes)} of ${humanSize(load.swapTotalBytes)}`;
  return {
    description: "Measured memory",
    result: `${humanSize(load.usedBytes)} of ${humanSize(load.totalBytes)} used, ` +
      `${humanSize(load.availableBytes)} available, ${swap}`,
    worries: [
      ...isScarce ? [`only ${humanSize(load.availableBytes)} of memory are available`] : [],
      ...isSwapping ? [`${swap} is used`] : [],
    ],
  };
}

function checkDisks({ disks }: Snapshot): Finding {
  const fullest = disks.toSorted((a, b) => b.used_percent - a.used_percent);
  return {
    description: "Checked disks",
    result: fullest.slice(0, SHOWN_DISKS).map(({ mount, used_percent }) => `${mount} ${used_percent}%`).join(", ") ||
      "no file system that can be measured",
    worries: fullest.filter(({ used_percent }) => used_percent >= FULL_DISK)
      .map(({ mount, used_percent }) => `${mount} is ${used_percent}% full`),
  };
}

function describeProcesses(processes: readonly ProcessFact[]): Finding[] {
  if (processes.length === 0) return [];
  const top = (order: (fact: ProcessFact) => number, show: (fact: ProcessFact) => string): string =>
    processes.toSorted((a, b) => order(b) - order(a)).slice(0, SHOWN_PROCESSES)
      .map((fact) => `${fact.pid} ${fact.command.slice(0, SHOWN_COMMAND)} ${show(fact)}`).join("; ");
  return [
    {
      description: "Found the busiest processes",
      result: top(({ cpuPercent }) => cpuPercent, ({ cpuPercent }) => `${cpuPercent}%`),
      worries: [],
    },
    {
      description: "Found the largest processes",
      result: top(({ rssBytes }) => rssBytes, ({ rssBytes }) => humanSize(rssBytes)),
      worries: [],
    },
  ];
}

function checkServices({ source, text, reason }: HostText): Finding {
  const description = "Checked services";
  if (source === null) return { description, result: reason, worries: [] };
  const services = readServices(text);
  const failed = services.filter((service) => isInState(service, "failed")).map(({ name }) => name);
  const running = services.filter((service) => isInState(service, "running")).length;
  if (failed.length === 0) return { description, result: `${running} running, none failed`, worries: [] };
  const names = failed.slice(0, SHOWN_SERVICES).join(", ") + (failed.length > SHOWN_SERVICES ? ", …" : "");
  return {
    description,
    result: `${running} running, ${failed.length} failed: ${names}`,
    worries: [`failed services: ${names}`],
  };
}
