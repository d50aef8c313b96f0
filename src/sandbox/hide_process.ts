/** Keeps this process's memory and environment from other processes. @module */
import { check, type Libc } from "./libc.ts";

const PR_SET_DUMPABLE = 4;

/** Makes /proc/PID/environ and ptrace of this process unavailable to other processes of the same (non-root) user. */
export function hideProcess(libc: Libc): void {
  check(libc, libc.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n), "prctl(PR_SET_DUMPABLE)");
}

/**
 * Overwrites the values of environment variables where the kernel keeps them, so that not even root's
 * `cat /proc/PID/environ` shows them, and removes them from this process's environment.
 */
export function wipeEnvironment(libc: Libc, names: readonly string[]): void {
  for (const name of names) {
    const value = libc.getenv(new TextEncoder().encode(`${name}\0`));
    if (value === null) continue;
    const view = new Deno.UnsafePointerView(value);
    const length = new TextEncoder().encode(view.getCString()).length;
    if (length > 0) new Uint8Array(view.getArrayBuffer(length)).fill(0x2a);
    Deno.env.delete(name);
  }
}
