/** Hides this process's memory and environment from other processes. @module */
import { byteLength, encodeText } from "../core/bytes.ts";
import { check, type Libc } from "../sys/libc.ts";

const PR_SET_DUMPABLE = 4;

/** Makes /proc/PID/environ and ptrace of this process unavailable to other processes of the same (non-root) user. */
export function hideProcess(libc: Libc): void {
  check(libc, libc.prctl(PR_SET_DUMPABLE, 0n, 0n, 0n, 0n), "prctl(PR_SET_DUMPABLE)");
}

/** What the runtime itself still reads; none of it is secret. */
const KEPT = /^(PATH|HOME|LANG|LC_.*|TZ|TERM|NO_COLOR|TMPDIR|XDG_.*|DENO_.*|LLMC_TEST_LEVEL)$/;

/**
 * Overwrites the values of environment variables where the kernel keeps them, so that not even root's
 * `cat /proc/PID/environ` shows the secrets that a desktop client hands to the servers that it starts, and removes them
 * from this process's environment. What was wanted of them must have been read before.
 */
export function wipeEnvironment(libc: Libc): void {
  for (const name of Object.keys(Deno.env.toObject())) {
    if (KEPT.test(name)) continue;
    const value = libc.getenv(encodeText(`${name}\0`));
    if (value === null) continue;
    const view = new Deno.UnsafePointerView(value);
    const length = byteLength(view.getCString());
    if (length > 0) new Uint8Array(view.getArrayBuffer(length)).fill(0x2a);
    Deno.env.delete(name);
  }
}
