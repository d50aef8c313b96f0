/** Drops root capabilities from the programs that a thread will start. @module */
import type { Libc } from "../sys/libc.ts";

const PR_CAPBSET_DROP = 24;
const LAST_CAPABILITY = 63; // the kernel's sets have 64 bits; numbers that it does not know are refused

/**
 * A program that root starts gets every capability in the bounding set of the thread that starts it, and Landlock says
 * nothing of most: raw memory, kernel modules, the clock. Afterwards it gets none, as in bubblewrap. The thread itself
 * keeps its own. A process that may not change the set has little in it.
 */
export function dropCapabilitiesOfChildren(libc: Libc): void {
  for (let capability = 0n; capability <= LAST_CAPABILITY; capability++) {
    libc.prctl(PR_CAPBSET_DROP, capability, 0n, 0n, 0n);
  }
}
