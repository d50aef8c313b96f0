/**
 * Reads folders and files for a thread that nothing confines: a program that swaps a folder for a link meanwhile leads it
 * nowhere but to other files of the roots.
 * @module
 */
import { encodeText } from "../core/bytes.ts";
import { baseName, isInsideAny, parentOf } from "../core/path.ts";
import { lastErrno, type Libc } from "../sys/libc.ts";

/** What is read, each without an error where there is nothing. */
export interface PinnedPaths {
  list(folder: string): Deno.DirEntry[];
  /** Of the entry itself; null where there is none. */
  infoOf(path: string): Deno.FileInfo | null;
  /** The beginning of a file; null for a link. Never waits, as for a pipe in its place. */
  read(path: string, maxBytes: number): Uint8Array<ArrayBuffer> | null;
  /** Passes a path that keeps naming this folder during the call, whatever is renamed. @returns null if it is not a folder. */
  pinned<T>(folder: string, use: (path: string) => T): T | null;
}

const OPENAT2 = 437n; // on every architecture
const AT_FDCWD = -100n, RESOLVE_NO_SYMLINKS = 0x04n, ELOOP = 40;
const O_CLOEXEC = 0o2000000, O_NOFOLLOW = 0o400000, O_NONBLOCK = 0o4000;
const O_PATH = 0o10000000, O_DIRECTORY = 0o200000;
const FOLDER = O_PATH | O_DIRECTORY | O_CLOEXEC, FILE = O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;

/**
 * @param held Whether Landlock holds the thread: then links are not a danger, and its filter refuses `openat2`.
 */
export function makePinnedPaths(libc: Libc, roots: readonly string[], held: boolean): PinnedPaths {
  const how = new BigUint64Array([BigInt(FOLDER), 0n, RESOLVE_NO_SYMLINKS]);
  const openWithoutLinks = (path: string): number =>
    Number(libc.openat2(OPENAT2, AT_FDCWD, encodeText(`${path}\0`), how, BigInt(how.byteLength)));
  const openFolder = (path: string): number => {
    if (held) return libc.open(encodeText(`${path}\0`), FOLDER);
    const fd = openWithoutLinks(path);
    if (fd >= 0 || lastErrno(libc) !== ELOOP) return fd;
    const real = realPathOf(path);
    return real !== null && isInsideAny(real, roots) ? openWithoutLinks(real) : fd;
  };
  const withOpen = <T>(fd: number, use: (fd: number) => T): T | null => {
    if (fd < 0) return null;
    try {
      return use(fd);
    } catch {
      return null; // it has just been removed, or cannot be read
    } finally {
      libc.close(fd);
    }
  };
  const pinned = <T>(folder: string, use: (path: string) => T): T | null =>
    withOpen(openFolder(folder), (fd) => use(`/proc/self/fd/${fd}`));
  const entry = <T>(path: string, use: (pinned: string) => T): T | null =>
    pinned(parentOf(path), (folder) => use(`${folder}/${baseName(path)}`));
  return {
    pinned,
    list: (folder) => pinned(folder, (path) => Array.from(Deno.readDirSync(path))) ?? [],
    infoOf: (path) => entry(path, Deno.lstatSync),
    read: (path, maxBytes) =>
      entry(path, (file) =>
        withOpen(libc.open(encodeText(`${file}\0`), FILE), (fd) => {
          const bytes = new Uint8Array(maxBytes);
          const length = Number(libc.read(fd, bytes, BigInt(maxBytes)));
          return length < 0 ? null : bytes.slice(0, length);
        })),
  };
}

function realPathOf(path: string): string | null {
  try {
    return Deno.realPathSync(path);
  } catch {
    return null;
  }
}
