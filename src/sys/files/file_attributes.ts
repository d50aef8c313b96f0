/**
 * Reads, sets and copies extended attributes and ACLs, which Deno has no API for. Needs FFI when
 * created: the server's thread creates it before it gives up that permission; Landlock confines its descriptors like
 * any others.
 * @module
 */
import { encodeText } from "../../core/bytes.ts";
import { O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK } from "./open_flags.ts";

/** Holds the C library until it is disposed of. */
export interface FileAttributes extends Disposable {
  /** Copies all of them; false when one that matters could not be, so that the file is better written in place. */
  copy(from: string, to: string): boolean;
  /** Values in base64 by name, without those that the system sets itself; empty for what cannot be read. */
  read(path: string): Readonly<Record<string, string>>;
  /** Sets these and removes others; false when one could not be. */
  replace(path: string, attributes: Readonly<Record<string, string>>): boolean;
}

const open = () =>
  Deno.dlopen("libc.so.6", {
    open: { parameters: ["buffer", "i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    flistxattr: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    fgetxattr: { parameters: ["i32", "buffer", "buffer", "usize"], result: "isize" },
    fremovexattr: { parameters: ["i32", "buffer"], result: "i32" },
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
export function makeFileAttributes(): FileAttributes {
  const library = open();
  const libc = library.symbols;
  return {
    copy: (from, to) =>
      withFile(libc, from, (source) => {
        const names = listAttributes(libc, source);
        const copyAll = (target: number) => names.every((name) => copyOne(libc, source, target, name));
        return names.length === 0 || withFile(libc, to, copyAll);
      }),
    read(path) {
      const found: Record<string, string> = {};
      withFile(libc, path, (file) => {
        for (const name of listAttributes(libc, file).filter(matters)) {
          const value = valueOf(libc, file, name);
          if (value !== null) found[name] = value.toBase64();
        }
        return true;
      });
      return found;
    },
    replace(path, attributes) {
      const wanted = Object.entries(attributes);
      return withFile(libc, path, (file) => {
        const others = listAttributes(libc, file).filter((name) => matters(name) && !Object.hasOwn(attributes, name));
        return others.every((name) => libc.fremovexattr(file, cString(name)) === 0) &&
          wanted.every(([name, value]) => setOne(libc, file, name, Uint8Array.fromBase64(value)));
      }) || wanted.length === 0;
    },
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
  const value = valueOf(libc, source, name);
  return value !== null && setOne(libc, target, name, value) || !matters(name);
}

function valueOf(libc: Libc, file: number, name: string): Uint8Array<ArrayBuffer> | null {
  const value = new Uint8Array(MAX_BYTES);
  const length = Number(libc.fgetxattr(file, cString(name), value, BigInt(MAX_BYTES)));
  return length < 0 ? null : value.subarray(0, length);
}

function setOne(libc: Libc, file: number, name: string, value: Uint8Array<ArrayBuffer>): boolean {
  return libc.fsetxattr(file, cString(name), value, BigInt(value.length), 0) === 0;
}

/** Labels of security modules are given to a new file by the system itself, and are not the server's to set. */
function matters(name: string): boolean {
  return !name.startsWith("security.");
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return encodeText(`${text}\0`);
}
