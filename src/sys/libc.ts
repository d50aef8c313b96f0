/** Binds the few C functions that Deno has no API for. Opened once per thread, on first use. @module */

const open = () =>
  Deno.dlopen("libc.so.6", {
    createRuleset: { name: "syscall", parameters: ["i64", "buffer", "u64", "u64"], result: "i64" },
    addRule: { name: "syscall", parameters: ["i64", "i64", "i64", "buffer", "u64"], result: "i64" },
    restrictSelf: { name: "syscall", parameters: ["i64", "i64", "u64"], result: "i64" },
    prctl: { parameters: ["i32", "u64", "u64", "u64", "u64"], result: "i32" },
    seccomp: { name: "syscall", parameters: ["i64", "i64", "i64", "buffer"], result: "i64" },
    prlimit: { parameters: ["i32", "i32", "buffer", "buffer"], result: "i32" },
    open: { parameters: ["buffer", "i32"], result: "i32" },
    openat2: { name: "syscall", parameters: ["i64", "i64", "buffer", "buffer", "u64"], result: "i64" },
    close: { parameters: ["i32"], result: "i32" },
    memfd_create: { parameters: ["buffer", "u32"], result: "i32" },
    write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    lseek: { parameters: ["i32", "i64", "i32"], result: "i64" },
    poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
    read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    inotify_init1: { parameters: ["i32"], result: "i32" },
    inotify_add_watch: { parameters: ["i32", "buffer", "u32"], result: "i32" },
    getenv: { parameters: ["buffer"], result: "pointer" },
    __errno_location: { parameters: [], result: "pointer" },
  }).symbols;

/** The opened library. */
export type Libc = ReturnType<typeof open>;

/**
 * Opens the C library.
 *
 * @throws Error where it is not glibc, or FFI is not permitted.
 */
export function openLibc(): Libc {
  return open();
}

/** Turns a negative result into an error that names the call and errno; returns the others as they are. */
export function check(libc: Libc, result: bigint | number, call: string): bigint {
  if (result >= 0) return BigInt(result);
  throw new Error(`${call}: errno ${lastErrno(libc) ?? "unknown"}`);
}

/** The number of the error of the call that has just failed on this thread. */
export function lastErrno(libc: Libc): number | null {
  const errno = libc.__errno_location();
  return errno === null ? null : new Deno.UnsafePointerView(errno).getInt32();
}
