/**
 * Copies extended attributes and ACLs, which Deno has no API for, from a file to its replacement. Needs FFI when
 * created: the server's thread creates it before it gives up that permission; Landlock confines its descriptors like
 * any others.
 * @module
 */
import { encodeText } from "../../core/bytes.ts";
import { O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK } from "./open_flags.ts";

/** Copies attributes; holds the C library until it is disposed of. */
export interface AttributeCopy extends Disposable {
  /** Copies all of them; false when one that matters could not be, so that the file is better written in place. */
  copy(from: string, to: string): boolean;
}

const open = () =>
  Deno.dlopen("libc.so.6", {
    open: { parameters: ["buffer", "i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    flistxattr: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    fgetxattr: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    fsetxattr: { parameters: ["i32", "buffer", "buffer", "usize", "i32"], result: "i32" },
  });

type Libc = ReturnType<typeof open>["symbols"];

/** To read: no link at the end, and no waiting for a pipe. */
const OPEN_FLAGS = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
/** The kernel allows no more, for the list and for a value. */
const MAX_BYTES = 65_536;

/**
 * Opens the C library.
 *
 * @throws Error where it is not glibc, or FFI is not permitted.
 */
export function makeAttributeCopy(): AttributeCopy {
  const library = open();
  const libc = library.symbols;
  return {
    copy: (from, to) =>
      withFile(libc, from, (source) => {
        const names = listAttributes(libc, source);
        const copyAll = (target: number) => names.every((name) => copyOne(libc, source, target, name));
        return names.length === 0 || withFile(libc, to, copyAll);
      }),
    [Symbol.dispose]: () => library.close(),
  };
}

function withFile(libc: Libc, path: string, use: (descriptor: number) => boolean): boolean {
  const descriptor = libc.open(cString(path), OPEN_FLAGS);
  if (descriptor < 0) return false;
  try {
    return use(descriptor);
  } finally {
    libc.close(descriptor);
  }
}

/** Names of a file's attributes; none where the file system has no such thing. */
function listAttributes(libc: Libc, descriptor: number): readonly string[] {
  const buffer = new Uint8Array(MAX_BYTES);
  const length = Number(libc.flistxattr(descriptor, buffer, BigInt(MAX_BYTES)));
  return length <= 0
    ? []
    : new TextDecoder().decode(buffer.subarray(0, length)).split("\0").filter((name) => name !== "");
}

function copyOne(libc: Libc, source: number, target: number, name: string): boolean {
  const value = new Uint8Array(MAX_BYTES);
  const length = Number(libc.fgetxattr(source, cString(name), value, BigInt(MAX_BYTES)));
  if (length < 0) return !matters(name);
  return libc.fsetxattr(target, cString(name), value, BigInt(length), 0) === 0 || !matters(name);
}

/** Labels of security modules are given to a new file by the system itself, and are not the server's to set. */
function matters(name: string): boolean {
  return !name.startsWith("security.");
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encodeText(`${text}\0`);
}
