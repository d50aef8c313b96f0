/** What the broker can tell of the machine: /proc, /sys and file system space, and signals. @module */
import { makeProcessFacts } from "./facts_processes.ts";
import { makeLogFacts } from "./facts_logs.ts";
import { makeSystemFacts } from "./facts_system.ts";
import { makeServiceFacts } from "./facts_services.ts";
import type { Facts, HostConfig } from "./protocol.ts";
import { sweep } from "./sweep.ts";

/** The broker's answers to {@link Facts}. */
export function makeFacts(host: HostConfig): Facts {
  return {
    ...makeProcessFacts(host),
    ...makeSystemFacts(),
    ...makeServiceFacts(host),
    ...makeLogFacts(host),
    sweep: (id) => sweep(host.marker, id),
  };
}
