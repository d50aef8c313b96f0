/**
 * Opens files without blocking. Deno opens on the calling thread, which would wait for ever where a named pipe has
 * replaced a file; Node's API has a flag against it.
 * @module
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncate,
  openSync,
  read,
  readSync,
  type Stats,
  write,
} from "node:fs";
import { O_NOFOLLOW, O_NONBLOCK } from "./open_flags.ts";
import { asDenoError, systemError } from "../system_error.ts";

/** How a file is opened. */
export type OpenOptions = Pick<Deno.OpenOptions, "read" | "write" | "append" | "create" | "createNew" | "mode">;

/** An open file. */
export interface OpenFile extends Disposable {
  /** Bytes that were read; null at the end. */
  read(into: Uint8Array): Promise<number | null>;
  /** The same on the asking thread: what is small takes less time than to hand it to another one. */
  readSync(into: Uint8Array): number | null;
  /** Bytes that were written. */
  write(from: Uint8Array): Promise<number>;
  /** From here on it is read and written. @param offset In bytes from the start. */
  seek(offset: number): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  /** fsync(2). */
  sync(): Promise<void>;
  stat(): Promise<Deno.FileInfo>;
}

/**
 * Opens whatever has a name, and follows no link at the end of the path.
 *
 * @param path Real path.
 * @throws Deno's errors, with the code of the system; one of code ENXIO, as the kernel has it for sockets, when something is
 * to be written and the name is not that of a regular file.
 */
export function openFile(path: string, options: OpenOptions): OpenFile {
  const descriptor = openDescriptor(path, options);
  const writes = options.write === true || options.append === true;
  if (writes && !attempt(() => fstatSync(descriptor)).isFile()) {
    closeSync(descriptor);
    throw systemError("ENXIO", "ENXIO: not a regular file");
  }
  /** Where the next byte is read or written, and whether the kernel has it so: not once it was sent anywhere. */
  let position = 0, isInOrder = true;
  const here = () => isInOrder || options.append === true ? null : position;
  const moved = (count: number) => {
    position += count;
    return count;
  };
  const unlessEnd = (count: number, into: Uint8Array) => count === 0 && into.length > 0 ? null : count;
  return {
    async read(into) {
      const count = await settled<number>((done) => read(descriptor, into, 0, into.length, here(), done));
      return unlessEnd(moved(count), into);
    },
    readSync(into) {
      const count = attempt(() => readSync(descriptor, into, 0, into.length, here()));
      return unlessEnd(moved(count), into);
    },
    write: async (from) => moved(await settled((done) => write(descriptor, from, 0, from.length, here(), done))),
    seek(offset) {
      isInOrder &&= offset === position;
      position = offset;
      return Promise.resolve();
    },
    truncate: (sizeBytes) => settled((done) => ftruncate(descriptor, sizeBytes, (error) => done(error, undefined))),
    sync: () => settled((done) => fsync(descriptor, (error) => done(error, undefined))),
    stat: () => Promise.try(() => fileInfo(attempt(() => fstatSync(descriptor)))),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** What was read of a regular file. */
export interface RegularContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole file. */
  readonly sizeBytes: number;
}

/**
 * Reads a regular file, or its end, at once; undefined when it is something else.
 *
 * @param maxBytes Of a longer file, so many bytes are read.
 * @param from Where to begin in a longer one.
 * @throws as {@link openFile}.
 */
export function readRegularSync(
  path: string,
  maxBytes: number,
  from: "start" | "end" = "start",
): RegularContent | undefined {
  if (!Deno.lstatSync(path).isFile) return undefined; // opening alone does something to a pipe: its writer goes on
  const descriptor = openDescriptor(path, { read: true });
  try {
    const stats = attempt(() => fstatSync(descriptor));
    if (!stats.isFile()) return undefined;
    const skipped = from === "end" ? Math.max(0, stats.size - maxBytes) : 0;
    const bytes = new Uint8Array(Math.min(stats.size, maxBytes));
    let length = 0;
    while (length < bytes.length) {
      const at = skipped > 0 ? skipped + length : null;
      const count = attempt(() => readSync(descriptor, bytes, length, bytes.length - length, at));
      if (count === 0) break;
      length += count;
    }
    return { bytes: bytes.subarray(0, length), sizeBytes: stats.size };
  } finally {
    closeSync(descriptor);
  }
}

function openDescriptor(path: string, { read, write, append, create, createNew, mode }: OpenOptions): number {
  const writes = write || append;
  const access = writes ? read ? constants.O_RDWR : constants.O_WRONLY : constants.O_RDONLY;
  const flags = access | O_NONBLOCK | O_NOFOLLOW | (append ? constants.O_APPEND : 0) |
    (create || createNew ? constants.O_CREAT : 0) | (createNew ? constants.O_EXCL : 0);
  return attempt(() => openSync(path, flags, mode));
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDenoError(error);
  }
}

type Done<T> = (error: Error | null, value: T) => void;

function settled<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => start((error, value) => error ? reject(asDenoError(error)) : resolve(value)));
}

function fileInfo(stats: Stats): Deno.FileInfo {
  const { size, mtime, atime, birthtime, ctime, dev, ino, mode, nlink, uid, gid, rdev, blksize, blocks } = stats;
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    isBlockDevice: stats.isBlockDevice(),
    isCharDevice: stats.isCharacterDevice(),
    isFifo: stats.isFIFO(),
    isSocket: stats.isSocket(),
    ...{ size, mtime, atime, birthtime, ctime, dev, ino, mode, nlink, uid, gid, rdev, blksize, blocks },
  };
}
