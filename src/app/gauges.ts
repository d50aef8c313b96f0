/** Registers the gauges of the application. @module */
import type { Services } from "../call/tool.ts";
import type { Children } from "../sandbox/children.ts";
import { ANY_OWNER } from "../store/handles.ts";
import { memoryBytes } from "../sys/memory.ts";

/** Each gauge is read when metrics are asked for. @param readMemory Resident memory; by default the runtime's figure. */
export function registerGauges(
  { metrics, handles, processes }: Services,
  children: Children,
  readMemory: () => number = memoryBytes,
): void {
  metrics.gauge("handles", () => handles.usage().handles);
  metrics.gauge("handle_bytes", () => handles.usage().bytes);
  metrics.gauge("children_running", children.running);
  metrics.gauge("processes_running", () => processes.list(ANY_OWNER).filter(({ state }) => state === "running").length);
  metrics.gauge("memory_bytes", readMemory);
}
