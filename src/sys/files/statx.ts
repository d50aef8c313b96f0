/** Reads struct statx, the kernel's facts of an entry. @module */
import type { EntryFacts } from "./entries.ts";
import type { FileType } from "./open_regular.ts";

/** Size of struct statx, and what is asked for. */
export const STATX_BYTES = 256, STATX_BASIC_AND_BIRTH = 0xfff;

/** Without 64-bit integers, which are slow to make: a listing reads thousands of these. */
const wholeAt = (view: DataView, offset: number): number =>
  view.getInt32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true);

const timeAt = (view: DataView, offset: number): number =>
  wholeAt(view, offset) * 1000 + Math.trunc(view.getUint32(offset + 8, true) / 1e6);

const TYPE_BITS = 0o170000;
const TYPES: ReadonlyMap<number, FileType> = new Map([
  [0o100000, "file"],
  [0o040000, "dir"],
  [0o120000, "symlink"],
  [0o060000, "block_device"],
  [0o020000, "char_device"],
  [0o010000, "fifo"],
  [0o140000, "socket"],
]);

/** The main fields of struct statx, which is the same on every architecture. */
export function readMain(view: DataView): EntryFacts {
  const mtimeMs = timeAt(view, 112);
  return {
    type: TYPES.get(view.getUint16(28, true) & TYPE_BITS) ?? "other",
    sizeBytes: wholeAt(view, 40),
    mtimeMs,
    changedMs: Math.max(mtimeMs, timeAt(view, 96)),
  };
}

/** Times of access and of the last change of content, to the nanosecond, as utimensat(2) takes them. */
export function timesOf(view: DataView): Uint8Array<ArrayBuffer> {
  const times = new DataView(new ArrayBuffer(32));
  for (const [at, offset] of [[0, 64], [16, 112]] as const) {
    times.setBigInt64(at, view.getBigInt64(offset, true), true);
    times.setBigInt64(at + 8, BigInt(view.getUint32(offset + 8, true)), true);
  }
  return new Uint8Array(times.buffer);
}

/** All fields of struct statx. */
export function readStatx(view: DataView): Deno.FileInfo {
  const time = (offset: number) => new Date(timeAt(view, offset));
  const mode = view.getUint16(28, true), type = mode & TYPE_BITS;
  const device = (offset: number) => deviceNumber(view.getUint32(offset, true), view.getUint32(offset + 4, true));
  return {
    isFile: type === 0o100000,
    isDirectory: type === 0o040000,
    isSymlink: type === 0o120000,
    isBlockDevice: type === 0o060000,
    isCharDevice: type === 0o020000,
    isFifo: type === 0o010000,
    isSocket: type === 0o140000,
    size: wholeAt(view, 40),
    atime: time(64),
    birthtime: time(80),
    ctime: time(96),
    mtime: time(112),
    mode,
    nlink: view.getUint32(16, true),
    uid: view.getUint32(20, true),
    gid: view.getUint32(24, true),
    ino: Number(view.getBigUint64(32, true)),
    dev: device(136),
    rdev: device(128),
    blksize: view.getUint32(4, true),
    blocks: wholeAt(view, 48),
  };
}

/** As makedev(3) puts it together. */
function deviceNumber(major: number, minor: number): number {
  return (major >>> 12) * 2 ** 44 + (minor >>> 8) * 2 ** 20 + (major & 0xfff) * 2 ** 8 + (minor & 0xff);
}
