/** Computes how full a file system is. @module */
import type { MountFact } from "../../sysinfo/machine_facts.ts";

/** Percent of what ordinary users can fill, as df counts, with one decimal. */
export function usedPercent({ usedBytes, availableBytes }: MountFact): number {
  const usable = usedBytes + availableBytes;
  return usable > 0 ? Math.round(usedBytes / usable * 1000) / 10 : 0;
}
