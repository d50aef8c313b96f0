/** Notices changes below a folder by the kernel's notifications, so that a tree without changes need not be walked. @module */
import { encodeText } from "../../core/bytes.ts";

const open = () =>
  Deno.dlopen("libc.so.6", {
    inotify_init1: { parameters: ["i32"], result: "i32" },
    inotify_add_watch: { parameters: ["i32", "buffer", "u32"], result: "i32" },
    read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
    close: { parameters: ["i32"], result: "i32" },
    statfs: { parameters: ["buffer", "buffer"], result: "i32" },
  });

const IN_NONBLOCK_CLOEXEC = 0o2004000;
/** MODIFY, ATTRIB, CLOSE_WRITE (what was written through a mapping), MOVED_FROM and _TO, CREATE, DELETE, DELETE_ and MOVE_SELF. */
const CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;
const ONLYDIR = 0x1000000, DONT_FOLLOW = 0x2000000;
const BUFFER_BYTES = 65_536, STATFS_BYTES = 256;
/** Each watch takes about a kilobyte of the kernel's memory. */
const MAX_FOLDERS = 20_000;
/** ext2 to ext4, xfs, btrfs, tmpfs, ramfs, overlayfs, zfs, f2fs, bcachefs: elsewhere another machine may change files unnoticed. */
const LOCAL_FILE_SYSTEMS = new Set([
  0xef53,
  0x58465342,
  0x9123683e,
  0x01021994,
  0x858458f6,
  0x794c7630,
  0x2fc12fc1,
  0xf2f52010,
  0xca451a4e,
]);

/** The watch of one tree. */
export interface TreeWatch {
  /** Forgets what has changed so far: a walk begins that sees it. */
  begin(): void;
  /** Watches the entries of a folder from now on. Called before the folder is read. @param path Absolute. */
  add(path: string): void;
  /** Whether nothing in the watched folders has changed since the walk began. False where a folder could not be watched. */
  isQuiet(): boolean;
  close(): void;
}

/** Opens the watch of a tree; null where the kernel gives no notifications. */
export type TreeWatches = () => TreeWatch | null;

/** @throws Error where the C library is not glibc, or FFI is not permitted. */
export function makeTreeWatches(): TreeWatches {
  const libc = open().symbols;
  const bytes = new Uint8Array(BUFFER_BYTES), facts = new Uint8Array(STATFS_BYTES), view = new DataView(facts.buffer);
  const isLocal = (path: Uint8Array<ArrayBuffer>) =>
    libc.statfs(path, facts) === 0 && LOCAL_FILE_SYSTEMS.has(view.getUint32(0, true));
  return () => {
    const fd = libc.inotify_init1(IN_NONBLOCK_CLOEXEC);
    if (fd < 0) return null;
    const watched = new Set<number>();
    let changed = false, isWhole = true, isOpen = true;
    const drain = () => {
      // a full queue ends with a notification of its own: what was dropped counts as a change, too
      while (isOpen && Number(libc.read(fd, bytes, BigInt(BUFFER_BYTES))) > 0) changed = true;
    };
    const close = () => {
      if (isOpen) libc.close(fd);
      isOpen = isWhole = false;
    };
    return {
      begin() {
        drain();
        changed = false;
        watched.clear(); // the walk adds those that are still there
      },
      add(path) {
        if (!isOpen) return;
        const name = encodeText(`${path || "/"}\0`);
        const watch = isLocal(name) ? libc.inotify_add_watch(fd, name, CHANGES | ONLYDIR | DONT_FOLLOW) : -1;
        if (watch >= 0) watched.add(watch);
        if (watch < 0 || watched.size > MAX_FOLDERS) close(); // a part of the tree would tell nothing
      },
      isQuiet() {
        drain();
        return isWhole && !changed;
      },
      close,
    };
  };
}
