/** Binds the C functions that the recorder needs. Opened once, in its thread. @module */

const open = () =>
  Deno.dlopen("libc.so.6", {
    ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
    setFlags: { name: "ioctl", parameters: ["i32", "u64", "u64"], result: "i32" },
    process_vm_readv: { parameters: ["i32", "buffer", "u64", "buffer", "u64", "u64"], result: "isize" },
    open: { parameters: ["buffer", "i32", "u32"], result: "i32" },
    openat2: { name: "syscall", parameters: ["i64", "i64", "buffer", "buffer", "u64"], result: "i64" },
    close: { parameters: ["i32"], result: "i32" },
    read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    readlinkat: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
    flistxattr: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    fgetxattr: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    sendfile: { parameters: ["i32", "i32", "pointer", "usize"], result: "isize" },
    clone: { name: "ioctl", parameters: ["i32", "u64", "i64"], result: "i32" },
    poll: { parameters: ["buffer", "u64", "i32"], result: "i32" },
    unlink: { parameters: ["buffer"], result: "i32" },
    __errno_location: { parameters: [], result: "pointer" },
  }).symbols;

/** The opened library. */
export type RecorderLibc = ReturnType<typeof open>;

/** @throws Error where it is not glibc, or FFI is not permitted. */
export function openRecorderLibc(): RecorderLibc {
  return open();
}

const OPENAT2 = 437n; // on every architecture

/** Flags of openat2 that say what a path may lead through. */
export const RESOLVE = { noLinks: 0x04n, inRoot: 0x10n } as const;

/** Opens a path below a folder; negative when that fails. */
export function openBelow(
  libc: RecorderLibc,
  folder: number,
  path: Uint8Array<ArrayBuffer>,
  flags: number,
  resolve: bigint,
): number {
  const how = new BigUint64Array([BigInt(flags), 0n, resolve]);
  return Number(libc.openat2(OPENAT2, BigInt(folder), path, how, BigInt(how.byteLength)));
}

/** The number of the error of the call that has just failed. */
export function errnoNow(libc: RecorderLibc): number {
  const errno = libc.__errno_location();
  return errno === null ? 0 : new Deno.UnsafePointerView(errno).getInt32();
}
