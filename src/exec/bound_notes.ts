/** Names the resource limit that a program probably hit, from its error output. @module */
import type { ChildExit } from "../sandbox/children.ts";

const KEY = "mcp.linux_ops.program_limits";
const SIGNS: readonly (readonly [sign: RegExp, text: string])[] = [
  [/Cannot allocate memory|MemoryError|[Oo]ut of memory|bad_alloc|heap limit/, `memory is bounded by ${KEY}.memory_mb`],
  [
    /fork.*Resource temporarily unavailable|BlockingIOError|can't start new thread/,
    `processes are bounded by ${KEY}.processes`,
  ],
  [/No space left on device/, `the private folders (/tmp, /var/tmp, /run, /dev/shm) are bounded by ${KEY}.disk_mb`],
];
const TIME_ENDED = "SIGXCPU";

/** Notes about bounds. @param said The ends of standard error. */
export function boundNotes(said: string, exit: ChildExit | null): string[] {
  if (exit?.signal === TIME_ENDED) return [`ended: CPU time is bounded by ${KEY}.cpu_sec`];
  return SIGNS.filter(([sign]) => sign.test(said)).map(([, text]) => text);
}
