/** Defines the system calls used by file changes; tests replace them with a failing disk. @module */
import { type Entries, entriesByPath } from "../files/entries.ts";
import { type OpenFile, openFile, type OpenOptions } from "../files/open_file.ts";

/** See the module. */
export interface FileOps {
  lstat(path: string): Promise<Deno.FileInfo>;
  open(path: string, options: OpenOptions): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  readLink(path: string): Promise<string>;
  /** One entry; a directory must be empty. */
  remove(path: string): Promise<void>;
  /** A directory and everything in it, links as such; not even a race makes it follow one. Stops at the first failure. */
  removeTree(path: string): Promise<void>;
  mkdir(path: string, mode?: number): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  chown(path: string, uid: number | null, gid: number | null): Promise<void>;
  /** Gives an entry, a link as such, the times of another. */
  copyTimes(from: string, to: string): Promise<void>;
  readDir(path: string): AsyncIterable<Deno.DirEntry>;
}

/** The real ones. */
export const denoFileOps: FileOps = {
  lstat: (path) => Deno.lstat(path),
  open: (path, options) => Promise.try(() => openFile(path, options)),
  rename: (from, to) => Deno.rename(from, to),
  link: (from, to) => Deno.link(from, to),
  symlink: (target, path) => Deno.symlink(target, path),
  readLink: (path) => Deno.readLink(path),
  remove: (path) => Deno.remove(path),
  removeTree: (path) => Deno.remove(path, { recursive: true }),
  mkdir: (path, mode) => Deno.mkdir(path, mode === undefined ? {} : { mode }),
  chmod: (path, mode) => Deno.chmod(path, mode),
  chown: (path, uid, gid) => Deno.chown(path, uid, gid),
  copyTimes: (from, to) => Promise.try(() => entriesByPath.copyTimes(from, to)),
  readDir: (path) => Deno.readDir(path),
};

/** The real ones, with entries looked at in the given way. */
export function fileOpsWith({ lstat, readLink, symlink, chmod, copyTimes }: Entries): FileOps {
  return {
    ...denoFileOps,
    lstat: (path) => Promise.try(() => lstat(path)),
    readLink: (path) => Promise.try(() => readLink(path)),
    symlink: (target, path) => Promise.try(() => symlink(target, path)),
    chmod: (path, mode) => Promise.try(() => chmod(path, mode)),
    copyTimes: (from, to) => Promise.try(() => copyTimes(from, to)),
  };
}

/** The entry, or null when there is none. */
export async function lstatOrNull(ops: FileOps, path: string): Promise<Deno.FileInfo | null> {
  try {
    return await ops.lstat(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** The name of an operating system error (`ENOSPC`); empty for anything else. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Writes all of `data` at the current position. */
export async function writeAll(file: OpenFile, data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length;) at += await file.write(data.subarray(at));
}

/** Reads exactly `sizeBytes` from `offset`, or less when the file ends before. */
export async function readAt(file: OpenFile, offset: number, sizeBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  await file.seek(offset);
  let at = 0;
  while (at < sizeBytes) {
    const count = await file.read(bytes.subarray(at));
    if (count === null) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

/** Makes a rename or removal in a directory last; file systems that cannot are left alone. */
export async function syncDirectory(ops: FileOps, path: string): Promise<void> {
  try {
    const directory = await ops.open(path, { read: true });
    try {
      await directory.sync();
    } finally {
      directory[Symbol.dispose](); // by hand: the bundler puts a `using` that is used once in its place, undisposed
    }
  } catch {
    // A network file system may refuse to sync a directory, and one may write where one may not read.
  }
}

/** Removes what may be there, trying twice; what stays is recognised later by its name. */
export async function removeQuietly(ops: FileOps, path: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await ops.remove(path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return;
    }
  }
}
