/** What the broker can tell of the machine: /proc, /sys and file system space, and signals. @module */
import { makeProcessFacts } from "./facts_processes.ts";
import { readSystem } from "./facts_system.ts";
import type { Facts, HostConfig } from "./protocol.ts";
import { sweep } from "./sweep.ts";

/** The broker's answers to {@link Facts}. */
export function makeFacts(host: HostConfig): Facts {
  return {
    ...makeProcessFacts(host),
    system: () => readSystem(),
    sweep: (id) => sweep(host.marker, id),
  };
}
