/** Sets resource limits of the programs that this process starts. @module */
import { childrenOf } from "./process_group.ts";
import type { TreeBounds } from "./tree_bounds.ts";
import { check, type Libc } from "../sys/libc.ts";

const RLIMIT_CPU = 0, RLIMIT_DATA = 2, RLIMIT_NPROC = 6, RLIMIT_CORE = 4, RLIMIT_NOFILE = 7, RLIMIT_RTTIME = 15;
/** Ample for a program that does not ask for more; one that does may go up to the hard limit. */
const OPEN_FILES = 4_096n;
const CPU_GRACE_SEC = 5;

/** No program that is started from here on leaves its memory on disk, where secrets in it would be read later. */
export function forbidCoreDumps(libc: Libc): void {
  check(libc, libc.prlimit(0, RLIMIT_CORE, new BigUint64Array([0n, 0n]), null), "prlimit(RLIMIT_CORE)");
}

/**
 * Gives a child its limits: a mark (see sweep.ts), and an ordinary number of open files. The runtime has raised this
 * process's own to the highest that is allowed, often a million, and some programs close every number up to it before they
 * begin.
 *
 * @param mark Microseconds of real-time CPU, in decimal.
 * @param ownUsers Whether the child has a namespace of users, so that only its own processes count.
 */
export function limitChild(libc: Libc, pid: number, mark: string, bounds: TreeBounds, ownUsers: boolean): void {
  const limits = new BigUint64Array([BigInt(mark), BigInt(mark)]);
  // What it has started already did not inherit the limits: bubblewrap may have come as far as its payload, and where this
  // thread stood still meanwhile, the payload may have started others.
  const found = new Set([pid]);
  for (const each of found) {
    libc.prlimit(each, RLIMIT_RTTIME, limits, null); // refused where the machine's own limit is lower, or it has ended
    limitOpenFiles(libc, each);
    lower(libc, each, RLIMIT_DATA, bounds.memoryBytes, 0);
    lower(libc, each, RLIMIT_CPU, bounds.cpuSec, CPU_GRACE_SEC);
    if (ownUsers) lower(libc, each, RLIMIT_NPROC, bounds.processes, 0);
    for (const child of childrenOf(each)) found.add(child);
  }
}

/** @param grace How much later the hard limit is, which ends a process that caught the signal of the soft one. */
function lower(libc: Libc, pid: number, resource: number, value: number, grace: number): void {
  const limits = new BigUint64Array(2);
  if (libc.prlimit(pid, resource, null, limits) !== 0) return; // it has ended
  const [soft = 0n, hard = 0n] = limits, wanted = BigInt(value), last = wanted + BigInt(grace);
  if (soft <= wanted && hard <= last) return;
  libc.prlimit(pid, resource, new BigUint64Array([soft < wanted ? soft : wanted, hard < last ? hard : last]), null);
}

function limitOpenFiles(libc: Libc, pid: number): void {
  const limits = new BigUint64Array(2); // soft, hard
  if (libc.prlimit(pid, RLIMIT_NOFILE, null, limits) !== 0) return; // it has ended
  const [soft = 0n, hard = 0n] = limits;
  if (soft > OPEN_FILES) libc.prlimit(pid, RLIMIT_NOFILE, new BigUint64Array([OPEN_FILES, hard]), null);
}
