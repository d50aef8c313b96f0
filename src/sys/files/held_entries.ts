/**
 * Reads metadata and changes modes relative to a directory descriptor. Landlock refuses to open what is outside the
 * roots, but does not cover stat(2) and chmod(2): by path, a check that loses a race would leak or change another
 * file. So the folder is opened, and the entry is addressed from there. Needs FFI when created; see
 * file_attributes.ts.
 * @module
 */
import type { Entries, EntryFacts } from "./entries.ts";
import { O_CLOEXEC, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } from "./open_flags.ts";
import { readMain, readStatx, STATX_BASIC_AND_BIRTH, STATX_BYTES, timesOf } from "./statx.ts";
import { systemError } from "../system_error.ts";

const open = () =>
  Deno.dlopen("libc.so.6", {
    open: { parameters: ["buffer", "i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
    readlinkat: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    symlinkat: { parameters: ["buffer", "i32", "buffer"], result: "i32" },
    fchmodat: { parameters: ["i32", "buffer", "u32", "i32"], result: "i32" },
    fchmod: { parameters: ["i32", "u32"], result: "i32" },
    utimensat: { parameters: ["i32", "buffer", "buffer", "i32"], result: "i32" },
    __errno_location: { parameters: [], result: "pointer" },
    memcpy: { parameters: ["buffer", "pointer", "usize"], result: "pointer" },
  });

type Libc = ReturnType<typeof open>["symbols"];

const AT_SYMLINK_NOFOLLOW = 0x100, AT_EMPTY_PATH = 0x1000;
/** Type, times of the last changes and size. */
const STATX_MAIN = 0x2c1;
const MAX_LINK_BYTES = 4_096, MAX_NAME_BYTES = 256;
const EACCES = 13;
/** File systems take the time of a change from a clock that goes on by a timer interrupt: 100 to 1,000 times a second. */
const KERNEL_TICK_MS = 10;
const encoder = new TextEncoder();
const EMPTY = cString("");

/** Holds the C library until it is disposed of. */
export interface HeldEntries extends Entries, Disposable {}

/**
 * Opens the C library.
 *
 * @throws Error where it is not glibc, or FFI is not permitted.
 */
export function makeHeldEntries(): HeldEntries {
  const library = open(), libc = library.symbols;
  const fail = (path: string): never => {
    throw errorOf(errnoOf(libc), path);
  };

  /** Names an entry from its folder, or opens it where the folder may be searched and not read, as a root's own is. */
  const withEntry = <T>(path: string, use: (descriptor: number, name: Uint8Array<ArrayBuffer>) => T): T => {
    const slash = path.lastIndexOf("/"), name = path.slice(slash + 1);
    let descriptor = libc.open(cString(path.slice(0, slash) || "/"), O_DIRECTORY | O_CLOEXEC);
    const isFolder = descriptor >= 0 && name !== "";
    if (descriptor < 0) {
      const errno = errnoOf(libc);
      descriptor = errno === EACCES ? libc.open(cString(path), O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : descriptor;
      if (descriptor < 0) throw errorOf(errno, path);
    }
    try {
      return use(descriptor, isFolder ? cString(name) : EMPTY);
    } finally {
      libc.close(descriptor);
    }
  };

  const statOf = (path: string): DataView =>
    withEntry(path, (descriptor, name) => {
      const buffer = new Uint8Array(STATX_BYTES), flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
      if (libc.statx(descriptor, name, flags, STATX_BASIC_AND_BIRTH, buffer) < 0) fail(path);
      return new DataView(buffer.buffer);
    });

  return {
    lstat: (path) => readStatx(statOf(path)),
    stepMs: KERNEL_TICK_MS,
    factsOf(folder, names) {
      const found = new Map<string, EntryFacts>();
      const descriptor = libc.open(cString(folder || "/"), O_DIRECTORY | O_CLOEXEC);
      if (descriptor < 0) return found;
      // One buffer for all names and one for all answers: making them takes as long as asking.
      const buffer = new Uint8Array(STATX_BYTES), view = new DataView(buffer.buffer);
      const cName = new Uint8Array(MAX_NAME_BYTES);
      try {
        for (const name of names) {
          const { read, written } = encoder.encodeInto(name, cName);
          if (read < name.length || written === MAX_NAME_BYTES) continue; // longer than any name
          cName[written] = 0;
          const failed = libc.statx(descriptor, cName, AT_SYMLINK_NOFOLLOW, STATX_MAIN, buffer) < 0;
          if (!failed) found.set(name, readMain(view));
        }
      } finally {
        libc.close(descriptor);
      }
      return found;
    },
    readLink: (path) =>
      withEntry(path, (descriptor, name) => {
        const buffer = new Uint8Array(MAX_LINK_BYTES);
        const length = Number(libc.readlinkat(descriptor, name, buffer, BigInt(MAX_LINK_BYTES)));
        if (length < 0) fail(path);
        return new TextDecoder().decode(buffer.subarray(0, length));
      }),
    symlink: (target, path) =>
      withEntry(path, (descriptor, name) => {
        if (libc.symlinkat(cString(target), descriptor, name) < 0) fail(path);
      }),
    chmod: (path, mode) =>
      withEntry(path, (descriptor, name) => {
        const done = name === EMPTY
          ? libc.fchmod(descriptor, mode)
          : libc.fchmodat(descriptor, name, mode, AT_SYMLINK_NOFOLLOW);
        if (done < 0) fail(path);
      }),
    copyTimes(from, to) {
      const times = timesOf(statOf(from));
      withEntry(to, (descriptor, name) => {
        const flags = AT_SYMLINK_NOFOLLOW | (name === EMPTY ? AT_EMPTY_PATH : 0);
        if (libc.utimensat(descriptor, name, times, flags) < 0) fail(to);
      });
    },
    [Symbol.dispose]: () => library.close(),
  };
}

/** Copied out by C: Deno's own way to read at a pointer asks for the permission that is given away by then. */
function errnoOf(libc: Libc): number {
  const errno = new Int32Array(1);
  libc.memcpy(errno, libc.__errno_location(), BigInt(errno.byteLength));
  return errno[0] ?? 0;
}

const CODES: Readonly<Record<number, string>> = {
  1: "EPERM",
  2: "ENOENT",
  13: "EACCES",
  17: "EEXIST",
  20: "ENOTDIR",
  22: "EINVAL",
  30: "EROFS",
  36: "ENAMETOOLONG",
  40: "ELOOP",
  95: "EOPNOTSUPP",
};

/** The error that Deno would have thrown. */
function errorOf(errno: number, path: string): Error {
  const code = CODES[errno] ?? `E${errno}`;
  return systemError(code, `${code}: '${path}'`);
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text}\0`);
}
