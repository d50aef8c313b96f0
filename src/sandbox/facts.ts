/** Collects what the broker reports about the machine: /proc, /sys, file system space, logs, and signals. @module */
import { makeLogFacts } from "../sysinfo/logs.ts";
import { makeProcessFacts } from "../sysinfo/processes.ts";
import { makeServiceFacts } from "../sysinfo/services.ts";
import { makeSystemFacts } from "../sysinfo/system.ts";
import type { Facts, HostConfig } from "./protocol.ts";
import { portsOf } from "../sysinfo/listeners.ts";
import { readFixed } from "../sysinfo/read_fixed.ts";
import { markedProcesses, sweep } from "./sweep.ts";

/** The name in /proc/PID/stat; a process that has ended and waits to be collected (Z, X) does not count. */
const RUNNING = /^\d+ \((.*)\) [^ZX]/s;

/** The broker's answers to {@link Facts}. */
export function makeFacts({ config, marker, serverPid }: HostConfig): Facts {
  return {
    ...makeProcessFacts({ serverPid }),
    ...makeSystemFacts(config),
    ...makeServiceFacts(config),
    ...makeLogFacts(config),
    sweep: (id) => sweep(marker, id),
    async namesOf(id) {
      const { found } = await markedProcesses(marker, id);
      const stats = await Promise.all(found.map((pid) => readFixed(`/proc/${pid}/stat`)));
      return stats.flatMap((stat) => RUNNING.exec(stat)?.[1] ?? []);
    },
    async portsOf(id) {
      return await portsOf((await markedProcesses(marker, id)).found);
    },
  };
}
