/** Collects what the broker reports about the machine: /proc, /sys, file system space, logs, and signals. @module */
import { makeLogFacts } from "../sysinfo/logs.ts";
import { makeProcessFacts } from "../sysinfo/processes.ts";
import { makeServiceFacts } from "../sysinfo/services.ts";
import { makeSystemFacts } from "../sysinfo/system.ts";
import type { Facts, HostConfig } from "./protocol.ts";
import { sweep } from "./sweep.ts";

/** The broker's answers to {@link Facts}. */
export function makeFacts({ config, marker, serverPid }: HostConfig): Facts {
  return {
    ...makeProcessFacts({ serverPid }),
    ...makeSystemFacts(config),
    ...makeServiceFacts(config),
    ...makeLogFacts(config),
    sweep: (id) => sweep(marker, id),
  };
}
