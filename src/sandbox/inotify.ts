/** Binds inotify: file system notifications, queued as soon as a change is made. @module */
import { encodeText } from "../core/bytes.ts";
import { check, type Libc } from "../sys/libc.ts";

const IN_NONBLOCK_CLOEXEC = 0o2004000;
const MOVED_TO = 0x80,
  CREATE = 0x100,
  OVERFLOW = 0x4000,
  IGNORED = 0x8000,
  ISDIR = 0x40000000,
  ONLYDIR = 0x1000000;
const HEADER_BYTES = 16, BUFFER_BYTES = 65_536;
/** Of one look; more than the kernel keeps. */
const MAX_READS = 64;

/** What was made in the watched folders since the last look. */
export interface Made {
  /** Paths of what was made there, or moved there, and whether it is a folder. */
  readonly entries: ReadonlyMap<string, boolean>;
  /** Whether the kernel dropped some. */
  readonly overflowed: boolean;
}

/** Watches over folders, each by itself. */
export interface FolderWatches {
  /**
   * Adds one, or gives one its new path. @returns false when the kernel takes no more.
   *
   * @param at Path by which the kernel finds it now; a link is followed.
   */
  add(folder: string, at: string): boolean;
  look(): Made;
  /** How many there are. */
  count(): number;
  /** Ends them. A thread does so before it ends: a user has only a few of these in all processes. */
  close(): void;
}

/** @throws Error when the kernel has no more instances for this user */
export function makeFolderWatches(libc: Libc): FolderWatches {
  const fd = Number(check(libc, libc.inotify_init1(IN_NONBLOCK_CLOEXEC), "inotify_init1"));
  const folders = new Map<number, string>();
  const bytes = new Uint8Array(BUFFER_BYTES), view = new DataView(bytes.buffer), decoder = new TextDecoder();
  const take = (length: number, entries: Map<string, boolean>): boolean => {
    let overflowed = false;
    for (let at = 0; at < length;) {
      const nameBytes = view.getUint32(at + 12, true);
      const mask = view.getUint32(at + 4, true);
      if ((mask & OVERFLOW) !== 0) overflowed = true;
      const watch = view.getInt32(at, true), folder = folders.get(watch);
      if ((mask & IGNORED) !== 0) folders.delete(watch); // the folder is gone
      if (folder !== undefined && nameBytes > 0) {
        const name = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + nameBytes);
        const path = `${folder}/${decoder.decode(name.subarray(0, name.indexOf(0)))}`;
        const isFolder = (mask & ISDIR) !== 0;
        entries.set(path, isFolder || entries.get(path) === true); // one name may have been both
      }
      at += HEADER_BYTES + nameBytes;
    }
    return overflowed;
  };
  return {
    count: () => folders.size,
    close: () => void libc.close(fd),
    add(folder, at) {
      const watch = libc.inotify_add_watch(fd, encodeText(`${at}\0`), CREATE | MOVED_TO | ONLYDIR);
      if (watch < 0) return false;
      folders.set(watch, folder);
      return true;
    },
    look() {
      const entries = new Map<string, boolean>();
      let overflowed = false;
      for (let reads = 0; reads < MAX_READS; reads++) {
        const length = Number(libc.read(fd, bytes, BigInt(BUFFER_BYTES)));
        if (length <= 0) break;
        if (take(length, entries)) overflowed = true;
      }
      return { entries, overflowed };
    },
  };
}
