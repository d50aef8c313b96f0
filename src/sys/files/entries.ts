/** Reads metadata and modes of directory entries without opening them. @module */
import { type FileType, fileType } from "./open_regular.ts";

/** What a listing says of an entry, and the code index wants to know of it. */
export interface EntryFacts {
  readonly type: FileType;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** The inode's time moves with every change, also when a program restores the old time of the content. */
  readonly changedMs: number;
}

/** Looks at entries and changes their modes. Errors are Deno's, with the code of the operating system. */
export interface Entries {
  /** How far apart, in milliseconds, two changes of an inode may be and show the same time. */
  readonly stepMs: number;
  /** Facts of the entry itself, links not followed. */
  lstat(path: string): Deno.FileInfo;
  /** The main facts of many entries of one folder, by name; those that cannot be looked at are not there. */
  factsOf(folder: string, names: readonly string[]): ReadonlyMap<string, EntryFacts>;
  /** What a link says. */
  readLink(path: string): string;
  /** Makes a link. */
  symlink(target: string, path: string): void;
  /** Permission bits, of anything but a link. */
  chmod(path: string, mode: number): void;
  /** Gives an entry, a link as such, the times of access and of the last change of another. */
  copyTimes(from: string, to: string): void;
}

/** By path: all that Deno has. The kernel lets it look at, and change the mode of, what it would not let it open. */
export const entriesByPath: Entries = {
  stepMs: 1_000, // Deno tells the second of an inode's own time
  lstat: (path) => Deno.lstatSync(path),
  factsOf(folder, names) {
    const found = new Map<string, EntryFacts>();
    for (const name of names) {
      try {
        found.set(name, mainFacts(Deno.lstatSync(`${folder}/${name}`)));
      } catch {
        // vanished, or not for us
      }
    }
    return found;
  },
  readLink: (path) => Deno.readLinkSync(path),
  symlink: (target, path) => Deno.symlinkSync(target, path),
  chmod: (path, mode) => Deno.chmodSync(path, mode),
  copyTimes(from, to) {
    const { atime, mtime, isSymlink } = Deno.lstatSync(from);
    if (!isSymlink && atime !== null && mtime !== null) Deno.utimeSync(to, atime, mtime); // Deno follows links
  },
};

/** The main facts among all that are known. */
export function mainFacts(info: Deno.FileInfo): EntryFacts {
  const mtimeMs = info.mtime?.getTime() ?? 0;
  return {
    type: fileType(info),
    sizeBytes: info.size,
    mtimeMs,
    changedMs: Math.max(mtimeMs, info.ctime?.getTime() ?? 0),
  };
}
