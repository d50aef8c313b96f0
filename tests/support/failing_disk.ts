/** A fake disk that fails at the n-th call. @module */
import type { OpenFile } from "../../src/sys/files/open_file.ts";
import { denoFileOps, type FileOps } from "../../src/sys/writer/ops.ts";

/** What fails, and how. */
export interface Fault {
  /** Number (from 1) of the call that fails. */
  readonly at: number;
  /** Name of the error: `ENOSPC`. */
  readonly errno: string;
  /** Whether every later call that needs space fails, too. */
  readonly sticky?: boolean;
  /** Only calls of these names count; all of them when absent. */
  readonly only?: readonly string[];
}

/** Ops over the real disk, and the names of the calls so far. */
export interface FailingDisk {
  readonly ops: FileOps;
  readonly calls: string[];
}

/** Calls that a full disk refuses. */
export const NEEDS_SPACE = ["create", "grow", "link", "mkdir", "symlink"];

/** Makes a disk with one fault; without a fault it only counts. */
export function failingDisk(fault?: Fault): FailingDisk {
  const calls: string[] = [];
  let counted = 0;
  /** Whether this call is to fail. */
  const strikes = (name: string): boolean => {
    calls.push(name);
    if (fault === undefined || (fault.only && !fault.only.includes(name))) return false;
    counted++;
    return counted === fault.at || (fault.sticky === true && counted > fault.at && NEEDS_SPACE.includes(name));
  };
  const failure = (name: string) =>
    Object.assign(new Error(`injected (os error 0): ${name}`), { code: fault?.errno ?? "EIO" });
  const wrap = <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) => (...args: A): Promise<R> =>
    strikes(name) ? Promise.reject(failure(name)) : call(...args);

  const wrapFile = (file: OpenFile, append: boolean): OpenFile => {
    let position = 0;
    return {
      read: wrap("read", (into) => file.read(into)),
      readSync(into) {
        if (strikes("read")) throw failure("read");
        return file.readSync(into);
      },
      async write(from) {
        const sizeBytes = (await file.stat()).size;
        if (append) position = sizeBytes;
        position += from.length;
        if (!strikes(position > sizeBytes ? "grow" : "write")) return await file.write(from);
        if (from.length > 1) await file.write(from.subarray(0, from.length >> 1)); // a full disk takes what fits
        throw failure("write");
      },
      seek: wrap("seek", (offset) => file.seek(position = offset)),
      truncate: wrap("truncate", (sizeBytes) => file.truncate(sizeBytes)),
      sync: wrap("sync", () => Promise.resolve()), // only the call matters; waiting for the device is slow,
      stat: wrap("fstat", () => file.stat()),
      [Symbol.dispose]: () => file[Symbol.dispose](),
    };
  };

  const real = denoFileOps;
  const ops: FileOps = {
    lstat: wrap("lstat", real.lstat),
    async open(path, options) {
      const name = options.createNew || options.create ? "create" : "open";
      if (strikes(name)) throw failure(name);
      return wrapFile(await real.open(path, options), options.append === true);
    },
    rename: wrap("rename", real.rename),
    link: wrap("link", real.link),
    symlink: wrap("symlink", real.symlink),
    readLink: wrap("readLink", real.readLink),
    remove: wrap("remove", real.remove),
    removeTree: wrap("removeTree", real.removeTree),
    mkdir: wrap("mkdir", real.mkdir),
    chmod: wrap("chmod", real.chmod),
    chown: wrap("chown", real.chown),
    copyTimes: wrap("copyTimes", real.copyTimes),
    readDir(path) {
      if (strikes("readDir")) throw failure("readDir");
      return real.readDir(path);
    },
  };
  return { ops, calls };
}
