/** Resident memory of this process. @module */

/** Resident bytes, as the runtime counts them: it reads /proc, which a confined thread may not. */
export function memoryBytes(): number {
  return Deno.memoryUsage().rss;
}

const STATM = "/proc/self/statm\0";
const O_CLOEXEC = 0o2000000;
const SC_PAGESIZE = 30;

/**
 * Opens what the kernel says of this process's memory, for a thread that will not be allowed to open it later.
 *
 * @throws Error where the C library is not glibc, or FFI is not permitted.
 */
export function makeMemoryReader(): () => number {
  const { symbols: libc } = Deno.dlopen("libc.so.6", {
    open: { parameters: ["buffer", "i32"], result: "i32" },
    pread: { parameters: ["i32", "buffer", "usize", "i64"], result: "isize" },
    sysconf: { parameters: ["i32"], result: "i64" },
  });
  const descriptor = libc.open(new TextEncoder().encode(STATM), O_CLOEXEC);
  const pageBytes = Number(libc.sysconf(SC_PAGESIZE)), buffer = new Uint8Array(128), decoder = new TextDecoder();
  return () => {
    const length = Number(libc.pread(descriptor, buffer, BigInt(buffer.length), 0n));
    const [, pages = ""] = decoder.decode(buffer.subarray(0, Math.max(0, length))).split(" ");
    return pages === "" ? NaN : Number(pages) * pageBytes; // a gauge without a value is not shown
  };
}
